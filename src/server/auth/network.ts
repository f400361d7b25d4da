/** The network that an address stands for: an IPv4 address itself, of an IPv6 address the first 64 bits, which one household or server has. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped) return mapped[1] as string
  if (!address.includes(':')) return address
  const [head = '', tail] = address.replace(/%.*/, '').split('::')
  const first = head ? head.split(':') : []
  const last = tail ? tail.split(':') : []
  const gap = tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0')
  return [...first, ...gap, ...last]
    .slice(0, 4)
    .map((part) => Number.parseInt(part, 16).toString(16))
    .join(':')
}
