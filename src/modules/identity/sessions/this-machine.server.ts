import { hostNameOf, isLoopback } from '#server/addresses.ts'
import type { RequestFacts } from '#server/engine/route.ts'

const FORWARDED = /^(forwarded|via|x-forwarded-.*|x-real-ip|x-original-.*|cf-connecting-ip|true-client-ip)$/

/**
 * Does somebody at this very machine ask, by its own name, and from the portal's own page or no page? A proxy that runs here
 * passes on what others ask from its own address, and a page of another site may have been opened here.
 */
export function isThisMachine({ address, host, headers }: Pick<RequestFacts, 'address' | 'host' | 'headers'>): boolean {
  const { origin } = headers
  return (
    isLoopback(address) &&
    !Object.keys(headers).some((name) => FORWARDED.test(name)) &&
    isLoopback(hostNameOf(host) ?? '') &&
    (origin === undefined || (typeof origin === 'string' && URL.parse(origin)?.host === host))
  )
}
