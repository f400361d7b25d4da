import { parseIpv6Groups } from '#server/addresses.ts'

/**
 * Network of an address: an IPv4 address itself, or the first 64 bits of an IPv6 address, which a household or a server
 * has to itself.
 */
export const networkOfAddress = (address: string): string =>
  address.includes(':')
    ? parseIpv6Groups(address)
        .slice(0, 4)
        .map((group) => group.toString(16))
        .join(':')
    : address
