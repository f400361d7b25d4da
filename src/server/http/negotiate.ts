import { hash } from 'node:crypto'
import { problem } from '#kernel/errors.ts'
import { toUncompressedEtags } from './compression.ts'

export type ResponseFormat = 'application/ld+json' | 'application/json'
const SERVED: readonly ResponseFormat[] = ['application/ld+json', 'application/json']

/**
 * Returns the best format for an Accept header: the format with the highest quality or, among equals, the first in the
 * server's order. Throws 406 if no format is acceptable.
 */
export function negotiateFormat(accept: string | undefined): ResponseFormat {
  const best = pickFormat(accept)
  if (!best) throw problem.notAcceptable()
  return best
}

/**
 * Returns the best format for an Accept header; `undefined` if no format is acceptable. Does not throw, because an
 * error response is sent even if its format is not acceptable.
 */
export function pickFormat(accept: string | undefined): ResponseFormat | undefined {
  if (!accept || accept === '*/*' || accept === 'application/ld+json') return 'application/ld+json'
  const ranges = accept.split(',').flatMap((part) => {
    const [type = '', ...params] = part.split(';').map((s) => s.trim().toLowerCase())
    const q = params.find((p) => p.startsWith('q='))
    const quality = q ? Number(q.slice(2)) : 1
    return type ? [{ type, quality: Number.isFinite(quality) ? quality : 0 }] : []
  })
  let best: { format: ResponseFormat; quality: number } | undefined
  for (const format of SERVED) {
    // Applies the quality of the most specific range that matches.
    const quality = (
      ranges.find((r) => r.type === format) ??
      ranges.find((r) => r.type === 'application/*') ??
      ranges.find((r) => r.type === '*/*')
    )?.quality
    if (quality && (!best || quality > best.quality)) best = { format, quality }
  }
  return best?.format
}

export const etagOf = (text: string): string => `"${hash('sha1', text, 'base64url')}"`

/** True if the caller has cached this response, compressed or not. */
export const matchesCachedEtag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined && toUncompressedEtags(ifNoneMatch).some((tag) => tag === etag || tag === '*')
