import { Problem, problem, violation } from '#kernel/errors.ts'
import { text } from '#kernel/fields.ts'
import {
  composeEmail,
  defineEmail,
  emailGreeting,
  PORTAL_NAME_PLACEHOLDER,
  sanitiseNameForEmail,
} from '#kernel/system-email.ts'
import { formatCountWithNoun } from '#kernel/text.ts'
import { emailRequested } from '#modules/portal/mail/letter.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import { type AccountOwner, findAccountOwner } from '#server/auth/accounts.ts'
import {
  AttemptTooEarlyProblem,
  type CountedAttempt,
  lockUsedUpKeys,
  recordSuccessfulAttempt,
} from '#server/auth/attempts.ts'
import { performCountedAttempt } from '#server/auth/check-password.ts'
import { type Account, lockAccount } from '#server/auth/credentials.ts'
import { hashPassword, verifyPassword } from '#server/auth/passwords.ts'
import { requireAccessProof, requireRecentProof } from '#server/auth/proof.ts'
import { reloadActor } from '#server/auth/read-actor.ts'
import { secretSealerFor } from '#server/auth/sealing.ts'
import { writeAuditEvent } from '#server/data/writing/audit-trace.ts'
import { isoUtcSql } from '#server/db/columns.ts'
import type { Tx } from '#server/db/db.ts'
import { declareNotificationType, feature } from '#server/engine/module.ts'
import { type Route, type RouteContext, RouteResponse } from '#server/engine/route.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import { readAcrossClients } from '#server/engine/tenant.ts'
import type { Engine } from '#server/engine/types.ts'
import { canManageUsers, findRequestedAccount } from '../people/accounts.server.ts'
import { USER_MANAGER_ROLES, user } from '../people/user.ts'
import { OWN_SIGNING_PIN_URL, type SigningPinState, signingPinProblem } from './signing-pin.ts'

/** Returns the IDs of the client's users who have set a PIN. */
export const findUsersWithSigningPin = async (engine: Engine, clientId: number): Promise<number[]> => {
  const found = await engine.db.tx('system', (tx) =>
    tx.rows<{ id: number }>('SELECT user_id AS id FROM signing_pin WHERE client_id = $1 ORDER BY user_id', [clientId]),
  )
  return found.map(({ id }) => id)
}

/** Secrets that PIN hashes depend on, the current one first. */
const peppersOf = ({ config }: Pick<Engine, 'config'>): Buffer[] => secretSealerFor(config).derive('signing PIN pepper')

/** Maximum number of wrong PINs compared for one person in a day, from all presenters together: 100 of 1,000,000. */
export const MAX_WRONG_PINS_A_DAY = 100

const pinKeyPrefix = ({ clientId, userId }: Account): string => `signing-pin:${clientId}.${userId} `

/** Where a PIN was entered. */
interface PinEntry {
  readonly pin: string
  /** Account of the presenter, on all of their devices and sessions, or the network from which a link was used. */
  readonly source: string
  /** Record that is signed. By link, it is counted apart from the presenter's devices. */
  readonly record: string
}

/**
 * Limits on wrong PINs for one person: by source, by record, and in total. A presenter who guesses uses up their own
 * limits first, and so blocks only themselves.
 */
function attemptsOf(signer: Account, { source, record }: PinEntry): CountedAttempt[] {
  const prefix = pinKeyPrefix(signer)
  const by = `${prefix}by ${source}`
  const limitOf = (key: string, most: number, minutes = 24 * 60) => ({ key, pace: { free: most, most, minutes } })
  return [
    limitOf(by, 5, 15),
    limitOf(`${by} in a day`, 10),
    limitOf(`${prefix}in record ${record}`, 20),
    limitOf(`${prefix}from all`, MAX_WRONG_PINS_A_DAY),
  ]
}

/** Result of comparing an entered PIN. `lockedMinutes`: minutes for which this wrong PIN has blocked further ones; 0 if it has not. */
export interface PinComparison {
  readonly check: 'checked' | 'wrong' | 'none'
  readonly lockedMinutes: number
}

/**
 * Compares an entered PIN with the person's own. Counts the attempt before comparing, so that concurrent guesses gain
 * nothing. Writes wrong PINs to the security log as events of the actor, who is the likely guesser. Throws 429 while
 * entries of the person's PIN from this source, in this record or by anybody are blocked.
 */
