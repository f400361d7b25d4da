import { timingSafeEqual } from 'node:crypto'
import { problem } from '#kernel/errors.ts'
import { createLinkSecret, hashSecret } from '../auth/secret.ts'
import type { Config } from '../config.ts'
import type { Engine, RecordReader } from './types.ts'

export const publicPageUrl = (
  { publicUrl, host, port }: Pick<Config, 'publicUrl' | 'host' | 'port'>,
  path: string,
): string => `${publicUrl ?? `http://${host}:${port}`}${path}`

/** Secret of a new link that works without signing in. Only its hash is stored. */
export interface NewSecretLink {
  readonly hash: string
  /** The secret itself, to be stored only if sealed. */
  readonly secret: string
  /** URL of the page that opens the link with this ID, for example `/quote/11-5-s3cr3t`. */
  readonly url: (page: string, clientId: number, id: number) => string
}

/** Returns the URL of the page that opens a link. */
export const secretLinkUrl = (
  config: Pick<Config, 'publicUrl' | 'host' | 'port'>,
  page: string,
  clientId: number,
  id: number,
  secret: string,
): string => publicPageUrl(config, `${page}/${clientId}-${id}-${secret}`)

/** Creates a link with a random secret. */
export function createSecretLink(config: Pick<Config, 'publicUrl' | 'host' | 'port'>): NewSecretLink {
  const secret = createLinkSecret()
  return {
    hash: hashSecret(secret),
    secret,
    url: (page, clientId, id) => secretLinkUrl(config, page, clientId, id, secret),
  }
}

/** Link that is identified by a token in a request. */
export interface RequestedLink {
  readonly clientId: number
  readonly id: number
  /** Checks in constant time whether the secret has this hash. */
  readonly hasHash: (hash: string) => boolean
}

function parseLinkToken(token = ''): RequestedLink | undefined {
  const [, clientId, id, secret = ''] = /^(0|[1-9]\d{0,8})-([1-9]\d{0,14})-([\w-]{32})$/.exec(token) ?? []
  if (!clientId || !id) return undefined
  const given = Buffer.from(hashSecret(secret))
  return {
    clientId: Number(clientId),
    id: Number(id),
    hasHash: (hash) => {
      const stored = Buffer.from(hash)
      return stored.length === given.length && timingSafeEqual(given, stored)
    },
  }
}

/**
 * Opens a link by the token at the end of its URL. `read` returns `undefined` if the stored link is missing or has
 * another hash. Throws the same 404 for a malformed, unknown or altered link, to give no hints for guessing links.
 */
export async function openSecretLink<T>(
  engine: Engine,
  token: string | undefined,
  reason: string,
  read: (c: RecordReader, link: RequestedLink) => Promise<T | undefined>,
): Promise<T> {
  const link = parseLinkToken(token)
  const opened = link && (await engine.readIn(link.clientId, reason, (c) => read(c, link)))
  if (opened === undefined)
    throw problem.notFound(
      'This link is incomplete or has been changed. Please open it from the e-mail again, or ask for a new one.',
    )
  return opened
}
