import { problem, violation } from '#kernel/errors.ts'
import {
  composeEmail,
  defineEmail,
  emailGreeting,
  PORTAL_NAME_PLACEHOLDER,
  sanitiseNameForEmail,
} from '#kernel/system-email.ts'
import { findBrandName } from '#modules/portal/clients/client.server.ts'
import { emailRequested } from '#modules/portal/mail/letter.ts'
import { type AccountOwner, findAccountOwner } from '#server/auth/accounts.ts'
import { type Account, lockAccount, revokeAccessAfterCredentialChange } from '#server/auth/credentials.ts'
import { isSecondFactorRequired } from '#server/auth/proof.ts'
import { secretSealerFor } from '#server/auth/sealing.ts'
import type { RequestOrigin } from '#server/auth/security-log.ts'
import { type AuditActor, writeAuditEvent } from '#server/data/writing/audit-trace.ts'
import type { Tx } from '#server/db/db.ts'
import type { Engine } from '#server/engine/types.ts'
import { writeOutboxEvent } from '#server/engine/unit-of-work.ts'
import {
  deleteRecoveryCodes,
  hasSecondFactor,
  readSecondFactors,
  removeSecondFactors,
} from '#server/second-factor/factors.ts'
import {
  createPasskeyCreationOptions,
  deletePasskey,
  findPasskeys,
  PASSKEYS_UNAVAILABLE_MESSAGE,
  type RelyingParty,
  readPasskeyChallenge,
  savePasskey,
  verifyNewPasskey,
} from '#server/second-factor/passkeys.ts'
import { createRecoveryCodes, saveRecoveryCodes } from '#server/second-factor/recovery-codes.ts'
import { consumeSecondFactorTicket, issueSecondFactorTicket } from '#server/second-factor/tickets.ts'
import {
  createTotpSecret,
  deleteAuthenticatorApp,
  findTotpStep,
  saveAuthenticatorApp,
  totpUri,
} from '#server/second-factor/totp.ts'
import { user } from '../people/user.ts'

/** Labels for changes to a second factor in the audit trail. */
const FACTOR_CHANGE_LABELS = {
  'factor-app': 'An authenticator app was set up',
  'factor-app-removed': 'The authenticator app was removed',
  'factor-passkey': 'A passkey was added',
  'factor-passkey-removed': 'A passkey was removed',
  'factor-codes': 'New recovery codes were created',
  'factor-reset': 'The second factor was removed by the operator of the portal',
  'factor-taken-away': 'The second factor was removed by an administrator',
} as const

type SecondFactorChange = keyof typeof FACTOR_CHANGE_LABELS

interface SecondFactorFacts {
  readonly name: string
  readonly username: string
  readonly change: SecondFactorChange
  /** Name of the administrator who made the change. Undefined if the user or the operator made it. */
  readonly by?: string | undefined
}

export const secondFactorEmail = defineEmail<SecondFactorFacts>({
  name: 'second-factor',
  title: 'Second factor changed',
  subject: () => 'Your sign-in was changed',
  paragraphs: ({ name, username, change, by }) => [
    emailGreeting(name),
    `${FACTOR_CHANGE_LABELS[change]}${by === undefined ? '' : `, ${sanitiseNameForEmail(by)}`}, for the account ${username} on the ${PORTAL_NAME_PLACEHOLDER} portal.`,
    by === undefined
      ? 'If this wasn’t you, set a new password now and contact your administrator.'
      : `If you did not ask for this, set a new password now and contact ${PORTAL_NAME_PLACEHOLDER}.`,
  ],
  sample: { name: 'Ann Carter', username: 'ann.carter', change: 'factor-app' },
})

/**
 * Records a change to a user's second factor in the audit trail, where the user's administrators can see it, and
 * e-mails the user, because somebody else may have made the change.
 */