export async function compareSigningPin(
  { engine, actor, request }: Pick<RouteContext, 'engine' | 'actor' | 'request'>,
  signer: Account,
  entry: PinEntry,
): Promise<PinComparison> {
  const attempts = attemptsOf(signer, entry)
  let owner: AccountOwner | undefined
  const note = (detail: string) =>
    engine.security.note('signing-pin-failed', actor, request, `of ${owner?.username ?? 'a retired user'}: ${detail}`)
  return performCountedAttempt(
    engine.db,
    async (tx, count) => {
      owner = await findAccountOwner(tx, signer)
      const [held] = await tx.rows<{ hash: string }>(
        'SELECT hash FROM signing_pin WHERE client_id = $1 AND user_id = $2',
        [signer.clientId, signer.userId],
      )
      if (held) await count(attempts)
      return held?.hash
    },
    async (held) => {
      if (held === undefined) return { check: 'none' as const, lockedMinutes: 0 }
      const verified = await Promise.all(peppersOf(engine).map((pepper) => verifyPassword(held, entry.pin, pepper)))
      if (verified.includes(true)) {
        // Clears only the 15-minute count. Otherwise, a correct PIN would give a guessing presenter a new daily allowance.
        const keys = attempts.map(({ key }) => key)
        await engine.db.tx('system', (tx) => recordSuccessfulAttempt(tx, keys.slice(0, 1), keys.slice(1)))
        return { check: 'checked' as const, lockedMinutes: 0 }
      }
      const lockedMinutes = await engine.db.tx('system', (tx) => lockUsedUpKeys(tx, attempts))
      note(lockedMinutes ? `wrong PIN, blocked for ${lockedMinutes} minutes` : 'wrong PIN')
      return { check: 'wrong' as const, lockedMinutes }
    },
  ).catch((e: unknown) => {
    if (!(e instanceof AttemptTooEarlyProblem)) throw e
    note('blocked')
    const minutes = Math.ceil(Number(e.headers?.['retry-after'] ?? 60) / 60)
    throw new Problem(429, blockedPinMessage(owner?.name ?? 'This person', minutes), { headers: e.headers ?? {} })
  })
}

/** Returns the message about a PIN that can't be entered for this many minutes. */
export const blockedPinMessage = (name: string, minutes: number): string => {
  const time =
    minutes > 120 ? formatCountWithNoun(Math.ceil(minutes / 60), 'hour') : formatCountWithNoun(minutes, 'minute')
  return `${name}’s signing PIN is not accepted here for ${time.join('')} after too many wrong entries. Meanwhile, ${name} can sign under their own account.`
}

/** Labels of changes to a PIN in the security log and in e-mails. */
const PIN_CHANGE_LABELS = {
  'pin-set': 'A new signing PIN was set',
  'pin-removed': 'The signing PIN was removed',
} as const

type PinChange = keyof typeof PIN_CHANGE_LABELS

const signingPinEmail = defineEmail<{
  readonly name: string
  readonly username: string
  readonly change: PinChange
  /** Name of the administrator who made the change; undefined if the user made it. */
  readonly by?: string | undefined
}>({
  name: 'signing-pin',
  title: 'Signing PIN changed',
  subject: () => 'Your signing PIN was changed',
  paragraphs: ({ name, username, change, by }) => [
    emailGreeting(name),
    `${PIN_CHANGE_LABELS[change]}${by === undefined ? '' : `, by ${sanitiseNameForEmail(by)}`}, for the account ${username} on the ${PORTAL_NAME_PLACEHOLDER} portal.`,
    by === undefined
      ? 'If this wasn’t you, set a new password now and contact your administrator.'
      : 'If you did not expect this, please contact your administrator.',
  ],
  sample: { name: 'Ann Carter', username: 'ann.carter', change: 'pin-set' },
})

const signingPinNotice = declareNotificationType({
  kind: 'user.signing pin',
  label: 'Changes to my signing PIN',
  for: 'member',
  icon: 'shield',
  of: user,
  words: () => 'Your signing PIN was set, changed or removed. If this wasn’t you, contact your administrator',
  path: () => '/profile/security',
  mail: false,
})

/** Returns whether a person has set a PIN, and when. */
export async function readSigningPinState(
  engine: Pick<Engine, 'db'>,
  { clientId, userId }: Account,
): Promise<SigningPinState> {
  const [held] = await engine.db.tx('system', (tx) =>
    tx.rows<{ at: string }>(
      `SELECT ${isoUtcSql('changed_at')} AS at FROM signing_pin WHERE client_id = $1 AND user_id = $2`,
      [clientId, userId],
    ),
  )
  return { isSet: held !== undefined, changedAt: held?.at ?? null }
}

/**
 * Changes a person's PIN in one transaction with the audit trail, the security log, the notification and the e-mail.
 * `first` checks the actor again in that transaction; `write` returns false if there is nothing to change.
 */
