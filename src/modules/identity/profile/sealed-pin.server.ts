import { createECDH, hash } from 'node:crypto'
import { z } from 'zod'
import { type SecretSealer, secretSealerFor } from '#server/auth/sealing.ts'
import { readAcrossClients } from '#server/engine/tenant.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { openSigningPin, type SealedPinContent } from './signing-pin.ts'

/** Key pair whose public key browsers use to seal PINs. The public key is an uncompressed point in hexadecimal. */
interface PinKey {
  readonly publicKey: string
  readonly privateKey: Promise<CryptoKey>
}

/** Returns the key pairs derived from the portal's keys, the current one first. They are not stored. */
export const pinKeysOf = (sealer: SecretSealer): PinKey[] =>
  sealer.derive('signing PIN key').map((secret) => {
    // Below 2^255, so that the number is always a valid private key of the curve.
    secret[0] = (secret[0] ?? 0) & 0x7f
    const pair = createECDH('prime256v1')
    pair.setPrivateKey(secret)
    const point = pair.getPublicKey()
    const part = (from: number, to?: number) => point.subarray(from, to).toString('base64url')
    const jwk = { kty: 'EC', crv: 'P-256', d: secret.toString('base64url'), x: part(1, 33), y: part(33) }
    return {
      publicKey: point.toString('hex'),
      privateKey: crypto.subtle.importKey('jwk', jwk, { name: 'ECDH', namedCurve: 'P-256' }, false, ['deriveBits']),
    }
  })

const keysByConfig = new WeakMap<object, PinKey[]>()

function pinKeysFor({ config }: Pick<Engine, 'config'>): PinKey[] {
  const keys = keysByConfig.get(config) ?? pinKeysOf(secretSealerFor(config))
  keysByConfig.set(config, keys)
  return keys
}

/** Returns the public key with which browsers seal PINs, in hexadecimal. */
export const signingPinPublicKey = (engine: Pick<Engine, 'config'>): string => pinKeysFor(engine)[0]?.publicKey ?? ''

const sealedContent = z.object({
  pin: z.string().max(100),
  user: z.int().nullable(),
  name: z.string(),
  document: z.int(),
  record: z.int().nullable(),
  drawing: z.string(),
  at: z.iso.datetime(),
}) satisfies z.ZodType<SealedPinContent>

/** Opens a sealed PIN with any of the portal's keys. Returns undefined if it can't be opened or has other content. */
export async function readSealedPin(
  engine: Pick<Engine, 'config'>,
  sealed: string,
): Promise<SealedPinContent | undefined> {
  for (const { privateKey } of pinKeysFor(engine)) {
    const content = await openSigningPin(await privateKey, sealed)
    if (content !== undefined) return sealedContent.safeParse(content).data
  }
  return undefined
}

/**
 * Marks a sealed PIN as used. Returns false if it has been used before, with the same or the opposite point: both give
 * the same key, so only the rest of the text identifies the sealed PIN. Earlier uses are stored as the digest of the
 * whole text.
 */
export async function consumeSealedPin(c: Context, sealed: string): Promise<boolean> {
  const rest = sealed.slice(sealed.indexOf('.'))
  const digests = [sealed, rest].map((text) => hash('sha256', text, 'base64url'))
  const added = await readAcrossClients(c, (tx) =>
    tx.rows(
      'INSERT INTO signing_pin_use (client_id, digest) SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING RETURNING 1',
      [c.clientId, digests],
    ),
  )
  return added.length === digests.length
}
