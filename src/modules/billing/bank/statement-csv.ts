import { hash } from 'node:crypto'
import { parse } from 'csv-parse/sync'
import { type Currency, formatMoney, parsePounds } from '#kernel/money.ts'
import { isCalendarDate } from '#kernel/time.ts'
import { MAX_PAYMENT_PENCE } from '../payments/charge.ts'
import type { UnreadableStatementLine } from './bank-line.ts'

/** Maximum number of lines per file. */
const MAX_LINES = 2000

export interface BankStatementLine {
  readonly day: string
  /** Pence; negative for payments out. */
  readonly amount: number
  readonly reference: string
  readonly payer: string
}

export interface ParsedBankStatement {
  readonly lines: readonly BankStatementLine[]
  readonly problems: readonly UnreadableStatementLine[]
}

/** Column headings that banks use. */
const HEADINGS = {
  day: /\bdate\b/i,
  amount: /^(amount|value|transaction amount)\b/i,
  credit: /\b(credit|paid in|money in)\b/i,
  debit: /\b(debit|paid out|money out)\b/i,
  reference: /\b(reference|memo|description|details|narrative|notes)\b/i,
  payer: /\b(counter ?party|payer|name|from)\b/i,
} as const
/** Words that mark other columns, such as the balance. A heading with one of these words must not match. */
const OTHERS = /\b(balance|account|sort ?code|type|currency|category)\b/i

interface Columns {
  readonly day: number
  readonly amount: number | undefined
  readonly credit: number | undefined
  readonly debit: number | undefined
  readonly reference: readonly number[]
  readonly payer: readonly number[]
}

