import { CURRENCIES, type Currency } from '#kernel/money.ts'
import { formatInteger } from '#kernel/text.ts'
import { isCalendarDate } from '#kernel/time.ts'
import { MAX_PAYMENT_PENCE } from '../payments/charge.ts'
import type { LeftOutLines, UnreadableStatementLine } from './bank-line.ts'

/** Maximum number of lines per file. */
export const MAX_LINES = 20_000

export interface BankStatementLine {
  readonly day: string
  /** Pence; negative for payments out. */
  readonly amount: number
  readonly reference: string
  readonly payer: string
  /** Currency of the line, if the file states it. */
  readonly currency?: Currency
  /** ID that the bank gives to the payment in OFX or CAMT.053. */
  readonly bankId?: string
}

export interface ParsedBankStatement {
  readonly lines: readonly BankStatementLine[]
  readonly problems: readonly UnreadableStatementLine[]
  readonly leftOut?: readonly LeftOutLines[]
  /** Headings of a CSV file's columns, each unique. */
  readonly headings?: readonly string[]
}

/** A line as written in a file of any format. */
export interface RawBankLine {
  readonly day: string
  /** Amount with its sign. */
  readonly amount: string
  readonly isOut?: boolean | undefined
  readonly currency?: string | undefined
  readonly status?: string
  readonly reference: string
  readonly payer: string
  readonly bankId?: string | undefined
}

const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]
const TIME = String.raw`(?:[T,\s]+\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?:[.,]\d{1,9})?\s*(?:[ap]m)?\s*(?:Z|UTC|GMT|BST|[+-]\d\d:?\d\d)?)?$`
const WEEKDAY = String.raw`^(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6},?\s+)?`
const ISO_DATE = new RegExp(String.raw`^(\d{4})([-/.]?)(\d\d)\2(\d\d)${TIME}`, 'i')
const DAY_FIRST_DATE = new RegExp(
  String.raw`${WEEKDAY}(\d{1,2})(?:st|nd|rd|th)?(?:[/.\- ](\d{1,2})[/.\- ]|[/.\- ]?([a-z]{3,9})[/.,\- ]*)(\d{4}|\d\d)${TIME}`,
  'i',
)
const MONTH_NAME_FIRST_DATE = new RegExp(String.raw`${WEEKDAY}([a-z]{3,9})\.?\s+(\d{1,2}),?\s+(\d{4})${TIME}`, 'i')

/** Maximum length of a value that is a date or an amount. */
const MAX_VALUE_LENGTH = 60

function monthNumber(text: string): number {
  if (/^\d+$/.test(text)) return Number(text)
  return MONTHS.findIndex((month) => month.startsWith(text.toLowerCase().replace(/^sept$/, 'sep'))) + 1
}

/**
 * Parses a date with the day first, as in Britain, with the month's name, or in ISO format, with or without a time:
 * `28/02/2026`, `28 Feb 26 09:15`, `2026-02-28`, `20260228`. Returns undefined if it isn't a date.
 */
export function parseBankDate(text: string): string | undefined {
  const given = text.trim()
  if (given.length > MAX_VALUE_LENGTH) return undefined
  const [, isoYear, , isoMonth, isoDay] = ISO_DATE.exec(given) ?? []
  const [, ukDay, ukMonth, ukMonthName, ukYear] = DAY_FIRST_DATE.exec(given) ?? []
  const [, nameMonth, nameDay, nameYear] = MONTH_NAME_FIRST_DATE.exec(given) ?? []
  const [y = '', m = '', d = ''] = isoYear
    ? [isoYear, isoMonth, isoDay]
    : ukDay
      ? [ukYear, ukMonth ?? ukMonthName, ukDay]
      : [nameYear, nameMonth, nameDay]
  const month = String(monthNumber(m)).padStart(2, '0')
  const day = `${y.length === 2 ? `20${y}` : y}-${month}-${d.padStart(2, '0')}`
  return isCalendarDate(day) ? day : undefined
}

