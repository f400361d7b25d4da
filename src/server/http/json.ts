import { problem } from '#kernel/errors.ts'
import { cleanJson } from './clean.ts'

/** Lists and objects within each other. What is read by recursion after this has an end. */
const DEEPEST = 120

/** The value of a JSON text, its strings as the database can hold them. Throws 400 for what is none, or is nested beyond reason. */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) throw problem.badRequest('The body is nested too deeply.')
  try {
    return JSON.parse(cleanJson(text))
  } catch {
    throw problem.invalidJson('The body is not valid JSON.')
  }
}

/** Are more lists and objects open at once than is sensible? Brackets within strings don't count. */
function isTooDeep(text: string): boolean {
  let depth = 0
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (quoted) {
      if (c === BACKSLASH) i++
      else if (c === QUOTE) quoted = false
    } else if (c === QUOTE) quoted = true
    else if (c === LIST || c === OBJECT) {
      if (++depth > DEEPEST) return true
    } else if (c === LIST_END || c === OBJECT_END) depth--
  }
  return false
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const LIST = 0x5b
const LIST_END = 0x5d
const OBJECT = 0x7b
const OBJECT_END = 0x7d
