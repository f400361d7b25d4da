import { Problem, problem, violation } from '#kernel/errors.ts'
import { json, text } from '#kernel/fields.ts'
import type { Actor } from '#kernel/roles.ts'
import type { SecondFactorMethod } from '#kernel/second-factor.ts'
import {
  type AttemptLimit,
  AttemptTooEarlyProblem,
  countAttempt,
  recordSuccessfulAttempt,
} from '#server/auth/attempts.ts'
import { performCountedAttempt, verifyOwnPassword } from '#server/auth/check-password.ts'
import {
  type Account,
  type CheckedAccount,
  createPasswordLink,
  lockAccount,
  lockCheckedAccount,
  readPasswordLinkEpoch,
  readTemporaryPasswordHash,
  requireUnchangedCredentials,
} from '#server/auth/credentials.ts'
import { isSecondFactorRequired, requireAccessProof } from '#server/auth/proof.ts'
import { reloadActor } from '#server/auth/read-actor.ts'
import { secretSealerFor } from '#server/auth/sealing.ts'
import type { Tx } from '#server/db/db.ts'
import { feature } from '#server/engine/module.ts'
import type { RouteContext } from '#server/engine/route.ts'
import { type Route, RouteResponse } from '#server/engine/route.ts'
import type { Engine } from '#server/engine/types.ts'
import {
  type CodeAttemptOrigin,
  type CodeAttempts,
  codeAttemptsToCount,
  hasSecondFactor,
  readSecondFactors,
  secondFactorMethods,
} from '#server/second-factor/factors.ts'
import {
  createPasskeyRequestOptions,
  findPasskeys,
  getRelyingParty,
  PASSKEYS_UNAVAILABLE_MESSAGE,
  type RelyingParty,
  readPasskeyChallenge,
  recordPasskeyUse,
  verifyPasskey,
} from '#server/second-factor/passkeys.ts'
import { consumeRecoveryCode } from '#server/second-factor/recovery-codes.ts'
import {
  consumeSecondFactorTicket,
  findSecondFactorTicket,
  issueSecondFactorTicket,
  type SecondFactorTicket,
  type SecondFactorTicketKind,
  ticketLifetimeSeconds,
} from '#server/second-factor/tickets.ts'
import { consumeTotpStep, findTotpSecret, findTotpStep } from '#server/second-factor/totp.ts'
import { canManageUsers, findRequestedAccount } from '../people/accounts.server.ts'
import { removeSecondFactor, secondFactorEmail } from './enrol.server.ts'

/** Minutes for which a user may choose a password in place of a temporary one. */
const CHOOSING_MINUTES = 60

/**
 * Opens a session if the password alone is sufficient. Otherwise throws 401 with a ticket that is valid only for the
 * second step, or for setting up a second factor if the user has none. For a password that another person has set, throws
 * 401 with a password link, so that only its owner's own password ever opens a session. `open` runs in the same transaction as the
 * checks, so that a concurrent change to the password or second factor is taken into account.
 */
export async function completeFirstSignInStep<T>(
  engine: Engine,
  account: CheckedAccount,
  open: (tx: Tx) => Promise<T>,
): Promise<T> {
  const step = await engine.db.tx('system', async (tx) => {
    await lockCheckedAccount(tx, account)
    if (await readTemporaryPasswordHash(tx, account)) {
      const epoch = await readPasswordLinkEpoch(tx, account)
      return {
        kind: 'choose' as const,
        token: await createPasswordLink(tx, { ...account, epoch }, 'reset', CHOOSING_MINUTES),
      }
    }
    const factors = await readSecondFactors(tx, account)
    if (hasSecondFactor(factors))
      return {
        kind: 'prove' as const,
        methods: secondFactorMethods(factors),
        ticket: await issueSecondFactorTicket(tx, account, 'prove'),
      }
    if (!isSecondFactorRequired(engine.config, account.clientId))
      return { kind: 'none' as const, opened: await open(tx) }
    return { kind: 'enrol' as const, methods: [], ticket: await issueSecondFactorTicket(tx, account, 'enrol') }
  })
  if (step.kind === 'none') return step.opened
  const unfinished = { 'www-authenticate': 'Bearer', 'cache-control': 'no-store' }
  if (step.kind === 'choose')
    throw new Problem(401, 'Another person has set this password. Please choose your own password to sign in.', {
      code: 'password_change_required',
      headers: unfinished,
      more: { passwordLink: { token: step.token, expiresIn: CHOOSING_MINUTES * 60 } },
    })
  const { kind, ...more } = step
  throw new Problem(
    401,
    kind === 'prove'
      ? 'Your password is right. Please confirm with your second factor.'
      : 'Your password is right. Your sign-in requires a second factor. Please set it up.',
    {
      code: kind === 'prove' ? 'second_factor_required' : 'second_factor_setup_required',
      headers: unfinished,
      more: { secondFactor: { ...more, expiresIn: ticketLifetimeSeconds(kind) } },
    },
  )
}