async function recordFactorChange(
  engine: Engine,
  tx: Tx,
  person: AccountOwner,
  verb: SecondFactorChange,
  by: AuditActor,
  from: RequestOrigin | undefined,
): Promise<void> {
  await writeAuditEvent(tx, by, {
    clientId: person.clientId,
    type: user.type,
    rowId: person.userId,
    verb,
    changes: {},
    requestId: from?.id ?? 'command line',
  })
  const isOwn = by.userId === person.userId || by.userId === 0
  if (isOwn) engine.security.note('second-factor', person, from, FACTOR_CHANGE_LABELS[verb])
  else
    engine.security.note(
      'second-factor',
      { ...by, clientId: person.clientId },
      from,
      `of ${person.username}: ${FACTOR_CHANGE_LABELS[verb]}`,
    )
  if (!person.email) return
  await writeOutboxEvent(engine, tx, person.clientId, emailRequested, {
    to: person.email,
    ...composeEmail(secondFactorEmail, {
      name: person.name,
      username: person.username,
      change: verb,
      by: isOwn ? undefined : by.name,
    }),
  })
}

/**
 * Removes a lost second factor with its recovery codes and signs the user out everywhere. Logs the removal and e-mails
 * the user, who must set up a new second factor at the next sign-in if one is compulsory. Returns false if the user had
 * no second factor.
 */
export async function removeSecondFactor(
  engine: Engine,
  account: Account,
  by: { readonly who: AuditActor; readonly verb: SecondFactorChange; readonly from: RequestOrigin | undefined },
  first: (tx: Tx) => Promise<unknown> = async () => {},
): Promise<boolean> {
  const taken = await engine.db.tx('system', async (tx) => {
    await lockAccount(tx, account)
    await first(tx)
    const person = await findAccountOwner(tx, account)
    if (!person || !hasSecondFactor(await readSecondFactors(tx, account))) return false
    await removeSecondFactors(tx, account)
    await recordFactorChange(engine, tx, person, by.verb, by.who, by.from)
    return true
  })
  if (!taken) return false
  engine.notifyCommit(new Set(['outbox']))
  engine.sessions.forgetPerson(account)
  return true
}

/** Checks and steps that run in the same transaction as the enrolment. */
export interface EnrolmentContext {
  readonly from: RequestOrigin
  /** Runs before the change, once the account is locked. Throws if the change is not allowed. */
  readonly first: (tx: Tx) => Promise<unknown>
  /** Runs after the change. */
  readonly last: (tx: Tx) => Promise<unknown>
}

const ENROLMENT_EXPIRED_MESSAGE = 'Setting up took too long or was restarted elsewhere. Please start again.'

async function personOf(tx: Tx, account: Account): Promise<AccountOwner> {
  const person = await findAccountOwner(tx, account)
  if (!person) throw problem.notFound()
  return person
}

/** Creates a secret for an authenticator app. The app becomes active when its first code is confirmed. */
export async function beginAppEnrolment(engine: Engine, account: Account) {
  const { secret, sealed } = createTotpSecret(secretSealerFor(engine.config), account)
  const brand = await findBrandName(engine, account.clientId)
  return engine.db.tx('system', async (tx) => {
    const { username } = await personOf(tx, account)
    const enrolment = await issueSecondFactorTicket(tx, account, 'totp', { secret: sealed })
    return { enrolment, secret, address: totpUri(secret, brand, username) }
  })
}

/**
 * Activates an app after checking a code from it. If the user had no second factor before, recovery codes are created
 * too. Throws 422 for a wrong code and 409 for an expired secret.
 */
export async function confirmAppEnrolment(
  engine: Engine,
  account: Account,
  { enrolment, code }: { readonly enrolment: string; readonly code: string },
  along: EnrolmentContext,
): Promise<string[]> {
  return keep(engine, account, 'factor-app', along, async (tx) => {
    const ticket = await consumeSecondFactorTicket(tx, enrolment, 'totp', account)
    if (!ticket?.secret) throw problem.conflict(ENROLMENT_EXPIRED_MESSAGE)
    const step = findTotpStep(secretSealerFor(engine.config), account, ticket.secret, code)
    if (step === undefined)
      throw problem.invalid([violation('code', 'This is not the app’s current code. Please try the next one.')])
    await saveAuthenticatorApp(tx, account, ticket.secret, step)
  })
}

