import { problem } from '#kernel/errors.ts'
import { cleanJson } from './clean.ts'

/** Lists and objects within each other. What is read by recursion after this has an end. */
const DEEPEST = 120

/** Values in lists and objects, all together: as many as a bulk action has ids. */
const MOST = 100_000

/**
 * The value of a JSON text, its strings as the database can hold them. Throws 400 for what is none, or is nested beyond reason, and
 * 413 for more values than anybody means: whatever is done to each of them, it has an end.
 */
export function parseJson(text: string): unknown {
  const beyond = measure(text)
  if (beyond === 'depth') throw problem.badRequest('The body is nested too deeply.')
  if (beyond === 'count') throw problem.tooLarge(`${MOST.toLocaleString('en-GB')} values in a body`)
  try {
    return JSON.parse(cleanJson(text))
  } catch {
    throw problem.invalidJson('The body is not valid JSON.')
  }
}

/** A JSON text of the value that is the same in whatever order its keys came. */
export function orderedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(orderedJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const said = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${said.map(([key, one]) => `${JSON.stringify(key)}:${orderedJson(one)}`).join(',')}}`
}

/** What there is more of than is sensible: lists and objects open at once, or values. What stands within strings doesn't count. */
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
      if (++depth > DEEPEST) return 'depth'
    } else if (c === LIST_END || c === OBJECT_END) depth--
    else if (c === COMMA && ++count >= MOST) return 'count'
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