async function changePin(
  c: RouteContext,
  account: Account,
  change: PinChange,
  { first, write }: { readonly first: (tx: Tx) => Promise<void>; readonly write: (tx: Tx) => Promise<boolean> },
): Promise<boolean> {
  const request = { actor: c.me, requestId: c.request.id, from: c.request }
  return c.engine.inTenant(account.clientId, request, async (unit) => {
    const person = await readAcrossClients(unit, async (tx) => {
      await lockAccount(tx, account)
      await first(tx)
      const owner = await findAccountOwner(tx, account)
      if (!owner || !(await write(tx))) return undefined
      await tx.rows('DELETE FROM attempt WHERE starts_with(key, $1)', [pinKeyPrefix(account)])
      await writeAuditEvent(tx, c.me, {
        clientId: account.clientId,
        type: user.type,
        rowId: account.userId,
        verb: change,
        changes: {},
        requestId: c.request.id,
      })
      return owner
    })
    if (!person) return () => false
    const isOwn = c.me.clientId === account.clientId && c.me.userId === account.userId
    unit.security('signing-pin', `of ${person.username}: ${PIN_CHANGE_LABELS[change]}`)
    await notifyUsers(unit, signingPinNotice, [{ to: account.userId, about: account.userId }])
    const facts = { name: person.name, username: person.username, change, by: isOwn ? undefined : c.me.name }
    if (person.email) await unit.emit(emailRequested, { to: person.email, ...composeEmail(signingPinEmail, facts) })
    return () => true
  })
}

const deletePin =
  ({ clientId, userId }: Account) =>
  async (tx: Tx): Promise<boolean> =>
    (await tx.rows('DELETE FROM signing_pin WHERE client_id = $1 AND user_id = $2 RETURNING 1', [clientId, userId]))
      .length > 0

/** Checks in the transaction that the user has recently proved their identity. */
const withRecentProof = (c: RouteContext) => async (tx: Tx) =>
  requireRecentProof(await reloadActor(tx, c.engine.config, c.me))

const mine = { path: OWN_SIGNING_PIN_URL, allow: 'member', secret: true } as const

const ownPinRoutes: readonly Route[] = [
  {
    ...mine,
    method: 'GET',
    title: 'Get whether I have a signing PIN',
    handle: (c) => readSigningPinState(c.engine, c.me).then(asBody),
  },
  routeWithInput(
    { pin: text({ default: '', max: 100, label: 'Signing PIN' }) },
    {
      ...mine,
      method: 'PUT',
      title: 'Set my signing PIN',
      handle: async (c) => {
        requireRecentProof(c.me)
        const wrong = signingPinProblem(c.input.pin)
        if (wrong) throw problem.invalid([violation('pin', wrong)])
        const hashed = await hashPassword(c.input.pin, peppersOf(c.engine)[0])
        const write = async (tx: Tx) => {
          await tx.rows(
            `INSERT INTO signing_pin (client_id, user_id, hash) VALUES ($1, $2, $3)
             ON CONFLICT (client_id, user_id) DO UPDATE SET hash = EXCLUDED.hash, changed_at = now()`,
            [c.me.clientId, c.me.userId, hashed],
          )
          return true
        }
        await changePin(c, c.me, 'pin-set', { first: withRecentProof(c), write })
        return new RouteResponse(204)
      },
    },
  ),
  {
    ...mine,
    method: 'DELETE',
    title: 'Remove my signing PIN',
    handle: async (c) => {
      requireRecentProof(c.me)
      const isRemoved = await changePin(c, c.me, 'pin-removed', {
        first: withRecentProof(c),
        write: deletePin(c.me),
      })
      if (!isRemoved) throw problem.conflict('You have no signing PIN.')
      return new RouteResponse(204)
    },
  },
]

const others = { path: '/api/portal/users/{id}/signing_pin', allow: USER_MANAGER_ROLES }

const asBody = (state: SigningPinState) => ({ ...state })

/** Routes with which administrators remove another user's PIN. They can neither set nor read it. */
const othersPinRoutes: readonly Route[] = [
  {
    ...others,
    method: 'GET',
    title: 'Get whether a user has a signing PIN',
    handle: async (c) => {
      if (!canManageUsers(c.me)) throw problem.forbidden()
      return asBody(await readSigningPinState(c.engine, await findRequestedAccount(c)))
    },
  },
  {
    ...others,
    method: 'DELETE',
    title: 'Remove a user’s signing PIN',
    handle: async (c) => {
      if (!canManageUsers(c.me)) throw problem.forbidden()
      requireAccessProof(c.me)
      const account = await findRequestedAccount(c)
      if (account.clientId === c.me.clientId && account.userId === c.me.userId)
        throw problem.conflict('Manage your own signing PIN under “Sign-in and security”.')
      const first = async (tx: Tx) => {
        const now = await reloadActor(tx, c.engine.config, c.me)
        if (!canManageUsers(now)) throw problem.forbidden()
        requireAccessProof(now)
      }
      if (!(await changePin(c, account, 'pin-removed', { first, write: deletePin(account) })))
        throw problem.conflict(`${account.name} has no signing PIN.`)
      return new RouteResponse(204)
    },
  },
]

export const signingPin = feature({
  routes: [...ownPinRoutes, ...othersPinRoutes],
  emails: [signingPinEmail],
  notifications: [signingPinNotice],
})
