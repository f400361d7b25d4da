import { type CsvError, parse } from 'csv-parse/sync'
import type { StatementColumn, StatementMapping } from './bank-line.ts'
import {
  bankText,
  collectBankLines,
  currencyOfHeading,
  MAX_LINES,
  type ParsedBankStatement,
  parseBankAmount,
  parseBankDate,
  parseCurrency,
  type RawBankLine,
  refuseTooManyLines,
} from './statement-lines.ts'

/** Error for a file with unknown columns. It contains the data from which the user can map them. */
export class StatementColumnsError extends Error {
  readonly columns: CsvColumns
  constructor(message: string, columns: CsvColumns) {
    super(message)
    this.columns = columns
  }
}

export interface CsvColumns {
  readonly headings: readonly string[]
  /** The first rows below the headings. */
  readonly sample: readonly (readonly string[])[]
  /** The values of each column with only a few different ones. */
  readonly values: Readonly<Record<string, readonly string[]>>
  /** The proposed mapping. */
  readonly mapping: StatementMapping
  /** Reason why the proposed mapping can't be used; undefined if it can. */
  readonly reason?: string
}

/** Kind of a column by its heading. Columns of any other kind can only be mapped by hand. */
type ColumnKind = StatementColumn | 'payee' | 'type' | 'balance' | 'other' | undefined

const TEXT =
  '(?:references?|ref|memo|descriptions?|details?|narratives?|narration|notes?|label|particulars|text|transaction|message|remarks?|purpose|information|comments?)'
/** Kinds of columns by their headings. The first match applies. */
const HEADINGS: readonly (readonly [RegExp, ColumnKind])[] = [
  [/^(?:transaction |payment )?(?:status|state)$/, 'status'],
  [/^(?:transaction |payment |account |posted |amount )?(?:currency|ccy)(?: code)?$/, 'currency'],
  [/\bbalance\b/, 'balance'],
  [/\bdate\b|^(?:posted|completed|timestamp|day)$/, 'day'],
  [
    /\b(?:account|acct|sort ?code|category|currency|exchange|fees?|local|orig(?:in(?:al)?)?|iban|bic|swift|card|id|time|time ?zone|rate|e-?mail)\b/,
    'other',
  ],
  [
    /\b(?:debit|dr|d)\b[^a-z]*(?:or\b|and\b)?[^a-z]*\b(?:credit|cr|c)\b|\b(?:credit|cr|c)\b[^a-z]*(?:or\b|and\b)?[^a-z]*\b(?:debit|dr|d)\b|\b(?:crdr|drcr|direction|indicator)\b|\bin ?[/&] ?out\b|^sign$|^\+ ?\/ ?-$/,
    'direction',
  ],
  [/\b(?:credits?|(?:paid|money|payments?|amount) in|deposits?|receipts?)\b|^(?:in|cr)$/, 'paidIn'],
  [/\b(?:debits?|(?:paid|money|payments?|amount) out|withdrawals?|withdrawn)\b|^(?:out|dr)$/, 'paidOut'],
  [/^(?:transaction |payment |net |gross |total )?(?:amount|value)\b|^(?:gross|net|sum)$/, 'amount'],
  [/\btype\b|^(?:transaction )?code$/, 'type'],
  [/\b(?:payee|beneficiary)\b|^to$/, 'payee'],
  [/\b(?:counter ?party|payer|name|from|merchant|sender|remitter|debtor)\b/, 'payer'],
  [new RegExp(String.raw`\b${TEXT}\b|^${TEXT} ?#?\d+$`), 'reference'],
]
const kindOfHeading = (heading: string): ColumnKind => {
  const plain = heading
    .slice(0, 100)
    .toLowerCase()
    .replace(/\(?(?:[£€$]|\b(?:gbp|eur|usd)\b)\)?/g, ' ')
    .replace(/[_\s]+/g, ' ')
    .trim()
  return HEADINGS.find(([pattern]) => pattern.test(plain))?.[1]
}