/** Finds the account to which a sign-in ticket was issued. Throws 401 if the ticket has expired. */
export async function findSignInTicketAccount(
  tx: Tx,
  ticket: string,
  kind: SecondFactorTicketKind,
): Promise<SecondFactorTicket> {
  const found = await findSecondFactorTicket(tx, ticket, kind)
  if (!found)
    throw problem.signIn('Signing in took too long. Please enter your username and password again.', 'session_ended')
  return found
}

/**
 * Checks a ticket again in the transaction that opens the session, and locks the account. Throws 401 if the ticket has
 * expired or the password has changed.
 */
export async function recheckSignInTicket(
  tx: Tx,
  ticket: string,
  kind: SecondFactorTicketKind,
  account: SecondFactorTicket,
): Promise<void> {
  await requireUnchangedCredentials(tx, account)
  await findSignInTicketAccount(tx, ticket, kind)
}

const AT = '/api/portal/users/{id}/second_factor'
const ADMINS = ['ROLE_CLIENT_ADMIN', 'ROLE_USER_ADMIN']
/** Limit on the second factors that one administrator may remove. */
const TAKING: AttemptLimit = { free: 10, most: 10, minutes: 60 }

function requireKeeper(me: Actor): void {
  if (!canManageUsers(me)) throw problem.forbidden()
}

/** Routes for administrators to view another user's second factor and remove it if it is lost. */
const othersFactorRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: AT,
    title: 'Get a user’s second factors',
    allow: ADMINS,
    handle: async (c) => {
      requireKeeper(c.me)
      const account = await findRequestedAccount(c)
      const factors = await c.engine.db.tx('system', (tx) => readSecondFactors(tx, account))
      return {
        isSet: hasSecondFactor(factors),
        app: factors.app !== null,
        passkeys: factors.passkeys.length,
        recoveryCodes: factors.recoveryCodes,
      }
    },
  },
  {
    method: 'DELETE',
    path: AT,
    title: 'Remove a user’s lost second factor',
    allow: ADMINS,
    handle: async (c) => {
      requireKeeper(c.me)
      requireAccessProof(c.me)
      const account = await findRequestedAccount(c)
      if (account.clientId === c.me.clientId && account.userId === c.me.userId)
        throw problem.conflict('Manage your own second factor under “Sign-in and security”.')
      const by = { who: c.me, verb: 'factor-taken-away', from: c.request } as const
      const key = `take-factor-by:${c.me.clientId}.${c.me.userId}`
      const isTaken = await removeSecondFactor(c.engine, account, by, async (tx) => {
        const now = await reloadActor(tx, c.engine.config, c.me)
        requireKeeper(now)
        requireAccessProof(now)
        await countAttempt(tx, [{ key, pace: TAKING }])
      })
      if (!isTaken) throw problem.conflict(`${account.name} has no second factor.`)
      return new RouteResponse(204)
    },
  },
]

export const secondFactor = feature({
  routes: othersFactorRoutes,
  emails: [secondFactorEmail],
  commands: [
    {
      name: 'user reset-factor',
      help: `  user reset-factor --username NAME --client 0
                              remove a lost second factor`,
      load: async () => (await import('./reset.server.ts')).runResetSecondFactorCommand,
    },
  ],
})

/** Context of a request that contains a proof of identity, used for rate limits and the log. */
type ProofRequestContext = Pick<RouteContext, 'engine' | 'request'> & { readonly place: CodeAttemptOrigin }
type ProvingAccount = Account & { readonly username: string }

/** Proof of identity: exactly one of the fields is set. */
export interface IdentityProof {
  /** Code from an authenticator app. */
  readonly code: string
  readonly recoveryCode: string
  /** The browser's response to a passkey challenge. */
  readonly passkey?: unknown
}

/**
 * An identity check in three steps: read the stored second factor, verify the proof outside a transaction, then consume
 * the code or challenge.
 */
interface Check {
  readonly method: SecondFactorMethod
  /** Request field that contains the proof. */
  readonly field: keyof IdentityProof
  readonly wrong: string
  /**
   * Reads the stored second factor and returns a function that verifies the proof outside a transaction. That function
   * returns another, which consumes the code or challenge. If the first returns `undefined` or the second returns
   * false, the proof is wrong.
   */
  readonly read: (tx: Tx) => Promise<() => Promise<((tx: Tx) => Promise<boolean>) | undefined>>
}

