import { problem } from '#kernel/errors.ts'
import type { RowOf, ValuesOf } from '#kernel/resource.ts'
import { type Actor, authorOf, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import {
  composeEmail,
  defineEmail,
  emailGreeting,
  PORTAL_NAME_PLACEHOLDER,
  sanitiseNameForEmail,
} from '#kernel/system-email.ts'
import { formatUkDateTime } from '#kernel/time.ts'
import { consumeAccountEmailAllowance } from '#modules/portal/mail/claim.server.ts'
import { emailRequested } from '#modules/portal/mail/letter.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import { findUsersWithRoles } from '#server/auth/accounts.ts'
import { type CredentialChange, revokeAccessAfterCredentialChange } from '#server/auth/credentials.ts'
import { requireAccessProof } from '#server/auth/proof.ts'
import { prepareSql } from '#server/data/values.ts'
import type { Tx } from '#server/db/db.ts'
import { readCurrentActor } from '#server/engine/actor-now.ts'
import type { ActionResult } from '#server/engine/behaviour.ts'
import { declareNotificationType } from '#server/engine/module.ts'
import { schedule } from '#server/engine/schedule.ts'
import { readAcrossClients } from '#server/engine/tenant.ts'
import type { Context } from '#server/engine/types.ts'
import { processRowsForAllClients } from '#server/jobs/remind.ts'
import { IDENTITY_NAV } from '../nav.ts'
import { CONTROLLING_ROLES, describeWaitingChanges, isProtectedRole } from '../roles/role-groups.ts'
import { canManageUsers, isProtectedAccount, isSamePerson, WAITING_HOURS } from './accounts.server.ts'
import { USER_MANAGER_ROLES, user } from './user.ts'

type Person = RowOf<typeof user>
type Changes = ValuesOf<typeof user>

/** Data for e-mails about an account that another user may have changed. */
interface AccountChangeFacts {
  readonly name: string
  readonly username: string
  /** Name of the person who made the change. */
  readonly by: string
}

const ASK = `If you did not expect this, please contact your administrator, or ${PORTAL_NAME_PLACEHOLDER}.`

/** E-mail about a password that an administrator has set for the user. */
export const passwordChangedEmail = defineEmail<AccountChangeFacts>({
  name: 'password-changed',
  title: 'Password set by an administrator',
  subject: () => 'Your password was changed',
  paragraphs: ({ name, username, by }) => [
    emailGreeting(name),
    `${sanitiseNameForEmail(by)} has set a temporary password for ${username}. It opens nothing: at the next sign-in you choose your own password. ${ASK}`,
  ],
  sample: { name: 'Ann Carter', username: 'ann.carter', by: 'Sam Taylor' },
})

/** E-mail about a password chosen in place of one that another person had set. That person may have chosen it. */
export const passwordChosenEmail = defineEmail<Pick<AccountChangeFacts, 'name' | 'username'>>({
  name: 'password-chosen',
  title: 'Password chosen in place of a temporary one',
  subject: () => 'A password was chosen for your account',
  paragraphs: ({ name, username }) => [
    emailGreeting(name),
    `A password has been chosen for ${username}, in place of the one that another person had set. ${ASK}`,
  ],
  sample: { name: 'Ann Carter', username: 'ann.carter' },
})

const emailChangedEmail = defineEmail<AccountChangeFacts & { readonly before: string; readonly after: string }>({
  name: 'email-changed',
  title: 'User’s e-mail address changed',
  subject: () => 'Your e-mail address was changed',
  paragraphs: ({ name, username, by, before, after }) => [
    emailGreeting(name),
    `${sanitiseNameForEmail(by)} has changed ${username}’s e-mail address from ${before || 'none'} to ${after || 'none'}. ${ASK}`,
  ],
  sample: {
    name: 'Ann Carter',
    username: 'ann.carter',
    by: 'Sam Taylor',
    before: 'ann@acme.example',
    after: 'ann.carter@acme.example',
  },
})

export const accountEmails = [passwordChangedEmail, passwordChosenEmail, emailChangedEmail]

/**
 * Notifies both the old and the new address when a user's e-mail address changes. This applies even if the change was
 * made from the user's own account, because an intruder may have made it.
 */
async function notifyEmailChange(
  c: Context,
  { name, username, email: before }: Person,
  after: string,
  requester: string,
): Promise<void> {
  const by = c.actor.kind === 'system' ? requester : (c.actor.original ?? c.actor).name
  const email = composeEmail(emailChangedEmail, { name, username, by, before, after })
  const addresses = [before, after].filter(Boolean)
  await consumeAccountEmailAllowance(c.work.tx, c.actor, c.clientId, c.now, addresses.length)
  for (const to of addresses) await c.emit(emailRequested, { to, ...email })
}

/** Fields that grant rights (`RIGHTS`) or identify a user (`REACHED_BY`). */
const RIGHTS = ['roles', 'scopes', 'isRetired', 'manager']
const REACHED_BY = ['username', 'email']

/**
 * Adds the names of an account's changed fields, and of its new roles, to the security log. The entry contains no
 * personal data except the username.
 */
export function logAccountChange(
  c: Pick<Context, 'security'>,
  username: string,
  changes: Readonly<Record<string, unknown>>,
  isNew: boolean,
): void {
  if (isNew) c.security('account', `${username}: created`)
  const told = (fields: readonly string[]) => fields.filter((name) => (isNew ? hasAny(changes[name]) : name in changes))
  const rights = told(RIGHTS).map((name) => words(name, changes[name]))
  if (rights.length) c.security('rights', `${username}: ${rights.join('; ')}`)
  const reachedBy = isNew ? [] : told(REACHED_BY)
  if (reachedBy.length) c.security('account', `${username}: ${reachedBy.join(', ')}`)
}

const hasAny = (value: unknown) => Array.isArray(value) && value.length > 0

function words(name: string, value: unknown): string {
  if (name === 'roles' && Array.isArray(value)) return `roles changed to ${value.join(' ') || 'none'}`
  if (name === 'isRetired') return value ? 'retired' : 'restored'
  return name
}

/** Returns the changes that affect the user's sign-in: retirement, e-mail address and username. */
const wayChanges = (changes: Changes): CredentialChange[] => [
  ...(changes.isRetired !== undefined ? (['retirement'] as const) : []),
  ...(changes.email !== undefined ? (['email'] as const) : []),
  ...(changes.username !== undefined ? (['username'] as const) : []),
]

/** Writes the security log, ends what a changed account could still use, and notifies its addresses. */
export async function followUpChange(
  c: Context,
  before: Person,
  changes: Changes,
  { isCorrection = false, requester = '' } = {},
): Promise<void> {
  logAccountChange(c, before.username, changes, false)
  const gone = wayChanges(changes)
  if (gone.length)
    await readAcrossClients(c, async (tx) => {
      for (const change of gone)
        await revokeAccessAfterCredentialChange(tx, { clientId: c.clientId, userId: before.id }, change)
    })
  if (changes.email !== undefined && !isCorrection) await notifyEmailChange(c, before, changes.email ?? '', requester)
}

const NOTHING_WAITS: Changes = { waitingRoles: [], waitingEmail: '', waitingUntil: null, waitingBy: '' }

const OTHERS_SIGNED_IN = prepareSql(
  `SELECT EXISTS (SELECT FROM user_account WHERE client_id = $1::int AND last_login_at IS NOT NULL
     AND NOT (client_id = $2::int AND id = $3::bigint))`,
)

/**
 * Returns whether the actor is the only user who has ever signed in to the client. Changes then need no second
 * administrator. Retired users count, so that retiring the others does not avoid the wait.
 */
export async function isOnlyUser(tx: Pick<Tx, 'arrays'>, clientId: number, actor: Actor): Promise<boolean> {
  const [row] = await tx.arrays(OTHERS_SIGNED_IN, [clientId, actor.clientId, actor.userId])
  return row?.[0] !== true
}

/**
 * Returns the values of a save with its protected changes waiting: roles that control money, access or confidential
 * data, also when an account is restored, and a new e-mail address for a holder of such a role, until a day after its
 * loss. A new e-mail address that the provider enters for a client's user waits too. The wait prevents one administrator
 * from creating a second approver, or taking over a holder's account, unnoticed. Does nothing while the actor is the only user who has signed in to the client. A list of roles
 * (`sendsRoles`) without a waiting role cancels that role. Throws 409 if changes that another user requested are
 * waiting.
 */
export async function delayProtectedChanges(
  c: Context,
  actor: Actor,
  before: Person | undefined,
  changes: Changes,
  sendsRoles: boolean,
): Promise<Changes> {
  const set = await waitingValues(c, actor, before, changes, sendsRoles)
  return changes.isRetired && (before?.waitingUntil || set.waitingUntil) ? { ...set, ...NOTHING_WAITS } : set
}

async function waitingValues(
  c: Context,
  actor: Actor,
  before: Person | undefined,
  changes: Changes,
  sendsRoles: boolean,
): Promise<Changes> {
  const active = before?.isRetired ? [] : (before?.roles ?? [])
  const wanted = changes.roles ?? (changes.isRetired === false ? before?.roles : undefined) ?? []
  const sent = changes.roles ?? before?.roles ?? []
  const waiting = before?.waitingRoles ?? []
  const left = sendsRoles ? waiting.filter((name) => sent.includes(name)) : waiting
  const cancelled = before && left.length < waiting.length ? cancelRoles(c, before, left) : {}
  const given = wanted.filter((name) => isProtectedRole(name) && !active.includes(name))
  const held = wanted.filter((name) => !given.includes(name))
  const news = given.filter((name) => !waiting.includes(name))
  const isNewEmail =
    before !== undefined &&
    before.id !== actor.userId &&
    changes.email !== undefined &&
    changes.email !== before.email &&
    (actor.clientId !== c.clientId ||
      (await readAcrossClients(c, (tx) => isProtectedAccount(tx, { clientId: c.clientId, userId: before.id }, before))))
  if (!given.length && !isNewEmail) return cancelled
  if (await readAcrossClients(c, (tx) => isOnlyUser(tx, c.clientId, actor))) return cancelled
  const roles = given.length ? { roles: held } : {}
  if (!news.length && !isNewEmail) return { ...roles, ...cancelled }
  const { username } = authorOf(actor)
  if (before?.waitingUntil && before.waitingBy !== username)
    throw problem.conflict(
      `Other changes to ${before.name}’s account are waiting. Please confirm or cancel them first.`,
    )
  return {
    ...roles,
    ...(news.length || left.length < waiting.length ? { waitingRoles: [...left, ...news] } : {}),
    ...(isNewEmail ? { email: undefined as never, waitingEmail: changes.email ?? '' } : {}),
    waitingUntil: c.now.add({ hours: WAITING_HOURS }).toString(),
    waitingBy: username,
  }
}

/** Logs that waiting roles are cancelled, and returns the values with which only the roles in `left` wait. */
function cancelRoles(c: Context, { username, waitingRoles, waitingEmail }: Person, left: readonly string[]): Changes {
  const gone = waitingRoles.filter((name) => !left.includes(name))
  c.security('rights', `${username}: cancelled ${describeWaitingChanges({ waitingRoles: gone, waitingEmail: '' })}`)
  return left.length || waitingEmail ? { waitingRoles: [...left] } : NOTHING_WAITS
}

export const waitingNotification = declareNotificationType({
  kind: 'account.waiting',
  label: 'New roles that control money, access or confidential data, and new e-mail addresses of their holders',
  for: Object.keys(CONTROLLING_ROLES),
  icon: 'shield',
  of: user,
  words: (of) =>
    of.waitingUntil
      ? `Changes for ${of.name} apply from ${formatUkDateTime(Temporal.Instant.from(of.waitingUntil))}: ${describeWaitingChanges(of)}. Requested by ${of.waitingBy}`
      : `The changes for ${of.name} are no longer waiting`,
  path: ({ id }) => `${IDENTITY_NAV.users.path}?user=${id}`,
  mail: true,
})

/** Notifies all holders of a role that controls money or access, except the person who made the change. */
export async function notifyOfWaitingChanges(c: Context, id: number, username: string): Promise<void> {
  const people = await findUsersWithRoles(c.work.tx, c.clientId, Object.keys(CONTROLLING_ROLES))
  await notifyUsers(
    c,
    waitingNotification,
    people.filter((one) => one.username !== username).map(({ userId }) => ({ to: userId, about: id })),
  )
}

/** Returns the values that an account's waiting changes will set. */
const effectOf = (row: Person): Changes => ({
  ...(row.waitingRoles.length ? { roles: [...new Set([...row.roles, ...row.waitingRoles])] } : {}),
  ...(row.waitingEmail ? { email: row.waitingEmail } : {}),
})

/** Waiting changes as a person read them. */
interface ReadChanges {
  readonly roles?: readonly string[] | null
  readonly email?: string | null
}

const areWaiting = ({ waitingRoles, waitingEmail }: Person, { roles, email }: ReadChanges): boolean =>
  (email ?? '') === waitingEmail && (roles ?? []).toSorted().join(' ') === waitingRoles.toSorted().join(' ')

/** Handlers of the actions that decide waiting changes. */
export const waitingChangeActions = {
  confirmWaiting: async (c: Context & { row: Person; input: ReadChanges }): Promise<ActionResult<typeof user>> => {
    const { row } = c
    await requireManager(c, row)
    if (await isSamePerson(c, [row.waitingBy, row.username]))
      throw problem.forbidden(
        'Another administrator must confirm this change: not the one who requested it, and not the user whom it concerns.',
      )
    if (!areWaiting(row, c.input))
      throw problem.conflict(
        'The waiting changes are not the ones that you confirmed. Please read them again. Nothing was changed.',
      )
    await followUpChange(c, row, effectOf(row))
    return { set: { ...effectOf(row), ...NOTHING_WAITS } }
  },
  cancelWaiting: async (c: Context & { row: Person }): Promise<ActionResult<typeof user>> => {
    await requireManager(c, c.row)
    c.security('rights', `${c.row.username}: cancelled ${describeWaitingChanges(c.row)}`)
    return { set: NOTHING_WAITS }
  },
}

async function requireManager(c: Context, row: Person): Promise<void> {
  const actor = await readCurrentActor(c)
  if (!canManageUsers(actor)) throw problem.forbidden()
  requireAccessProof(actor)
  if (!row.waitingUntil) throw problem.conflict('No changes to this account are waiting.')
}

const REQUESTER = prepareSql(
  `SELECT EXISTS (SELECT FROM user_account WHERE client_id IN ($1::int, ${PROVIDER_CLIENT_ID}) AND username = $2 AND NOT is_retired
     AND roles && $3::text[])`,
)

/** Applies changes that have waited a day, unless their requester may no longer manage accounts. */
export const applyWaitingChanges = schedule({
  name: 'identity.apply-waiting-changes',
  every: { minutes: 15 },
  run: (engine) => {
    const now = engine.clock.now()
    return processRowsForAllClients(
      engine,
      {
        of: user,
        where: { isRetired: false },
        reason: 'identity.apply-waiting-changes',
        condition: (next) => `t.waiting_until <= ${next(now.toString())}::timestamptz`,
      },
      async (c, row) => {
        if (!row.waitingUntil || Date.parse(row.waitingUntil) > now.epochMilliseconds) return
        const isValid = await readAcrossClients(c, async (tx) => {
          const [found] = await tx.arrays(REQUESTER, [c.clientId, row.waitingBy, [...USER_MANAGER_ROLES]])
          return found?.[0] === true
        })
        const effect = isValid ? effectOf(row) : {}
        await c.set(user, row, { ...effect, ...NOTHING_WAITS }, 'waiting')
        if (isValid) await followUpChange(c, row, effect, { requester: row.waitingBy })
        else c.security('rights', `${row.username}: lapsed, because ${row.waitingBy} no longer manages users`)
      },
    )
  },
})