const IN =
  /^(?:\+|cr?|crdt|cred(?:it(?:s|ed)?)?|in|incoming|inward|inbound|deposit|received|receipt|(?:bank |direct |account )?credit|(?:paid|money|payments?|faster payments?|transfer) in)$/
const OUT =
  /^(?:-|dr?|db|dbit|deb(?:it(?:s|ed)?)?|out|outgoing|outward|outbound|withdrawal|withdrawn|sent|spent|(?:paid|money|payments?|faster payments?|transfer) out)$/
/** Returns whether a word means money out; undefined if it states no direction. */
function isOutWord(word: string, mapping: StatementMapping): boolean | undefined {
  const plain = word
    .trim()
    .toLowerCase()
    .replace(/\u2212/g, '-')
    .replace(/\.$/, '')
  const isIn = (words: readonly string[] = []) =>
    words.some((one) => one.trim().toLowerCase() === word.trim().toLowerCase())
  if (isIn(mapping.moneyOut)) return true
  if (isIn(mapping.moneyIn)) return false
  return OUT.test(plain) ? true : IN.test(plain) ? false : undefined
}

/** Maximum number of rows above the headings. Some banks' files begin with the account's name and number. */
const MAX_ROWS_ABOVE = 20
/** Maximum length of a row. A longer row indicates an unclosed quotation mark. */
const MAX_ROW_LENGTH = 256 * 1024

const MAX_COLUMNS = 60

interface CsvRow {
  readonly cells: readonly string[]
  readonly line: number
}

function readRows(text: string, delimiter: string): CsvRow[] {
  if (text.split(delimiter).length > MAX_LINES * MAX_COLUMNS)
    throw new Error('This file has too many columns. Check that it is a bank statement')
  try {
    const rows = parse(text, {
      delimiter,
      to: MAX_LINES + MAX_ROWS_ABOVE + 2,
      max_record_size: MAX_ROW_LENGTH,
      bom: true,
      info: true,
      trim: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
    }) as unknown as readonly { record: string[]; info: { lines: number } }[]
    return rows.map(({ record, info }) => ({ cells: record, line: info.lines }))
  } catch (e) {
    if ((e as CsvError).code === 'CSV_QUOTE_NOT_CLOSED')
      throw new Error('This isn’t a valid CSV file: a quotation mark is never closed')
    throw new Error('This isn’t a valid CSV file: a line is too long, or a quotation mark is never closed')
  }
}

/** Returns the headings as written, each unique: a blank heading gets a number, and a repeated heading a suffix. */
function uniqueHeadings(cells: readonly string[]): string[] {
  const names = new Set<string>()
  for (const [n, cell] of cells.slice(0, MAX_COLUMNS).entries()) {
    const base = bankText(cell, 100) || `Column ${n + 1}`
    let name = base
    for (let i = 2; names.has(name); i++) name = `${base} (${i})`
    names.add(name)
  }
  return [...names]
}

const isUsable = (columns: Iterable<ColumnKind>): boolean => {
  const kinds = new Set(columns)
  return kinds.has('day') && (kinds.has('amount') || kinds.has('paidIn'))
}
const isValue = (cell: string) => parseBankDate(cell) !== undefined || parseBankAmount(cell) !== undefined
const hasNoValue = (row: CsvRow | undefined) => row !== undefined && !row.cells.some(isValue)
const isData = ({ cells }: CsvRow) =>
  cells.some((cell) => parseBankDate(cell) !== undefined) && cells.some((cell) => parseBankAmount(cell)?.amount)

/** Returns the most frequent number of cells; the smaller one of two that are equally frequent. */
function mostFrequentWidth(rows: readonly CsvRow[]): number {
  const byWidth = [...Map.groupBy(rows, ({ cells }) => cells.length)]
  const [most] = byWidth.toSorted(([a, of], [b, other]) => other.length - of.length || a - b)
  return most?.[0] ?? 0
}

interface CsvTable {
  readonly headings: string[]
  readonly body: readonly CsvRow[]
  /** Number of cells that a row can have. */
  readonly maxCells: number
}

