import type { ByteRange } from './port.ts'

/**
 * Parses a `Range` header with a single range (RFC 9110, section 14). `undefined`: the complete file is sent, because
 * there is no header, it has another unit or several ranges, or it is invalid. `none`: the range begins beyond the end
 * of the file.
 */
export function parseRangeHeader(header: string | undefined, total: number): ByteRange | 'none' | undefined {
  const m = /^bytes=\s*(\d*)-(\d*)\s*$/.exec(header ?? '')
  if (!m || (m[1] === '' && m[2] === '')) return undefined
  if (m[1] === '') {
    const last = Number(m[2])
    return last === 0 || total === 0 ? 'none' : { start: Math.max(0, total - last), end: total - 1 }
  }
  const start = Number(m[1])
  const end = m[2] === '' ? total - 1 : Math.min(Number(m[2]), total - 1)
  if (m[2] !== '' && Number(m[2]) < start) return undefined
  return start >= total ? 'none' : { start, end }
}