function checkOf(engine: Engine, account: Account, proof: IdentityProof, party: RelyingParty | undefined): Check {
  if (proof.passkey !== null && proof.passkey !== undefined && party)
    return {
      method: 'passkey',
      field: 'passkey',
      wrong: 'This passkey could not be verified. Please try again.',
      read: async (tx) => {
        const challenge = readPasskeyChallenge(proof.passkey)
        const asked = await consumeSecondFactorTicket(tx, challenge, 'assert', account)
        const held = asked ? await findPasskeys(tx, account) : []
        return async () => {
          const used = await verifyPasskey(party, held, proof.passkey, challenge)
          return used && ((tx2) => recordPasskeyUse(tx2, account, used))
        }
      },
    }
  if (proof.recoveryCode)
    return {
      method: 'recovery',
      field: 'recoveryCode',
      wrong: 'This is not one of your unused recovery codes. Please check it and try again.',
      read: async () => async () => (tx) => consumeRecoveryCode(tx, account, proof.recoveryCode),
    }
  return {
    method: 'totp',
    field: 'code',
    wrong: proof.code
      ? 'This code is wrong or has been used. Please wait for the next one in your app.'
      : 'Field required, please enter text',
    read: async (tx) => {
      const sealed = await findTotpSecret(tx, account)
      return async () => {
        const step = sealed && findTotpStep(secretSealerFor(engine.config), account, sealed, proof.code)
        return step === undefined || step === '' ? undefined : (tx2) => consumeTotpStep(tx2, account, step)
      }
    },
  }
}

/**
 * Verifies a proof with a user's second factor and consumes the code or challenge. Throws 422 if the proof is wrong,
 * and 429 if an app code is tried too soon. `alongside` runs in the consuming transaction and returns the result.
 */
export async function verifySecondFactor<T>(
  c: ProofRequestContext,
  account: ProvingAccount,
  proof: IdentityProof,
  party: RelyingParty | undefined,
  alongside: (tx: Tx) => Promise<T>,
): Promise<T> {
  const { method, field, wrong, read } = checkOf(c.engine, account, proof, party)
  const judge = async (check: Awaited<ReturnType<typeof read>>, counted?: CodeAttempts) => {
    const use = await check()
    const proved = await c.engine.db.tx('system', async (tx) => {
      await lockAccount(tx, account)
      if (!use || !(await use(tx))) return undefined
      if (counted) await recordSuccessfulAttempt(tx, [counted.own.key], counted.shared ? [counted.shared.key] : [])
      return { value: await alongside(tx) }
    })
    if (proved) return proved.value
    c.engine.security.note('second-factor-failed', account, c.request, method)
    throw problem.invalid([violation(field, wrong)])
  }
  return method === 'totp' ? tried(c, account, read, judge) : judge(await c.engine.db.tx('system', read))
}

/** Verifies a user's identity by password, for users without a second factor. Throws 422 if the password is wrong. */
export async function verifyIdentityByPassword(
  { engine, request, place }: ProofRequestContext,
  account: ProvingAccount,
  password: string,
): Promise<void> {
  if (await verifyOwnPassword(engine.db, account, password, place.session)) return
  engine.security.note('sign-in-failed', account, request, 'proof of identity')
  throw problem.invalid([violation('password', 'This is not your password')])
}

/**
 * Returns the options that a browser needs to sign a challenge with one of the account's passkeys. Throws 409 if
 * passkeys are unavailable.
 */
export async function beginPasskeyProof(engine: Engine, account: Account, party: RelyingParty | undefined) {
  if (!party) throw problem.conflict(PASSKEYS_UNAVAILABLE_MESSAGE)
  const held = await engine.db.tx('system', (tx) => findPasskeys(tx, account))
  const { options, challenge } = await createPasskeyRequestOptions(party, held)
  await engine.db.tx('system', (tx) => issueSecondFactorTicket(tx, account, 'assert', { token: challenge }))
  return { options }
}

/** Counts the attempt in the transaction that reads the stored second factor, before the app code is verified. */
function tried<R, T>(
  { engine, place }: ProofRequestContext,
  account: ProvingAccount,
  read: (tx: Tx) => Promise<R>,
  judge: (read: R, counted: CodeAttempts) => Promise<T>,
): Promise<T> {
  return performCountedAttempt(
    engine.db,
    async (tx, count) => {
      const counted = await codeAttemptsToCount(tx, account, place)
      await count(counted.shared ? [counted.own, counted.shared] : [counted.own])
      return { counted, found: await read(tx) }
    },
    ({ found, counted }) => judge(found, counted),
  ).catch((e: unknown) => {
    throw e instanceof AttemptTooEarlyProblem ? e.telling(account, 'second factor') : e
  })
}

/** Request fields for a proof of identity; a request must contain one of them. */
export const identityProofFields = {
  code: text({ default: '', label: 'Authenticator code' }),
  recoveryCode: text({ default: '', label: 'Recovery code' }),
  passkey: json({ label: 'The browser’s response to the passkey challenge' }),
} as const

export const pickIdentityProof = ({ code, recoveryCode, passkey }: IdentityProof): IdentityProof => ({
  code,
  recoveryCode,
  passkey,
})

export const relyingPartyFor = (c: RouteContext): RelyingParty | undefined =>
  getRelyingParty(c.engine.config, c.request.host)