/** Splits a file into its headings and the rows below. A file without headings gets numbers as headings. */
function splitHeadings(rows: readonly CsvRow[]): CsvTable {
  const top = rows.slice(0, MAX_ROWS_ABOVE)
  const usable = top.findIndex((row) => isUsable(row.cells.map(kindOfHeading)) && hasNoValue(row))
  const firstData = top.findIndex(isData)
  const aboveData = hasNoValue(top[firstData - 1]) ? firstData - 1 : -1
  const at = usable >= 0 ? usable : firstData >= 0 ? aboveData : 0
  const body = rows.slice(at + 1)
  const width = Math.min(MAX_COLUMNS, Math.max(...top.map(({ cells }) => cells.length), 0))
  const cells = rows[at]?.cells ?? []
  const maxCells = cells.length || mostFrequentWidth(body)
  return { headings: uniqueHeadings(Array.from({ length: width }, (_, n) => cells[n] ?? '')), body, maxCells }
}

const quoted = (words: readonly string[]) => words.map((word) => `“${word}”`).join(', ')
/** Maximum number of different values in a column that may state a direction. */
const MAX_DIRECTION_WORDS = 3

/**
 * Compares each amount with the change of the balance. `contradicts` means that the balance falls by an amount that
 * would be imported as money in, or rises by one that would be money out.
 */
function compareWithBalance(
  body: readonly CsvRow[],
  amount: number,
  balance: number,
): 'agrees' | 'contradicts' | 'unclear' {
  const rows = body.map(({ cells }) => [amount, balance].map((n) => parseBankAmount(cells[n] ?? '')?.amount))
  const orders = [rows, rows.toReversed()].map((ordered) => {
    let [agreeing, contradicting] = [0, 0]
    for (const [n, [paid, after]] of ordered.entries()) {
      const before = ordered[n - 1]?.[1]
      if (!paid || before === undefined || after === undefined) continue
      if (after - before === paid) agreeing++
      else if (after - before === -paid) contradicting++
    }
    return { agreeing, contradicting }
  })
  const [best] = orders.toSorted((a, b) => b.agreeing + b.contradicting - a.agreeing - a.contradicting)
  if (!best?.agreeing && !best?.contradicting) return 'unclear'
  return best.contradicting > 0 ? 'contradicts' : 'agrees'
}

/**
 * Guesses the mapping of a file's columns. Returns a reason if the columns are unknown, or if money out could be taken
 * for money in.
 */
function guessMapping(
  headings: readonly string[],
  body: readonly CsvRow[],
): { mapping: StatementMapping; reason?: string } {
  const kinds = headings.map(kindOfHeading)
  const different = headings.map((_, n) => [...new Set(body.flatMap(({ cells }) => cells[n] || []))])
  const valuesOf = (n: number) => different[n] ?? []
  for (const [n, kind] of kinds.entries())
    if (kind === 'direction' && valuesOf(n).every((v) => parseBankAmount(v) !== undefined))
      kinds[n] = valuesOf(n).length ? 'amount' : 'other'
  const all = (kind: ColumnKind) => kinds.flatMap((k, n) => (k === kind ? [n] : []))
  const isFound = isUsable(kinds)
  // A mapping proposed to the user may also be based on the values.
  for (const [kind, parseValue] of [
    ['day', parseBankDate],
    ['amount', parseBankAmount],
  ] as const) {
    const areAll = (n: number) => valuesOf(n).length > 0 && valuesOf(n).every((v) => parseValue(v) !== undefined)
    const n = all(kind).length || (kind === 'amount' && all('paidIn').length) ? undefined : all(undefined).find(areAll)
    if (n !== undefined) kinds[n] = kind
  }
  const columns: Record<string, StatementColumn> = {}
  const map = (of: readonly (number | undefined)[], column: StatementColumn) => {
    for (const n of of) if (n !== undefined) columns[headings[n] as string] = column
  }
  const days = all('day').toSorted((a, b) => rankOfDate(headings[a] ?? '') - rankOfDate(headings[b] ?? ''))
  const [amount] = all('amount')
  map(days.slice(0, 1), 'day')
  map([amount], 'amount')
  for (const kind of ['paidIn', 'paidOut'] as const) if (amount === undefined) map(all(kind).slice(0, 1), kind)
  for (const kind of ['status', 'currency'] as const) map(all(kind).slice(0, 1), kind)
  map(all('payer').length ? all('payer') : all('payee'), 'payer')
  map(all('reference'), 'reference')
  const direction = amount === undefined ? undefined : guessDirection(kinds, headings, body, valuesOf)
  map([direction?.column], 'direction')
  const mapped = new Set(Object.values(columns))
  const isText = (v: string) => /\p{L}{3}/u.test(v) && !isValue(v)
  if (!mapped.has('payer') || !mapped.has('reference'))
    map(
      all(undefined).filter((n) => n !== direction?.column && valuesOf(n).some(isText)),
      'reference',
    )
  const reason = isFound
    ? direction?.reason
    : 'The columns for the date and the amount were not found. A statement needs a column for the date and a column for the amount or for money in.'
  return { mapping: { columns }, ...(reason ? { reason } : {}) }
}

