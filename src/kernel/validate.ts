import { isEmail, LONGEST_EMAIL } from './email.ts'
import type { ViolationCode } from './error-codes.ts'
import { type Violation, violation } from './errors.ts'
import { type Field, type Fields, labelOf } from './fields.ts'

/** Characters that each kind holds, where a field says nothing else. */
export const LENGTHS: Partial<Record<Field['kind'], number>> = {
  text: 255,
  email: LONGEST_EMAIL,
  phone: 50,
  choice: 255,
  longText: 20_000,
  richText: 200_000,
}
const MESSAGES: Partial<Record<Field['kind'], string>> = {
  integer: 'Field required, please enter number',
  decimal: 'Field required, please enter number',
  choice: 'Field required, select an option',
  link: 'Field required, select an option',
  flag: 'Field required',
  date: 'Date Required, Please select a date',
  instant: 'Date Required, Please select a date',
  unixSeconds: 'Date Required, Please select a date',
}

/** The sentence for a missing value, word for word from the safety specification's section 5. */
export const requiredMessage = (f: Field): string =>
  typeof f.required === 'string' ? f.required : (MESSAGES[f.kind] ?? 'Field required, please enter text')

/** Numbers and booleans count as filled; empty strings, lists and objects do not. */
export const filled = (value: unknown): boolean =>
  typeof value === 'number' || typeof value === 'boolean'
    ? true
    : typeof value === 'string'
      ? value.trim() !== ''
      : value !== null && typeof value === 'object' && Object.keys(value).length > 0

/**
 * What is wrong with a record's values, field by field, in the declaration's order. Pure: the form shows the same
 * sentences that the server answers with.
 */
export function problems(fields: Fields, values: Readonly<Record<string, unknown>>): Violation[] {
  return Object.entries(fields).flatMap(([name, f]) => {
    const wrong = f.readonly ? undefined : problemWith(name, f, values[name])
    return wrong ? [violation(name, wrong[0], wrong[1])] : []
  })
}

/** Entries of a list of strings, and the characters of each. */
const MOST_STRINGS = 1000
const LONGEST_STRING = 255
const inWords = (n: number) => n.toLocaleString('en-GB')

/** The sentence for a text that is longer than its field holds. */
export function tooLong(name: string, f: Field, value: string): string | undefined {
  const longest = f.max ?? LENGTHS[f.kind]
  return longest !== undefined && value.length > longest
    ? `${labelOf(name, f)} can have at most ${inWords(longest)} characters; this has ${inWords(value.length)}`
    : undefined
}

type Wrong = readonly [message: string, code: ViolationCode]

function problemWith(name: string, f: Field, value: unknown): Wrong | undefined {
  if (!filled(value)) return f.required && f.kind !== 'flag' ? [requiredMessage(f), 'required'] : undefined
  if (typeof value === 'string') {
    const long = tooLong(name, f, value)
    if (long) return [long, 'too_long']
    if (f.kind !== 'longText' && f.kind !== 'richText' && f.kind !== 'link' && /[\r\n]/.test(value))
      return [`${labelOf(name, f)} must be on one line`, 'not_one_line']
    if (f.kind === 'email' && !isEmail(value) && value.toLowerCase() !== 'no')
      return ['Please enter an e-mail address such as name@company.co.uk', 'not_an_email']
    if (f.kind === 'choice' && !f.options?.some((o) => o.value === value))
      return ['Please select one of the options', 'not_an_option']
    if (f.pattern && !f.pattern.regex.test(value)) return [f.pattern.message, 'wrong_format']
  }
  if (f.kind === 'strings' && Array.isArray(value)) {
    if (value.length > MOST_STRINGS)
      return [`${labelOf(name, f)} can have at most ${inWords(MOST_STRINGS)} entries`, 'too_long']
    if (value.some((one) => String(one).length > LONGEST_STRING))
      return [`Each of ${labelOf(name, f)} can have at most ${LONGEST_STRING} characters`, 'too_long']
  }
  if (f.kind === 'strings' && f.options && Array.isArray(value)) {
    const odd = value.filter((one) => !f.options?.some((o) => o.value === one))
    if (odd.length) return [`These can't be chosen: ${odd.join(', ')}`, 'not_an_option']
  }
  if (typeof value === 'number' && f.kind !== 'link') {
    if (f.min !== undefined && value < f.min) return [`${labelOf(name, f)} must be at least ${f.min}`, 'too_small']
    if (f.max !== undefined && value > f.max) return [`${labelOf(name, f)} must be at most ${f.max}`, 'too_big']
  }
  return undefined
}
