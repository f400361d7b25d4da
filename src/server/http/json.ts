import { problem } from '#kernel/errors.ts'
import { sanitiseJson } from './clean.ts'

/** Decodes base64: `QWNtZQ==` → `Acme`. Returns the value unchanged if it is not readable text in base64. */
export function decodeBase64Text(s: string): string {
  const compact = s.replace(/\s/g, '+')
  if (!/^[A-Za-z0-9+/]{2,}={0,2}$/.test(compact) || compact.length % 4 !== 0) return s
  const bytes = Buffer.from(compact, 'base64')
  const text = bytes.toString('utf8')
  // The value was base64 if the decoded text is printable and encodes to the same value again.
  return bytes.toString('base64') === compact && !/[\p{Cc}\ufffd]/u.test(text) ? text : s
}

/** Maximum nesting of lists and objects, which limits recursion over a parsed body. */
const MAX_DEPTH = 120

/** Maximum number of values in all lists and objects, which is enough for the IDs in the largest bulk action. */
const MAX_VALUES = 100_000

/**
 * Parses JSON and makes its strings storable in the database. Throws 400 for invalid or too deeply nested JSON, and 413
 * for too many values. These limits bound the work that follows.
 */
export function parseJson(text: string): unknown {
  assertJsonLimits(text)
  try {
    return JSON.parse(sanitiseJson(text))
  } catch {
    throw problem.invalidJson('The body is not valid JSON.')
  }
}

/** Throws 400 for JSON that is nested too deeply, and 413 for too many values. */
export function assertJsonLimits(text: string): void {
  const beyond = measure(text)
  if (beyond === 'depth') throw problem.badRequest('The body is nested too deeply.')
  if (beyond === 'count') throw problem.tooLarge(`${MAX_VALUES.toLocaleString('en-GB')} values in a body`)
}

/** Formats a value as JSON with sorted keys. */
export function stringifyWithSortedKeys(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stringifyWithSortedKeys).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, one]) => `${JSON.stringify(key)}:${stringifyWithSortedKeys(one)}`).join(',')}}`
}

/** Returns the limit that the text exceeds, if any: nesting or number of values. Ignores characters within strings. */
function measure(text: string): 'depth' | 'count' | undefined {
  let depth = 0
  let count = 0
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (quoted) {
      if (c === BACKSLASH) i++
      else if (c === QUOTE) quoted = false
    } else if (c === QUOTE) quoted = true
    else if (c === LIST || c === OBJECT) {
      if (++depth > MAX_DEPTH) return 'depth'
    } else if (c === LIST_END || c === OBJECT_END) depth--
    else if (c === COMMA && ++count >= MAX_VALUES) return 'count'
  }
  return undefined
}

const COMMA = 0x2c
const QUOTE = 0x22
const BACKSLASH = 0x5c
const LIST = 0x5b
const LIST_END = 0x5d
const OBJECT = 0x7b
const OBJECT_END = 0x7d
