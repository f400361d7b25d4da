import { problem, violation } from '#kernel/errors.ts'
import { brandOf } from '#modules/portal/clients/brand.server.ts'
import { findPerson, type Person } from '#server/auth/accounts.ts'
import { type Account, lockAccount } from '#server/auth/credentials.ts'
import { isCompulsory } from '#server/auth/proof.ts'
import { sealerOf } from '#server/auth/sealing.ts'
import type { From } from '#server/auth/security-log.ts'
import { endWaysIn } from '#server/auth/ways-in.ts'
import type { Tx } from '#server/db/db.ts'
import type { Engine } from '#server/engine/types.ts'
import { dropRecoveryCodes, hasFactor, readFactors } from '#server/second-factor/factors.ts'
import {
  challengeIn,
  creationOptions,
  dropPasskey,
  findPasskeys,
  keepPasskey,
  readNewPasskey,
} from '#server/second-factor/passkeys.ts'
import { keepRecoveryCodes, makeRecoveryCodes } from '#server/second-factor/recovery-codes.ts'
import { NO_PASSKEYS, type RelyingParty } from '#server/second-factor/relying-party.ts'
import { issueTicket, takeTicket } from '#server/second-factor/tickets.ts'
import { appAddress, dropApp, keepApp, newSecret, stepOf } from '#server/second-factor/totp.ts'
import { type FactorChange, tellOfFactor } from './change.server.ts'

/** Steps performed in the same transaction as enrolment. */
export interface Along {
  readonly from: From
  /** Runs first, with the account locked; throws if the change is not allowed. */
  readonly first: (tx: Tx) => Promise<unknown>
  /** Runs last. */
  readonly last: (tx: Tx) => Promise<unknown>
}

const GONE = 'This took too long or was restarted elsewhere. Please start again.'

async function personOf(tx: Tx, account: Account): Promise<Person> {
  const person = await findPerson(tx, account)
  if (!person) throw problem.notFound()
  return person
}

/** Creates a secret for an authenticator app. It becomes active with its first code. */
export async function beginApp(engine: Engine, account: Account) {
  const { secret, sealed } = newSecret(sealerOf(engine.config), account)
  const brand = await brandOf(engine, account.clientId)
  return engine.db.tx('system', async (tx) => {
    const { username } = await personOf(tx, account)
    const enrolment = await issueTicket(tx, account, 'totp', { secret: sealed })
    return { enrolment, secret, address: appAddress(secret, brand, username) }
  })
}

/**
 * Activates an app with a valid code. The first factor comes with recovery codes. Throws 422 for a wrong code, 409 for
 * an expired secret.
 */
export async function confirmApp(
  engine: Engine,
  account: Account,
  { enrolment, code }: { readonly enrolment: string; readonly code: string },
  along: Along,
): Promise<string[]> {
  return keep(engine, account, 'factor-app', along, async (tx) => {
    const ticket = await takeTicket(tx, enrolment, 'totp', account)
    if (!ticket?.secret) throw problem.conflict(GONE)
    const step = stepOf(sealerOf(engine.config), account, ticket.secret, code)
    if (step === undefined)
      throw problem.invalid([violation('code', 'This is not the current code of the app. Please try the next one.')])
    await keepApp(tx, account, ticket.secret, step)
  })
}

/** Returns the options for creating a passkey. */
export async function beginPasskey(engine: Engine, account: Account, party: RelyingParty | undefined) {
  if (!party) throw problem.conflict(NO_PASSKEYS)
  const { person, held } = await engine.db.tx('system', async (tx) => ({
    person: await personOf(tx, account),
    held: await findPasskeys(tx, account),
  }))
  const { options, challenge } = await creationOptions(party, person, held)
  await engine.db.tx('system', (tx) => issueTicket(tx, account, 'register', { token: challenge }))
  return { options }
}

/** Saves a created passkey. Throws 422 if it does not answer one of our challenges. */
export async function confirmPasskey(
  engine: Engine,
  account: Account,
  { name, passkey }: { readonly name: string; readonly passkey?: unknown },
  party: RelyingParty | undefined,
  along: Along,
): Promise<string[]> {
  if (!party) throw problem.conflict(NO_PASSKEYS)
  const challenge = challengeIn(passkey)
  const made = await readNewPasskey(party, passkey, challenge)
  return keep(engine, account, 'factor-passkey', along, async (tx) => {
    if (!(await takeTicket(tx, challenge, 'register', account))) throw problem.conflict(GONE)
    await keepPasskey(tx, account, name.trim() || 'Passkey', made)
  })
}

/** Removes the authenticator app. Throws 404 if there is none, 409 if a factor must remain. */
export const removeApp = (engine: Engine, account: Account, along: Along): Promise<unknown> =>
  remove(engine, account, 'factor-app-removed', along, dropApp)

/** Removes a passkey. Throws 404 and 409 likewise. */
export const removePasskey = (engine: Engine, account: Account, id: number, along: Along): Promise<unknown> =>
  remove(engine, account, 'factor-passkey-removed', along, (tx) => dropPasskey(tx, account, id))

const remove = (
  engine: Engine,
  account: Account,
  verb: FactorChange,
  along: Along,
  drop: (tx: Tx, account: Account) => Promise<boolean>,
) =>
  keep(engine, account, verb, along, async (tx) => {
    if (!(await drop(tx, account))) throw problem.notFound()
    if (hasFactor(await readFactors(tx, account))) return
    if (isCompulsory(engine.config, account.clientId))
      throw problem.conflict('Your sign-in needs a second factor. Set up another one first.')
    await dropRecoveryCodes(tx, account)
  })

/** Replaces the recovery codes. */
export const renewRecoveryCodes = (engine: Engine, account: Account, along: Along): Promise<string[]> =>
  keep(engine, account, 'factor-codes', along, async (tx) => {
    if (!hasFactor(await readFactors(tx, account)))
      throw problem.conflict('Set up an authenticator app or a passkey first.')
  })

/**
 * Performs one change of a user's factors: serialised, recorded and notified by e-mail. Returns new recovery codes if
 * due.
 */
async function keep(
  engine: Engine,
  account: Account,
  verb: FactorChange,
  { from, first, last }: Along,
  change: (tx: Tx) => Promise<unknown>,
): Promise<string[]> {
  const given = await engine.db.tx('system', async (tx) => {
    await lockAccount(tx, account)
    await first(tx)
    const before = await readFactors(tx, account)
    await change(tx)
    if (!hasFactor(before)) await endWaysIn(tx, account, 'first-factor')
    const codes = verb === 'factor-codes' || !hasFactor(before) ? makeRecoveryCodes() : []
    if (codes.length) await keepRecoveryCodes(tx, account, codes)
    const person = await personOf(tx, account)
    await tellOfFactor(engine, tx, person, verb, person, from)
    await last(tx)
    return codes
  })
  engine.notifyCommit(new Set(['outbox']))
  return given
}
