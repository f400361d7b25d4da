import { isIP } from 'node:net'
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { problem, violation } from '#kernel/errors.ts'
import type { Account } from '#server/auth/credentials.ts'
import { createSecret } from '#server/auth/secret.ts'
import type { Config } from '#server/config.ts'
import type { Tx } from '#server/db/db.ts'

/** Identity to which passkeys are bound. They work at no other origin, so a phishing page can't use them. */
export interface RelyingParty {
  readonly id: string
  readonly origin: string
  readonly name: string
}

/** Error message for portals that can't use passkeys. */
export const PASSKEYS_UNAVAILABLE_MESSAGE =
  'Passkeys need the portal’s own web address. Ask your provider to set it with PUBLIC_URL.'

const LOCAL = /^localhost(:\d+)?$/

/**
 * Returns the portal's identity for passkeys: the host in PUBLIC_URL or, in development, `localhost`. `undefined` if
 * neither applies, because browsers create no passkeys for IP addresses, and other host names in requests are not
 * trusted.
 */
export function getRelyingParty(
  { publicUrl, provider }: Pick<Config, 'publicUrl' | 'provider'>,
  host: string,
): RelyingParty | undefined {
  const known = publicUrl === undefined ? undefined : new URL(publicUrl)
  if (known && !isIP(known.hostname.replace(/^\[|\]$/g, '')))
    return { id: known.hostname, origin: known.origin, name: provider }
  return LOCAL.test(host) ? { id: 'localhost', origin: `http://${host}`, name: provider } : undefined
}

/**
 * Loads the WebAuthn library when the first passkey is used. The library is large, because it parses certificates of
 * every kind.
 */
const webauthn = () => import('@simplewebauthn/server')

/** A stored passkey with the data that is needed to verify it. */
export interface StoredPasskey {
  readonly id: number
  readonly credential: string
  readonly publicKey: string
  readonly counter: number
  readonly transports: string[]
}

export const findPasskeys = (tx: Tx, { clientId, userId }: Account): Promise<StoredPasskey[]> =>
  tx.rows<StoredPasskey>(
    `SELECT id, credential, public_key AS "publicKey", counter, transports FROM passkey
     WHERE client_id = $1 AND user_id = $2 ORDER BY id`,
    [clientId, userId],
  )

const named = (passkeys: readonly StoredPasskey[]) =>
  passkeys.map((p) => ({ id: p.credential, transports: p.transports }))
const challengeOf = (token: string) => Buffer.from(token, 'base64url')

/** Returns the options with which a browser creates a passkey, and their challenge. */
export async function createPasskeyCreationOptions(
  party: RelyingParty,
  person: Account & { readonly username: string; readonly name: string },
  held: readonly StoredPasskey[],
): Promise<{ options: PublicKeyCredentialCreationOptionsJSON; challenge: string }> {
  const challenge = createSecret()
  const options = await (await webauthn()).generateRegistrationOptions({
    rpName: party.name,
    rpID: party.id,
    userName: person.username,
    userDisplayName: person.name,
    userID: new Uint8Array(Buffer.from(`${person.clientId}/${person.userId}`)),
    challenge: new Uint8Array(challengeOf(challenge)),
    attestationType: 'none',
    excludeCredentials: named(held),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  })
  return { options, challenge }
}

/** Returns the options with which a browser requests a passkey, and their challenge. */
export async function createPasskeyRequestOptions(
  party: RelyingParty,
  held: readonly StoredPasskey[],
): Promise<{ options: PublicKeyCredentialRequestOptionsJSON; challenge: string }> {
  const challenge = createSecret()
  const options = await (await webauthn()).generateAuthenticationOptions({
    rpID: party.id,
    allowCredentials: named(held),
    challenge: new Uint8Array(challengeOf(challenge)),
    userVerification: 'preferred',
  })
  return { options, challenge }
}

/**
 * Returns a browser's message if it is an object with a `response`, otherwise throws 422. The library validates
 * everything else.
 */
function shaped(sent: unknown): { response: { clientDataJSON: string } } {
  const response = isRecord(sent) ? sent.response : undefined
  if (isRecord(response) && typeof response.clientDataJSON === 'string')
    return { ...(sent as object), response: { ...response, clientDataJSON: response.clientDataJSON } }
  throw refused()
}
const isRecord = (v: unknown): v is Record<string, unknown> => typeof v === 'object' && v !== null && !Array.isArray(v)

