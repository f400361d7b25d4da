import { randomBytes, timingSafeEqual } from 'node:crypto'
import { hashSecret } from './secret.ts'

/** Creates the secret of a link and the hash to store. */
export function createLinkSecret(): { readonly secret: string; readonly hash: string } {
  const secret = randomBytes(24).toString('base64url')
  return { secret, hash: hashSecret(secret) }
}

/** Formats the token at the end of a link's address: client id, link id and secret. */
export const formatLinkToken = (clientId: number, id: number, secret: string): string => `${clientId}-${id}-${secret}`

/** A link token as received. */
export interface ParsedLinkToken {
  readonly clientId: number
  readonly id: number
  /** True if the token's secret has this hash. */
  readonly fits: (hash: string) => boolean
}

/** Parses a link token; `undefined` if it is malformed. */
export function parseLinkToken(token = ''): ParsedLinkToken | undefined {
  const [, clientId, id, secret = ''] = /^(\d{1,9})-(\d{1,15})-([\w-]{32})$/.exec(token) ?? []
  if (!clientId || !id) return undefined
  const given = Buffer.from(hashSecret(secret))
  return {
    clientId: Number(clientId),
    id: Number(id),
    fits: (hash) => {
      const kept = Buffer.from(hash)
      return kept.length === given.length && timingSafeEqual(given, kept)
    },
  }
}
