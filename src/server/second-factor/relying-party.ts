import { isIP } from 'node:net'
import type { Config } from '#server/config.ts'

/** Whom a passkey is for: it works at this origin only, whatever a forged page looks like. */
export interface RelyingParty {
  readonly id: string
  readonly origin: string
  readonly name: string
}

/** What is said where passkeys can't be. */
export const NO_PASSKEYS =
  'Passkeys need the portal’s own web address. Whoever runs the portal sets it with PUBLIC_URL.'

const LOCAL = /^localhost(:\d+)?$/

/**
 * The portal as passkeys know it: by the name in PUBLIC_URL, and on a desk as `localhost`. `undefined` where there is neither:
 * browsers make no passkeys for addresses of digits, and what a request says of its host is believed of no other name.
 */
export function relyingParty(
  { publicUrl, provider }: Pick<Config, 'publicUrl' | 'provider'>,
  host: string,
): RelyingParty | undefined {
  const known = publicUrl === undefined ? undefined : new URL(publicUrl)
  if (known && !isIP(known.hostname.replace(/^\[|\]$/g, '')))
    return { id: known.hostname, origin: known.origin, name: provider }
  return LOCAL.test(host) ? { id: 'localhost', origin: `http://${host}`, name: provider } : undefined
}