function columnsOf(head: readonly string[]): Columns | undefined {
  const all = (heading: RegExp) =>
    head.flatMap((name, n) => (heading.test(name.trim()) && !OTHERS.test(name) ? [n] : []))
  const [day] = all(HEADINGS.day)
  const [amount] = all(HEADINGS.amount)
  const [credit] = all(HEADINGS.credit)
  const [debit] = all(HEADINGS.debit)
  if (day === undefined || (amount === undefined && credit === undefined)) return undefined
  return { day, amount, credit, debit, reference: all(HEADINGS.reference), payer: all(HEADINGS.payer) }
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/**
 * Parses a date with the day first, as in Britain, or in ISO format: `28/02/2026`, `28 Feb 26`, `2026-02-28`. Returns
 * undefined if it isn't a date.
 */
export function parseBankDate(text: string): string | undefined {
  const iso = /^(\d{4})-(\d\d)-(\d\d)(?:[T ].*)?$/.exec(text.trim())
  const uk = /^(\d{1,2})[/.\- ](\d{1,2}|[a-z]{3,9})[/.\- ](\d{4}|\d\d)$/i.exec(text.trim())
  const [y = '', m = '', d = ''] = iso ? iso.slice(1) : uk ? [uk[3], uk[2], uk[1]] : []
  const month = /^\d+$/.test(m) ? Number(m) : MONTHS.indexOf(m.slice(0, 3).toLowerCase()) + 1
  const day = `${y.length === 2 ? `20${y}` : y}-${String(month).padStart(2, '0')}-${d.padStart(2, '0')}`
  return isCalendarDate(day) ? day : undefined
}

/**
 * Parses an amount into pence: `£1,234.50`, `-12.00`, `(12.00)`, `12.00 CR`, `12.00 DR`. Returns undefined if it isn't
 * an amount.
 */
export function parseBankAmount(text: string): number | undefined {
  const [, open, bare = '', close, side] = /^(\()?([^()]*?)(\))?\s*(cr|dr)?$/i.exec(text.trim()) ?? []
  const amount = parsePounds(bare.replace(/[€$\uFFFD]/g, '').replace(/^\+/, ''))
  if (amount === undefined || !Number.isInteger(amount) || Boolean(open) !== Boolean(close)) return undefined
  return open || side?.toLowerCase() === 'dr' ? -amount : amount
}

/**
 * Parses a statement. Unreadable lines are skipped and reported. Throws an error if the file has no usable column
 * headings or too many lines.
 */
export function parseBankStatement(text: string, delimiter: string, today: string): ParsedBankStatement {
  const rows: string[][] = parse(text, {
    delimiter,
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
  })
  // The headings may not be in the first row, because some banks' files begin with the account's name and number.
  const at = rows.slice(0, 10).findIndex((row) => columnsOf(row))
  const columns = columnsOf(rows[at] ?? [])
  if (!columns)
    throw new Error(
      'No column headings found. A statement needs a column for the date and a column for the amount or for money in.',
    )
  const body = rows.slice(at + 1)
  if (body.length > MAX_LINES)
    throw new Error(`This file has ${body.length} lines. Import at most ${MAX_LINES} at a time.`)
  const lines: BankStatementLine[] = []
  const problems: UnreadableStatementLine[] = []
  for (const [n, row] of body.entries()) {
    const read = lineOf(row, columns, today)
    if (typeof read === 'string') problems.push({ line: at + n + 2, why: read })
    else lines.push(read)
  }
  return { lines, problems }
}

function lineOf(row: readonly string[], columns: Columns, today: string): BankStatementLine | string {
  const cell = (n: number | undefined) => (n === undefined ? '' : (row[n] ?? '').trim())
  const words = (of: readonly number[], most: number) =>
    [...new Set(of.map(cell).filter(Boolean))].join(' ').replace(/\s+/g, ' ').slice(0, most)
  const day = parseBankDate(cell(columns.day))
  if (!day) return `“${cell(columns.day).slice(0, 40)}” isn’t a valid date`
  if (day > today) return 'The date is in the future'
  const [given, sign] = cell(columns.amount)
    ? [cell(columns.amount), 1]
    : cell(columns.credit)
      ? [cell(columns.credit), 1]
      : [cell(columns.debit), -1]
  const amount = parseBankAmount(given)
  if (amount === undefined) return `“${given.slice(0, 40)}” isn’t a valid amount`
  if (Math.abs(amount) > MAX_PAYMENT_PENCE) return 'The amount is more than ten million'
  const out = sign < 0 ? -Math.abs(amount) : amount
  return { day, amount: out, reference: words(columns.reference, 500), payer: words(columns.payer, 255) }
}

/**
 * Returns a key for each line. Lines with the same day, amount and text are numbered, so that the same lines in another
 * file get the same keys.
 */
export function bankStatementLineKeys(lines: readonly BankStatementLine[], currency: Currency): string[] {
  const seen = new Map<string, number>()
  return lines.map(({ day, amount, reference, payer }) => {
    const same = JSON.stringify([currency, day, amount, reference.toLowerCase(), payer.toLowerCase()])
    const nth = (seen.get(same) ?? 0) + 1
    seen.set(same, nth)
    return hash('sha256', `${same} ${nth}`, 'base64url')
  })
}

/** An invoice awaiting payment. */
export interface OpenInvoice {
  readonly id: number
  readonly number: string
  readonly customer: number
  readonly currency: Currency
  readonly amountDue: number
}

/** A customer and the names under which they may pay. */
interface PayerNames {
  readonly id: number
  readonly names: readonly string[]
}

/** Probable match for a bank line. Only a `sure` match is proposed; for other lines, staff must choose. */
interface BankMatch {
  readonly customer: number | null
  readonly invoice: number | null
  readonly sure: boolean
  readonly why: string
}

/** Matches the digits of an invoice number after a prefix: `INV-00012`, `inv 12`, `invoice no. 12`. */
const NUMBERS = /\binv(?:oice)?s?(?:\s*(?:no|number))?[\s.:#-]*(\d{1,9})/gi
const numberOf = (number: string) => Number(/(\d+)$/.exec(number)?.[1] ?? Number.NaN)

const LEGAL = /\b(limited|ltd|plc|llp|cic|co|company|uk|the|and)\b/g
/** Normalises a company name: drops legal forms and punctuation. */
const plainName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .replace(LEGAL, ' ')
    .replace(/\s+/g, ' ')
    .trim()
/** Minimum length of a name for matching. Shorter names would match too many lines by chance. */
const SHORTEST = 4

/** Customers indexed by the first word of each of their names. */
type PayerIndex = ReadonlyMap<string, readonly { readonly id: number; readonly name: string }[]>

export function indexPayersByFirstWord(payers: readonly PayerNames[]): PayerIndex {
  const known = payers.flatMap(({ id, names }) =>
    [...new Set(names.map(plainName))].flatMap((name) => (name.length < SHORTEST ? [] : [{ id, name }])),
  )
  return Map.groupBy(known, ({ name }) => name.split(' ')[0] ?? '')
}

/** Returns the IDs of the customers named in a line; several if their names are alike. */
function named({ reference, payer }: BankStatementLine, payers: PayerIndex): number[] {
  const said = ` ${plainName(`${payer} ${reference}`)} `
  const found = said.split(' ').flatMap((word) => payers.get(word) ?? [])
  return [...new Set(found.filter(({ name }) => said.includes(` ${name} `)).map(({ id }) => id))]
}

const nothing = (why: string, customer: number | null = null): BankMatch => ({
  customer,
  invoice: null,
  sure: false,
  why,
})

/**
 * Finds the open invoice that a line pays, by invoice number or, if the named customer has only one open invoice for
 * this amount, by amount. If no invoice can be found, returns the customer, if known.
 */
export function matchBankLine(
  line: BankStatementLine & { readonly currency: Currency },
  open: readonly OpenInvoice[],
  payers: PayerIndex,
): BankMatch {
  const same = open.filter(({ currency }) => currency === line.currency)
  const said = new Set([...line.reference.matchAll(NUMBERS)].map(([, digits]) => Number(digits)))
  const byNumber = same.filter(({ number }) => said.has(numberOf(number)))
  const [one, ...others] = byNumber
  if (one && !others.length) {
    const { id: invoice, customer, number, amountDue, currency } = one
    if (line.amount === amountDue) return { customer, invoice, sure: true, why: 'Invoice number and amount match' }
    const due = formatMoney(amountDue, currency)
    if (line.amount < amountDue)
      return {
        customer,
        invoice,
        sure: true,
        why: `Invoice number matches, and the payment covers part of the ${due} due`,
      }
    return {
      customer,
      invoice,
      sure: false,
      why: `The reference quotes ${number}, but the payment is more than the ${due} due`,
    }
  }
  if (one) {
    const customers = new Set(byNumber.map(({ customer }) => customer))
    const numbers = byNumber.map(({ number }) => number).join(', ')
    return nothing(
      `The reference quotes ${numbers}. Record the payment to the customer’s account, then apply the credit`,
      customers.size === 1 ? one.customer : null,
    )
  }
  const customers = named(line, payers)
  const [customer] = customers
  if (customer === undefined) return nothing('')
  if (customers.length > 1) return nothing('Several customers have this name')
  const ofAmount = same.filter((of) => of.customer === customer && of.amountDue === line.amount)
  if (ofAmount.length > 1) return nothing('Several invoices of this customer match this amount', customer)
  const [fits] = ofAmount
  if (!fits) return nothing('Known customer, but none of their open invoices matches this amount', customer)
  return { customer, invoice: fits.id, sure: true, why: 'Customer and amount match' }
}