const refused = () => problem.invalid([violation('passkey', 'This passkey could not be checked. Please try again.')])

/** Reads the challenge from a browser's response. Throws 422 if the response contains none. */
export function readPasskeyChallenge(sent: unknown): string {
  const { clientDataJSON } = shaped(sent).response
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8')) as Record<
      string,
      unknown
    >
    if (typeof challenge === 'string') return challenge
  } catch {}
  throw refused()
}

/** Verifies a new passkey that was created for a challenge. Throws 422 if it is not valid. */
export async function verifyNewPasskey(
  party: RelyingParty,
  sent: unknown,
  challenge: string,
): Promise<Omit<StoredPasskey, 'id'>> {
  const { verifyRegistrationResponse } = await webauthn()
  const { registrationInfo } = await verifyRegistrationResponse({
    response: shaped(sent) as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: false,
  }).catch(() => {
    throw refused()
  })
  if (!registrationInfo) throw refused()
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential
  return {
    credential: id,
    publicKey: Buffer.from(publicKey).toString('base64url'),
    counter,
    transports: [...transports],
  }
}

/**
 * Verifies a browser's response to a challenge. Returns the ID of the passkey that was used and its new usage counter;
 * `undefined` if the response is not valid for any of these passkeys.
 */
export async function verifyPasskey(
  party: RelyingParty,
  held: readonly StoredPasskey[],
  sent: unknown,
  challenge: string,
): Promise<{ readonly id: number; readonly counter: number } | undefined> {
  const response = shaped(sent) as AuthenticationResponseJSON
  const passkey = held.find((p) => p.credential === response.id)
  if (!passkey) return undefined
  const { verifyAuthenticationResponse } = await webauthn()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    credential: {
      id: passkey.credential,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
      counter: passkey.counter,
    },
    requireUserVerification: false,
  }).catch(() => ({ verified: false, authenticationInfo: { newCounter: 0 } }))
  return verified ? { id: passkey.id, counter: authenticationInfo.newCounter } : undefined
}

/**
 * Records the use of a passkey. Returns false if the passkey has been deleted or its counter has not increased. A
 * counter that is always 0 is accepted.
 */
export async function recordPasskeyUse(
  tx: Tx,
  { clientId, userId }: Account,
  { id, counter }: { readonly id: number; readonly counter: number },
): Promise<boolean> {
  const taken = await tx.rows(
    `UPDATE passkey SET counter = $4, used_at = now()
     WHERE client_id = $1 AND user_id = $2 AND id = $3 AND (counter < $4 OR (counter = 0 AND $4 = 0)) RETURNING 1`,
    [clientId, userId, id, counter],
  )
  return taken.length === 1
}

/** Saves a new passkey and returns its ID. Throws 422 if it exists already. */
export async function savePasskey(
  tx: Tx,
  { clientId, userId }: Account,
  name: string,
  { credential, publicKey, counter, transports }: Omit<StoredPasskey, 'id'>,
): Promise<number> {
  const [kept] = await tx.rows<{ id: number }>(
    `INSERT INTO passkey (client_id, user_id, name, credential, public_key, counter, transports)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (client_id, user_id, credential) DO NOTHING RETURNING id`,
    [clientId, userId, name, credential, publicKey, counter, transports],
  )
  if (!kept)
    throw problem.invalid([violation('passkey', 'This passkey has already been added. Please use another one.')])
  return kept.id
}

export const renamePasskey = (tx: Tx, { clientId, userId }: Account, id: number, name: string): Promise<unknown> =>
  tx.rows('UPDATE passkey SET name = $4 WHERE client_id = $1 AND user_id = $2 AND id = $3', [
    clientId,
    userId,
    id,
    name,
  ])

/** Deletes a passkey. Returns false if the account has no such passkey. */
export async function deletePasskey(tx: Tx, { clientId, userId }: Account, id: number): Promise<boolean> {
  const done = await tx.rows('DELETE FROM passkey WHERE client_id = $1 AND user_id = $2 AND id = $3 RETURNING 1', [
    clientId,
    userId,
    id,
  ])
  return done.length === 1
}
