import { LONDON } from '#kernel/time.ts'
import { makePrintable } from './coverage.ts'
import { type RichTextNode, toRichTextNodes } from './rich-text.ts'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type Value = null | boolean | number | string | RichTextNode | readonly Value[] | { readonly [key: string]: Value }

const STARTS = [/^\x89PNG/, /^\xff\xd8\xff/, /^GIF8/, /^RIFF.{4}WEBP/s]

/** Names of fields that contain an instant, and the format of an instant. */
const WHEN = /^(at|on)$|(On|At|Due|Of)$/
const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:?\d\d)$/

/** `2026-06-12T14:05:00Z` → `2026-06-12T15:05`: London time. */
const londonTime = (instant: string): string =>
  Temporal.Instant.from(instant).toZonedDateTimeISO(LONDON).toPlainDateTime().toString({ smallestUnit: 'minute' })

function bytesOf(base64: string, alt: Json | undefined): Buffer {
  if (typeof alt !== 'string' || !alt.trim()) throw new Error('a picture has no alternative text')
  const bytes = Buffer.from(base64, 'base64')
  const start = bytes.toString('latin1', 0, 16)
  if (!STARTS.some((s) => s.test(start))) throw new Error('a picture is neither PNG, JPEG, GIF nor WebP')
  return bytes
}

/**
 * Converts data for a template. `{ html }` becomes `{ rich: nodes }`; `{ base64, … }` becomes `{ file: '/pictures/0', …
 * }` with its bytes in `pictures`; text is made printable; an instant in a field such as `at` or `approvedOn` becomes
 * London time. Other values are unchanged.
 */
export function toTemplateValues(data: Json): { value: Value; pictures: Buffer[] } {
  const pictures: Buffer[] = []
  const walk = (v: Json, name = ''): Value => {
    if (typeof v === 'string') return WHEN.test(name) && INSTANT.test(v) ? londonTime(v) : makePrintable(v)
    if (Array.isArray(v)) return v.map((x) => walk(x))
    if (v === null || typeof v !== 'object') return v
    if (typeof v.html === 'string') return { rich: toRichTextNodes(makePrintable(v.html)) }
    if (typeof v.base64 === 'string') {
      const { base64, ...rest } = v
      return { ...walkAll({ alt: null, ...rest }), file: `/pictures/${pictures.push(bytesOf(base64, v.alt)) - 1}` }
    }
    return walkAll(v)
  }
  const walkAll = (v: { readonly [name: string]: Json }) =>
    Object.fromEntries(Object.entries(v).map(([k, x]) => [k, walk(x, k)]))
  return { value: walk(data), pictures }
}