/** Returns the options that a browser needs to create a passkey. Throws 409 if passkeys are unavailable. */
export async function beginPasskeyEnrolment(engine: Engine, account: Account, party: RelyingParty | undefined) {
  if (!party) throw problem.conflict(PASSKEYS_UNAVAILABLE_MESSAGE)
  const { person, held } = await engine.db.tx('system', async (tx) => ({
    person: await personOf(tx, account),
    held: await findPasskeys(tx, account),
  }))
  const { options, challenge } = await createPasskeyCreationOptions(party, person, held)
  await engine.db.tx('system', (tx) => issueSecondFactorTicket(tx, account, 'register', { token: challenge }))
  return { options }
}

/**
 * Saves a passkey that the browser has created. Throws 409 if passkeys are unavailable, and 422 if the browser's
 * response does not answer one of the server's challenges.
 */
export async function confirmPasskeyEnrolment(
  engine: Engine,
  account: Account,
  { name, passkey }: { readonly name: string; readonly passkey?: unknown },
  party: RelyingParty | undefined,
  along: EnrolmentContext,
): Promise<string[]> {
  if (!party) throw problem.conflict(PASSKEYS_UNAVAILABLE_MESSAGE)
  const challenge = readPasskeyChallenge(passkey)
  const made = await verifyNewPasskey(party, passkey, challenge)
  return keep(engine, account, 'factor-passkey', along, async (tx) => {
    if (!(await consumeSecondFactorTicket(tx, challenge, 'register', account)))
      throw problem.conflict(ENROLMENT_EXPIRED_MESSAGE)
    await savePasskey(tx, account, name.trim() || 'Passkey', made)
  })
}

/**
 * Removes the authenticator app. Throws 404 if there is none, and 409 if it is the user's last second factor and a
 * second factor is compulsory.
 */
export const removeAuthenticatorApp = (engine: Engine, account: Account, along: EnrolmentContext): Promise<unknown> =>
  remove(engine, account, 'factor-app-removed', along, deleteAuthenticatorApp)

/**
 * Removes a passkey. Throws 404 if there is none, and 409 if it is the user's last second factor and a second factor is
 * compulsory.
 */
export const removePasskey = (
  engine: Engine,
  account: Account,
  id: number,
  along: EnrolmentContext,
): Promise<unknown> => remove(engine, account, 'factor-passkey-removed', along, (tx) => deletePasskey(tx, account, id))

const remove = (
  engine: Engine,
  account: Account,
  verb: SecondFactorChange,
  along: EnrolmentContext,
  drop: (tx: Tx, account: Account) => Promise<boolean>,
) =>
  keep(engine, account, verb, along, async (tx) => {
    if (!(await drop(tx, account))) throw problem.notFound()
    if (hasSecondFactor(await readSecondFactors(tx, account))) return
    if (isSecondFactorRequired(engine.config, account.clientId))
      throw problem.conflict('Your sign-in requires a second factor. Set up another one first.')
    await deleteRecoveryCodes(tx, account)
  })

/** Replaces the user's recovery codes and returns the new ones. Throws 409 if the user has no second factor. */
export const renewRecoveryCodes = (engine: Engine, account: Account, along: EnrolmentContext): Promise<string[]> =>
  keep(engine, account, 'factor-codes', along, async (tx) => {
    if (!hasSecondFactor(await readSecondFactors(tx, account)))
      throw problem.conflict('Set up an authenticator app or a passkey first.')
  })

/**
 * Makes one change to a user's second factors with the account locked, records the change in the audit trail and
 * e-mails the user. Returns the recovery codes if new ones were created.
 */
async function keep(
  engine: Engine,
  account: Account,
  verb: SecondFactorChange,
  { from, first, last }: EnrolmentContext,
  change: (tx: Tx) => Promise<unknown>,
): Promise<string[]> {
  const given = await engine.db.tx('system', async (tx) => {
    await lockAccount(tx, account)
    await first(tx)
    const before = await readSecondFactors(tx, account)
    await change(tx)
    if (!hasSecondFactor(before)) await revokeAccessAfterCredentialChange(tx, account, 'first-factor')
    const codes = verb === 'factor-codes' || !hasSecondFactor(before) ? createRecoveryCodes() : []
    if (codes.length) await saveRecoveryCodes(tx, account, codes)
    const person = await personOf(tx, account)
    await recordFactorChange(engine, tx, person, verb, person, from)
    await last(tx)
    return codes
  })
  engine.notifyCommit(new Set(['outbox']))
  return given
}
