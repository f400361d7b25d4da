import { groupsOf } from '#server/addresses.ts'

/** The network that an address stands for: an IPv4 address itself, of an IPv6 address the first 64 bits, which one household or server has. */
export const networkOf = (address: string): string =>
  address.includes(':')
    ? groupsOf(address)
        .slice(0, 4)
        .map((group) => group.toString(16))
        .join(':')
    : address
