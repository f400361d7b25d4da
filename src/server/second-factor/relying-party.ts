import { isIP } from 'node:net'
import type { Config } from '#server/config.ts'

/** Identity that passkeys are bound to: they work at no other origin, which defeats phishing pages. */
export interface RelyingParty {
  readonly id: string
  readonly origin: string
  readonly name: string
}

/** Message for portals that can't use passkeys. */
export const PASSKEYS_UNAVAILABLE_MESSAGE =
  'Passkeys need the portal’s own web address. Ask your provider to set it with PUBLIC_URL.'

const LOCAL = /^localhost(:\d+)?$/

/**
 * Returns the portal's identity for passkeys: the host of PUBLIC_URL, or `localhost` in development. `undefined` if
 * neither applies: browsers create no passkeys for IP addresses, and other host names in requests are not trusted.
 */
export function portalRelyingParty(
  { publicUrl, provider }: Pick<Config, 'publicUrl' | 'provider'>,
  host: string,
): RelyingParty | undefined {
  const known = publicUrl === undefined ? undefined : new URL(publicUrl)
  if (known && !isIP(known.hostname.replace(/^\[|\]$/g, '')))
    return { id: known.hostname, origin: known.origin, name: provider }
  return LOCAL.test(host) ? { id: 'localhost', origin: `http://${host}`, name: provider } : undefined
}