/** Ranks dates: the date of completion first, because pending payments have none; the value date last. */
const rankOfDate = (heading: string) => (/complete|settle|posted/i.test(heading) ? 0 : /value/i.test(heading) ? 2 : 1)

/**
 * Finds the column that states whether an amount is money in or out. Returns a reason if a column may do so but has
 * unknown words, or if the balance contradicts the amounts.
 */
function guessDirection(
  kinds: readonly ColumnKind[],
  headings: readonly string[],
  body: readonly CsvRow[],
  valuesOf: (n: number) => readonly string[],
): { column?: number; reason?: string } {
  const amount = kinds.indexOf('amount')
  const statesDirection = (v: string) => isOutWord(v, { columns: {} }) !== undefined
  const isDirection = (n: number) => valuesOf(n).length > 0 && valuesOf(n).every(statesDirection)
  const notUnderstood = (n: number) => ({
    column: n,
    reason: `The column “${headings[n]}” may state which payments are money out, but its words are not understood: ${quoted(valuesOf(n).slice(0, 4))}. Choose the columns yourself, so that money out is not imported as money in.`,
  })
  const named = kinds.indexOf('direction')
  if (named >= 0) return isDirection(named) ? { column: named } : notUnderstood(named)
  const balance = kinds.indexOf('balance')
  const byBalance = balance < 0 ? 'unclear' : compareWithBalance(body, amount, balance)
  if (byBalance === 'agrees') return {}
  const spare = kinds.flatMap((kind, n) => (kind === undefined || kind === 'type' ? [n] : []))
  const isSigned = valuesOf(amount).some((v) => (parseBankAmount(v)?.amount ?? 0) < 0)
  if (!isSigned) {
    const found = spare.find(isDirection)
    if (found !== undefined) return { column: found }
    const hasText = kinds.some((kind) => kind === 'payer' || kind === 'reference')
    const unclear = spare.find((n) => {
      const values = valuesOf(n)
      if (values.length < 20 && values.some(statesDirection)) return true
      const most = hasText || kinds[n] === 'type' ? 12 : 3
      const areShort = values.every((v) => v.length <= most && /^[\p{L}/+.-]+$/u.test(v))
      return areShort && values.length > 1 && values.length <= MAX_DIRECTION_WORDS
    })
    if (unclear !== undefined) return notUnderstood(unclear)
  }
  if (byBalance === 'contradicts')
    return {
      reason:
        'The balance shows that some amounts without a minus sign are money out. Download the statement with signs, or with separate columns for money in and money out.',
    }
  return {}
}

const SAMPLE_ROWS = 5

/**
 * Parses a CSV file. Unreadable lines are skipped and reported. `mappingOf` returns a mapping that the user has chosen
 * for these headings; without one, the mapping is guessed. Throws an error if the file can't be read, and a
 * StatementColumnsError if its columns are unknown.
 */
