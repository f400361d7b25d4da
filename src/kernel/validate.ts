import type { ViolationCode } from './error-codes.ts'
import { type Violation, violation } from './errors.ts'
import { type Field, type Fields, labelOf } from './fields.ts'
import { hasVisibleText } from './text.ts'

/** Maximum length of an e-mail address in characters (RFC 5321). */
export const MAX_EMAIL_LENGTH = 254

/**
 * True if the text looks like an e-mail address. Used for all inputs. The length is checked first, because the regular
 * expression takes quadratic time.
 */
export const isEmail = (text: string): boolean =>
  text.length <= MAX_EMAIL_LENGTH &&
  /^[^\s@<>()[\]\\,;:"]+@(?:[^\s@<>()[\]\\,;:".]+\.)+[^\s@<>()[\]\\,;:".]+$/.test(text) &&
  !UNSEEN_IN_EMAIL.test(text)

/** True if two e-mail addresses belong to one mailbox: they differ only in case, or in the part after a plus sign. */
export const isSameMailbox = (one: string, other: string): boolean => mailboxOf(one) === mailboxOf(other)

const mailboxOf = (email: string): string => email.toLowerCase().replace(/\+[^@]*(?=@)/, '')

/** Soft hyphens, zero-width characters and direction marks, which come with addresses copied from pages and e-mails. */
const UNSEEN_IN_EMAIL = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]/u

/**
 * Returns an e-mail address in the one form in which it is stored and compared, apart from capital letters: compatible
 * characters replaced (NFKC), invisible characters removed, an international domain name in ASCII (IDNA, RFC 5891), and
 * no dot after the domain (the DNS root).
 */
