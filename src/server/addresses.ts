import { isIP } from 'node:net'

/** Proxies that are trusted to pass on a visitor's IP address: none, a number of hops, or the given networks. */
export type ProxyTrust = false | number | readonly string[]

const NAMED = new Set(['loopback', 'linklocal', 'uniquelocal'])
const TRUST_WORDS: Readonly<Record<string, ProxyTrust>> = {
  true: 1,
  yes: 1,
  on: 1,
  false: false,
  no: false,
  off: false,
  '0': false,
}

/**
 * Parses `TRUST_PROXY`: a number of hops (`true` means one), or networks separated by commas (`10.0.0.0/8, loopback`).
 * Hops are counted from the right, where the last proxy appends its address; visitors can forge addresses on the left.
 * Returns `undefined` for any other text.
 */
export function parseProxyTrust(text: string): ProxyTrust | undefined {
  const word = TRUST_WORDS[text.trim().toLowerCase()]
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

/** Returns the eight groups of an IPv6 address. The last two groups may be written as an IPv4 address. */
export function parseIpv6Groups(address: string): readonly number[] {
  const read = (part: string | undefined) =>
    (part ? part.split(':') : []).flatMap((group) => {
      if (!group.includes('.')) return [Number.parseInt(group, 16)]
      const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
      return [a * 256 + b, c * 256 + d]
    })
  const [head, tail] = address.replace(/%.*/, '').split('::')
  const [first, last] = [read(head), read(tail)]
  const gap = tail === undefined ? 0 : Math.max(0, 8 - first.length - last.length)
  return [...first, ...Array.from({ length: gap }, () => 0), ...last]
}

/** Converts an IPv4-mapped IPv6 address to IPv4; any other address is unchanged. */
function unmapped(address: string): string {
  if (isIP(address) !== 6) return address
  const groups = parseIpv6Groups(address)
  const [high = 0, low = 0] = groups.slice(6)
  return groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
    ? [high >> 8, high & 255, low >> 8, low & 255].join('.')
    : address
}

/**
 * Parses an IP address as written by proxies, with or without a port or brackets (`198.51.100.7:4000`,
 * `[2001:db8::1]:4000`); `undefined` if invalid.
 */
export function parseProxyAddress(text: string): string | undefined {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(text)?.[1] ?? text
  return isIP(bare) ? unmapped(bare) : undefined
}

/** True if the IP address or host name refers to this machine. */
export function isLoopbackHost(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  return /^(localhost|::1|(::ffff:)?127(\.\d{1,3}){3})$/.test(bare)
}

/**
 * Returns the host name from a `Host` header or an origin, without its port; `undefined` if the text can't be parsed.
 */
export const hostNameOf = (text: string): string | undefined =>
  URL.parse(/^https?:\/\//.test(text) ? text : `http://${text}`)?.hostname
