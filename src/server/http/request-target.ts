import type { IncomingMessage } from 'node:http'
import { problem } from '#kernel/errors.ts'

const ABSOLUTE = /^https?:\/\/([^/?#]*)/i

/**
 * Returns the path and query from a request line. An absolute URL, as sent to a proxy, overrides the Host header (RFC
 * 9112). `OPTIONS *` concerns the server as a whole and is treated like a request for its home page.
 */
export function normaliseRequestTarget(request: Pick<IncomingMessage, 'url' | 'headers'>): string {
  const url = request.url ?? '/'
  if (url.startsWith('/')) return url
  if (url === '*') return '/'
  const [start, host] = ABSOLUTE.exec(url) ?? []
  if (start === undefined) return url
  request.headers.host = host
  const rest = url.slice(start.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** Throws 400 for a request with several Host headers, or with none. HTTP/1.0 requires no Host header. */
export function requireSingleHost({ rawHeaders, headers, httpVersion }: IncomingMessage): void {
  if (headers.host === undefined && httpVersion !== '1.0')
    throw problem.badRequest('The request must name its host in the Host header.')
  let count = 0
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const name = rawHeaders[n] as string
    if (name.length === 4 && name.toLowerCase() === 'host') count++
  }
  if (count > 1) throw problem.badRequest('The request names several hosts.')
}