export function normaliseEmail(typed: string): string {
  const address = typed
    .slice(0, 4 * MAX_EMAIL_LENGTH)
    .normalize('NFKC')
    .replace(new RegExp(UNSEEN_IN_EMAIL, 'gu'), '')
    .trim()
    .replace(/([^.@])\.$/, '$1')
  const at = address.lastIndexOf('@') + 1
  const domain = address.slice(at)
  if (!at || !/[^ -~]/.test(domain) || /[\s/?#\\:]/.test(domain)) return address
  return URL.canParse(`http://${domain}`) ? address.slice(0, at) + new URL(`http://${domain}`).hostname : address
}

/** Returns an e-mail address in the form in which two addresses are compared. Mail services don't distinguish case. */
export const foldEmail = (address: string): string => normaliseEmail(address).toLowerCase()

/** Returns the e-mail addresses as written, without duplicates. */
export function listUniqueEmailAddresses(addresses: readonly string[]): string[] {
  const by = new Map<string, string>()
  for (const address of addresses) if (!by.has(foldEmail(address))) by.set(foldEmail(address), normaliseEmail(address))
  return [...by.values()]
}

/** Default maximum length by field kind, in characters. */
export const DEFAULT_MAX_LENGTHS: Partial<Record<Field['kind'], number>> = {
  text: 255,
  email: MAX_EMAIL_LENGTH,
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

/**
 * Returns the message for a missing value: the field's own message, or the one quoted from the safety specification,
 * section 5.
 */
export const requiredMessage = (f: Field): string =>
  typeof f.required === 'string' ? f.required : (MESSAGES[f.kind] ?? 'Field required, please enter text')

/** True for numbers, booleans, strings with a visible character, and non-empty lists and objects. */
export const isFilled = (value: unknown): boolean =>
  typeof value === 'number' || typeof value === 'boolean'
    ? true
    : typeof value === 'string'
      ? hasVisibleText(value)
      : value !== null && typeof value === 'object' && Object.keys(value).length > 0

/**
 * Returns the violations in a record's values, at most one for each field, in the order of the declaration. Pure, so
 * that forms show the same messages as the server.
 */
export function fieldViolations(fields: Fields, values: Readonly<Record<string, unknown>>): Violation[] {
  return Object.entries(fields).flatMap(([name, f]) => {
    const wrong = f.readonly ? undefined : problemWith(name, f, values[name])
    return wrong ? [violation(name, wrong[0], wrong[1])] : []
  })
}

/**
 * Default maximum number of entries in a list. `MAX_STRING_LENGTH` is the maximum length of each string in the list, in
 * characters.
 */
export const DEFAULT_MAX_LIST_ENTRIES = 1000
const MAX_STRING_LENGTH = 255
const inWords = (n: number) => n.toLocaleString('en-GB')

/** Returns the message for text that is longer than its field allows, otherwise `undefined`. */
export function fieldTooLongMessage(name: string, f: Field, value: string): string | undefined {
  const longest = f.max ?? DEFAULT_MAX_LENGTHS[f.kind]
  return longest === undefined ? undefined : textTooLongMessage(labelOf(name, f), longest, value)
}

/** Returns the message for text with more than `longest` characters, otherwise `undefined`. */
export const textTooLongMessage = (label: string, longest: number, value: string): string | undefined =>
  value.length > longest
    ? `${label} can have at most ${inWords(longest)} characters; this text has ${inWords(value.length)}`
    : undefined

/** Returns the message for a list with more entries than its field allows, otherwise `undefined`. */
export function tooManyEntriesMessage(name: string, f: Field, entries: number): string | undefined {
  const most = (f.kind === 'json' ? f.max : undefined) ?? DEFAULT_MAX_LIST_ENTRIES
  return entries > most
    ? `${labelOf(name, f)} can have at most ${inWords(most)} entries; this list has ${inWords(entries)}`
    : undefined
}

type Wrong = readonly [message: string, code: ViolationCode]
const NO_OPTION: Wrong = ['Please select one of the options', 'not_an_option']

/** Range of dates supported everywhere: by calculations, calendars, spreadsheets, e-mails and PDFs. */
const FIRST_DAY = '1900-01-01'
const LAST_DAY = '2999-12-31'
const FIRST_SECOND = Date.parse(`${FIRST_DAY}T00:00:00Z`) / 1000
const LAST_SECOND = Date.parse(`${LAST_DAY}T23:59:59Z`) / 1000

/**
 * Returns the problem with a date or time outside the supported range; `undefined` if the value is within the range.
 */
function tooFar(name: string, f: Field, value: unknown): Wrong | undefined {
  const [early, late] =
    f.kind === 'unixSeconds' && typeof value === 'number'
      ? [value < FIRST_SECOND, value > LAST_SECOND]
      : (f.kind === 'date' || f.kind === 'instant') && typeof value === 'string'
        ? [value.slice(0, 10) < FIRST_DAY, value.slice(0, 10) > LAST_DAY]
        : []
  if (early) return [`${labelOf(name, f)} must not be before the year 1900`, 'too_small']
  return late ? [`${labelOf(name, f)} must not be after the year 2999`, 'too_big'] : undefined
}

/**
 * Returns the problem with a value. An empty value is checked only for its length, for being required and, in a choice,
 * for being one of the options.
 */
function problemWith(name: string, f: Field, value: unknown): Wrong | undefined {
  const long = typeof value === 'string' ? fieldTooLongMessage(name, f, value) : undefined
  if (long) return [long, 'too_long']
  if (!isFilled(value)) {
    if (f.required && f.kind !== 'flag') return [requiredMessage(f), 'required']
    return f.kind === 'choice' && typeof value === 'string' ? NO_OPTION : undefined
  }
  if (typeof value === 'string') {
    if (f.kind !== 'longText' && f.kind !== 'richText' && f.kind !== 'link' && /[\r\n]/.test(value))
      return [`${labelOf(name, f)} must be on one line`, 'not_one_line']
    if (f.kind === 'email' && !isEmail(value) && value.toLowerCase() !== 'no')
      return ['Please enter an e-mail address such as name@company.co.uk', 'not_an_email']
    if (f.kind === 'choice' && !f.options?.some((o) => o.value === value)) return NO_OPTION
    if (f.pattern && !f.pattern.regex.test(value)) return [f.pattern.message, 'wrong_format']
  }
  if (f.kind === 'strings' && Array.isArray(value)) {
    const many = tooManyEntriesMessage(name, f, value.length)
    if (many) return [many, 'too_long']
    if (value.some((one) => String(one).length > MAX_STRING_LENGTH))
      return [`Each entry in ${labelOf(name, f)} can have at most ${MAX_STRING_LENGTH} characters`, 'too_long']
  }
  if (f.kind === 'strings' && f.options && Array.isArray(value)) {
    const odd = value.filter((one) => !f.options?.some((o) => o.value === one))
    if (odd.length) return [`Invalid options: ${odd.join(', ')}. Choose from the list.`, 'not_an_option']
  }
  const far = tooFar(name, f, value)
  if (far) return far
  if (typeof value === 'number' && f.kind !== 'link') {
    if (f.min !== undefined && value < f.min) return [`${labelOf(name, f)} must be at least ${f.min}`, 'too_small']
    if (f.max !== undefined && value > f.max) return [`${labelOf(name, f)} must be at most ${f.max}`, 'too_big']
  }
  return undefined
}