export function parseBankStatement(
  text: string,
  delimiter: string,
  today: string,
  mappingOf: (columns: CsvColumns) => StatementMapping | undefined = () => undefined,
): ParsedBankStatement {
  const { headings, body, maxCells } = splitHeadings(readRows(text, delimiter))
  refuseTooManyLines(body.length)
  const guess = guessMapping(headings, body)
  const few = headings.flatMap((heading, n) => {
    const values = [...new Set(body.flatMap(({ cells }) => cells[n]?.slice(0, 40) || []))]
    return values.length > 0 && values.length <= 5 ? [[heading, values] as const] : []
  })
  const words = [...new Set(few.flatMap(([, values]) => values))]
  const columns: CsvColumns = {
    headings,
    sample: body.slice(0, SAMPLE_ROWS).map(({ cells }) => headings.map((_, n) => bankText(cells[n] ?? '', 100))),
    values: Object.fromEntries(few),
    ...guess,
    mapping: {
      ...guess.mapping,
      moneyIn: words.filter((word) => isOutWord(word, guess.mapping) === false),
      moneyOut: words.filter((word) => isOutWord(word, guess.mapping)),
    },
  }
  const chosen = mappingOf(columns)
  if (!chosen && guess.reason) throw new StatementColumnsError(guess.reason, columns)
  const mapping = chosen ?? guess.mapping
  const reader = rowReader(headings, mapping)
  return {
    ...collectBankLines(
      body.map(({ cells, line }) => [line, extraCellsProblem(cells, maxCells) ?? reader(cells)]),
      today,
    ),
    headings,
  }
}

/**
 * Returns the error for a row with filled cells beyond its columns: its amount may be split at a thousands separator.
 */
const extraCellsProblem = (cells: readonly string[], maxCells: number): string | undefined =>
  cells.slice(maxCells).some(Boolean)
    ? `The row has ${cells.length} values for ${maxCells} columns. Put a value that contains the separator, such as 1,144.01, in quotation marks`
    : undefined

/** Returns a function that reads a row into a raw line, or into the reason why it can't be read. */
function rowReader(headings: readonly string[], mapping: StatementMapping) {
  const all = (column: StatementColumn) =>
    headings.flatMap((heading, n) => (mapping.columns[heading] === column ? [n] : []))
  const [[day], [amount], [paidIn], [paidOut], [direction], [currency], [status]] = (
    ['day', 'amount', 'paidIn', 'paidOut', 'direction', 'currency', 'status'] as const
  ).map(all) as [number[], number[], number[], number[], number[], number[], number[]]
  const [references, payers] = [all('reference'), all('payer')]
  return (cells: readonly string[]): RawBankLine | string => {
    const cell = (n: number | undefined) => (n === undefined ? '' : (cells[n] ?? '').trim())
    const words = (of: readonly number[]) => [...new Set(of.map(cell).filter(Boolean))].join(' ')
    const isZero = (n: number | undefined) => parseBankAmount(cell(n))?.amount === 0
    const filled = [amount, paidIn, paidOut].filter((n) => cell(n))
    const [at = filled[0], second] = filled.filter((n) => !isZero(n))
    if (amount === undefined && second !== undefined) return 'The line states both money in and money out'
    const word = cell(direction)
    const isOut =
      at === paidOut && at !== undefined ? true : direction === undefined ? undefined : isOutWord(word, mapping)
    if (direction !== undefined && at === amount && isOut === undefined)
      return word ? `“${word.slice(0, 40)}” states neither money in nor money out` : 'The direction is missing'
    const stated = cell(currency)
    const code = stated ? parseCurrency(stated) : at === undefined ? undefined : currencyOfHeading(headings[at] ?? '')
    if (stated && !code) return `“${stated.slice(0, 40)}” isn’t a known currency`
    return {
      day: cell(day),
      amount: cell(at),
      isOut,
      currency: code,
      status: cell(status),
      reference: words(references),
      payer: words(payers),
    }
  }
}
