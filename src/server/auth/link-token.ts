import { randomBytes, timingSafeEqual } from 'node:crypto'
import { digest } from './secret.ts'

/** The secret of a link, and what is kept of it. */
export function newLinkSecret(): { readonly secret: string; readonly hash: string } {
  const secret = randomBytes(24).toString('base64url')
  return { secret, hash: digest(secret) }
}

/** What stands at the end of a link's address: whose it is, which one, and its secret. */
export const linkToken = (clientId: number, id: number, secret: string): string => `${clientId}-${id}-${secret}`

/** A link as somebody brings it. */
export interface BroughtLink {
  readonly clientId: number
  readonly id: number
  /** Is its secret the one that this was kept of? */
  readonly fits: (hash: string) => boolean
}

/** What a token says; nothing for what is none. */
export function readLinkToken(token = ''): BroughtLink | undefined {
  const [, clientId, id, secret = ''] = /^(\d{1,9})-(\d{1,15})-([\w-]{32})$/.exec(token) ?? []
  if (!clientId || !id) return undefined
  const given = Buffer.from(digest(secret))
  return {
    clientId: Number(clientId),
    id: Number(id),
    fits: (hash) => {
      const kept = Buffer.from(hash)
      return kept.length === given.length && timingSafeEqual(given, kept)
    },
  }
}
