import { isIP } from 'node:net'

/** Whose word about the visitor is believed: nobody's, that of so many proxies in a row, or of those in these networks. */
export type Trust = false | number | readonly string[]

const NAMED = new Set(['loopback', 'linklocal', 'uniquelocal'])
const WORDS: Readonly<Record<string, Trust>> = {
  true: 1,
  yes: 1,
  on: 1,
  false: false,
  no: false,
  off: false,
  '0': false,
}

/**
 * Reads `TRUST_PROXY`: a number of hops (`true` is one), or networks separated by commas (`10.0.0.0/8, loopback`). Either way
 * addresses are counted from the right, where the last proxy writes; what a visitor sends stands on the left.
 * `undefined` for what is neither.
 */
export function readTrust(text: string): Trust | undefined {
  const word = WORDS[text.trim().toLowerCase()]
  if (word !== undefined) return word
  if (/^[1-9]\d?$/.test(text.trim())) return Number(text)
  const networks = text.split(',').map((n) => n.trim())
  return networks.every(isNetwork) ? networks : undefined
}

function isNetwork(text: string): boolean {
  if (NAMED.has(text)) return true
  const [address = '', bits, ...more] = text.split('/')
  const version = isIP(address)
  if (!version || more.length) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

/** Is this address, or name of a host, this machine itself? */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  return /^(localhost|::1|(::ffff:)?127(\.\d{1,3}){3})$/.test(bare)
}

/** The host of a `Host` header or an origin, without its port; nothing for what can't be read. */
export const hostNameOf = (text: string): string | undefined =>
  URL.parse(/^https?:\/\//.test(text) ? text : `http://${text}`)?.hostname