const SYMBOLS: Readonly<Record<string, string>> = {
  '£': 'GBP',
  '€': 'EUR',
  $: 'USD',
  US$: 'USD',
  '¥': 'JPY',
  '₹': 'INR',
  '₺': 'TRY',
  zł: 'PLN',
}
/** Written currency: a symbol or a code. U+FFFD is a symbol that was lost in a wrong encoding. */
const CURRENCY = String.raw`US\$|[£€$¥₹₺\uFFFD]|zł|(?!CR|DR)[A-Z]{3}(?![A-Z])`
const BEFORE_NUMBER = new RegExp(String.raw`^([+-]|CR|DR|${CURRENCY})\s*`)
const AFTER_NUMBER = new RegExp(String.raw`\s*([+-]|[cd]r?|C|D|CR|DR|${CURRENCY})$`)
const NUMBER = /^(?:(\d{1,3}(?:(?:,\d{3})+|(?: \d{3})+|(?:'\d{3})+)|\d{1,13})(?:\.(\d{1,2}))?|\.(\d\d))$/

const OUTGOING = /^(?:-|dr?|\()$/i

export interface BankAmount {
  /** Pence; negative for payments out. */
  readonly amount: number
  /** Code of the currency written beside the amount, which the portal may not support; `?` for an unreadable sign. */
  readonly currency?: string
}

/**
 * Parses an amount with its sign and currency: `£1,234.50`, `-12.00`, `12.00-`, `−12.00`, `(12.00)`, `12.00 CR`, `12.00
 * DR`, `€99.00`, `99.00 EUR`. Returns undefined if it isn't an amount or its signs contradict each other.
 */
export function parseBankAmount(text: string): BankAmount | undefined {
  if (text.length > MAX_VALUE_LENGTH) return undefined
  let rest = text
    .replace(/[\s\u00a0\u2007\u2009\u202f]+/g, ' ')
    .replace(/[\u2010-\u2014\u2212\ufe63\uff0d]/g, '-')
    .trim()
    .replace(/^'/, '')
  const signs: string[] = []
  const currencies: string[] = []
  for (let found: RegExpExecArray | null = null; ; rest = rest.replace(found[0], '').trim()) {
    const [, inside] = /^\((.*)\)$/.exec(rest) ?? []
    if (inside !== undefined) {
      signs.push('(')
      rest = inside.trim()
    }
    found = BEFORE_NUMBER.exec(rest)
    if (!found) break
    ;(/^(?:[+-]|CR|DR)$/.test(found[1] ?? '') ? signs : currencies).push(found[1] ?? '')
  }
  for (let found = AFTER_NUMBER.exec(rest); found; found = AFTER_NUMBER.exec(rest)) {
    ;(/^(?:[+-]|[cd]r?)$/i.test(found[1] ?? '') ? signs : currencies).push(found[1] ?? '')
    rest = rest.slice(0, found.index).trim()
  }
  const [, whole, part = '', pence = ''] = NUMBER.exec(rest) ?? []
  if (whole === undefined && !pence) return undefined
  const isOut = signs.map((sign) => OUTGOING.test(sign))
  if (new Set(isOut).size > 1 || new Set(signs).size < signs.length) return undefined
  const codes = new Set(currencies.map((one) => (one === '\ufffd' ? '?' : (SYMBOLS[one] ?? one))))
  if (codes.size > 1) return undefined
  const amount = Number(`${(whole ?? '').replace(/[, ']/g, '')}${pence || part.padEnd(2, '0')}`)
  const [currency] = codes
  return { amount: isOut[0] && amount ? -amount : amount, ...(currency ? { currency } : {}) }
}

/** Returns the currency code in a cell; undefined if there is none. */
export function parseCurrency(cell: string): string | undefined {
  const text = cell.trim().slice(0, MAX_VALUE_LENGTH)
  if (SYMBOLS[text]) return SYMBOLS[text]
  if (/^(?:british |uk )?(?:pounds?\b.*|sterling)$/i.test(text)) return 'GBP'
  if (/^euros?$/i.test(text)) return 'EUR'
  return /^[a-z]{3}$/i.exec(text)?.[0].toUpperCase()
}

/** Returns the code of the currency in a heading: `Amount (GBP)`, `Paid in £`; undefined if there is none. */
export function currencyOfHeading(heading: string): string | undefined {
  const [symbol, bracketed, bare] = /[£€$]|\(([A-Z]{3})\)|\b(GBP|EUR|USD)\b/.exec(heading) ?? []
  return bracketed ?? bare ?? (symbol && SYMBOLS[symbol])
}

const isSupportedCurrency = (code: string): code is Currency => (CURRENCIES as readonly string[]).includes(code)

/** Converts a decimal with any number of places, and a comma or a point, to the amounts of CSV files. */
export const plainDecimal = (text = ''): string =>
  text
    .trim()
    .replace(/,(\d*)$/, '.$1')
    .replace(/(\.\d\d)0+$/, '$1')
    .replace(/\.$/, '')

/** Returns text on one line, without control characters, cut to a length. */
export const bankText = (text: string, most: number): string =>
  text
    .slice(0, most * 4)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, most)
    .toWellFormed()

const COMPLETED =
  /^(completed?|settled|cleared|posted|booked|book|success(ful)?|succeeded|paid|executed|processed|done|reconciled|accepted|approved|ok)$/i
const PENDING =
  /^(pending|pdng|processing|in progress|authori[sz]ed|on hold|hold|held|scheduled|created|info|unsettled)$/i
const REVERTED =
  /^(reverted|reversed|declined|cancel+ed|failed|rejected|returned|refused|expired|voided?|unsuccessful)$/i

/**
 * Returns the parsed line, the reason for leaving it out, or the reason why it can't be read. Pending payments may never
 * be paid, so they are left out.
 */
function readBankLine(
  raw: RawBankLine,
  today: string,
): BankStatementLine | { readonly leftOut: string } | { readonly problem: string } {
  const status = raw.status?.trim() ?? ''
  if (PENDING.test(status) || /^pending$/i.test(raw.day)) return { leftOut: 'Pending' }
  if (REVERTED.test(status)) return { leftOut: 'Reverted, declined or cancelled' }
  if (status && !COMPLETED.test(status)) return { problem: `“${status.slice(0, 40)}” isn’t a known status` }
  const day = parseBankDate(raw.day)
  if (!day) return { problem: `“${raw.day.slice(0, 40)}” isn’t a valid date` }
  if (day > today) return { problem: 'The date is in the future' }
  const parsed = parseBankAmount(raw.amount)
  if (!parsed) return { problem: `“${raw.amount.slice(0, 40)}” isn’t a valid amount` }
  if (parsed.amount === 0) return { leftOut: 'Amount of zero' }
  if (Math.abs(parsed.amount) > MAX_PAYMENT_PENCE) return { problem: 'The amount is more than ten million' }
  const code = parsed.currency ?? (raw.currency || undefined)
  if (parsed.currency && raw.currency && parsed.currency !== raw.currency)
    return { problem: `The amount is in ${parsed.currency}, but the column for the currency states ${raw.currency}` }
  if (code === '?') return { problem: `The currency sign of “${raw.amount.slice(0, 40)}” can’t be read` }
  if (code !== undefined && !isSupportedCurrency(code)) return { problem: `Payments in ${code} can’t be recorded` }
  return {
    day,
    amount: raw.isOut ? -Math.abs(parsed.amount) : parsed.amount,
    reference: bankText(raw.reference, 500),
    payer: bankText(raw.payer, 255),
    ...(code ? { currency: code } : {}),
    ...(raw.bankId ? { bankId: bankText(raw.bankId, 200) } : {}),
  }
}

export function refuseTooManyLines(lines: number): void {
  if (lines > MAX_LINES)
    throw new Error(
      `This file has more than ${formatInteger(MAX_LINES)} lines. Download the statement for shorter periods and import one file after the other`,
    )
}

/**
 * Throws an error if the dates have the month first. Otherwise, only those with a day above 12 would be reported, and
 * the others would be imported with wrong dates.
 */
function refuseMonthsFirst(days: readonly string[]): void {
  const pairs = days.flatMap((day) => {
    const [, first, second] = /^\s*(\d{1,2})[/.-](\d{1,2})[/.-]\d/.exec(day) ?? []
    return first ? [{ day, first: Number(first), second: Number(second) }] : []
  })
  const found = pairs.find(({ first, second }) => first <= 12 && second > 12 && second <= 31)
  if (found && !pairs.some(({ first }) => first > 12))
    throw new Error(
      `The dates in this file have the month first, such as ${found.day.trim().slice(0, 20)}. Download the file with the day first`,
    )
}

/** Collects raw lines, with their line numbers, into a statement. Throws an error if there are too many. */
export function collectBankLines(
  raw: readonly (readonly [line: number, raw: RawBankLine | string])[],
  today: string,
): ParsedBankStatement {
  refuseTooManyLines(raw.length)
  refuseMonthsFirst(raw.flatMap(([, one]) => (typeof one === 'string' ? [] : [one.day])))
  const lines: BankStatementLine[] = []
  const problems: UnreadableStatementLine[] = []
  const leftOut = new Map<string, number>()
  for (const [line, one] of raw) {
    const read = typeof one === 'string' ? { problem: one } : readBankLine(one, today)
    if ('problem' in read) problems.push({ line, why: read.problem })
    else if ('leftOut' in read) leftOut.set(read.leftOut, (leftOut.get(read.leftOut) ?? 0) + 1)
    else lines.push(read)
  }
  return { lines, problems, leftOut: [...leftOut].map(([why, count]) => ({ why, lines: count })) }
}
