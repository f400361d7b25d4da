import { isIP } from 'node:net'
import type { Config } from '#server/config.ts'

/** The origin that passkeys belong to: they work nowhere else, which defeats phishing pages. */
export interface RelyingParty {
  readonly id: string
  readonly origin: string
  readonly name: string
}

/** Message where passkeys are unavailable. */
export const PASSKEYS_UNAVAILABLE_MESSAGE =
  'Passkeys need the portal’s own web address. Ask your provider to set it with PUBLIC_URL.'

const LOCAL = /^localhost(:\d+)?$/

/**
 * The portal's identity for passkeys: the host of PUBLIC_URL, or `localhost` in development. `undefined` if there is
 * neither: browsers create no passkeys for IP addresses, and no other host name in a request is trusted.
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
