import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { Problem } from '#kernel/errors.ts'
import { detectDelimiter } from '#server/files/csv.ts'
import { EncodingDetector } from '#server/files/text.ts'
import { serveTasks } from '#server/processes/serve-orders.ts'
import { STATEMENT_COLUMNS, type StatementColumn, type StatementMapping } from './bank-line.ts'
import { type CsvColumns, StatementColumnsError } from './statement-csv.ts'
import { parseStatement, refuseUnsupportedFormat } from './statement-formats.ts'
import type { ParsedBankStatement } from './statement-lines.ts'

/** Job that parses a bank statement, which is on disk or given as text. */
export interface StatementJob {
  readonly file: { readonly path: string } | { readonly text: string }
  readonly today: string
  /** Mapping in the request, not validated yet. */
  readonly mapping: unknown
  /** Mappings that were chosen for earlier files, by the key of their headings. */
  readonly remembered: ReadonlyMap<string, StatementMapping>
  readonly check: 'new' | 'always' | null
}

/** A parsed statement, or the reason why it can't be imported, with the columns that the user must map, if any. */
export type StatementReading =
  | {
      readonly parsed: ParsedBankStatement
      readonly mapping: StatementMapping | undefined
      readonly headingsKey: string
    }
  | { readonly refused: string; readonly field: 'text' | 'file' | 'mapping'; readonly columns?: CsvColumns }

/** Maximum number of characters from which the delimiter is detected. */
const MAX_SNIFFED_LENGTH = 256 * 1024
const CHECK_COLUMNS = 'Check the columns of this file. Nothing has been imported yet.'

/** Error for a mapping in the request that does not fit the file. */
class MappingError extends Error {}

/** Returns a key for a file's headings, regardless of capital letters. */
const keyOfHeadings = (headings: readonly string[]) =>
  hash('sha256', JSON.stringify(headings.map((one) => one.toLowerCase())), 'base64url')

const COLUMN_NAMES = STATEMENT_COLUMNS.map(({ value }) => value)
const wordsSchema = z.array(z.string().max(100)).max(20).default([])
const mappingSchema = z.object({
  columns: z.record(z.string(), z.enum(COLUMN_NAMES as [StatementColumn, ...StatementColumn[]])),
  moneyIn: wordsSchema,
  moneyOut: wordsSchema,
})

/** Meanings that only one heading may have. */
const SINGLE_COLUMNS: readonly StatementColumn[] = [
  'day',
  'amount',
  'paidIn',
  'paidOut',
  'direction',
  'currency',
  'status',
]

/** Validates a mapping in the request against the headings of its file. */
function checkMapping(given: unknown, headings: readonly string[]): StatementMapping {
  const refuse = (message: string) => new MappingError(message)
  const parsed = mappingSchema.safeParse(given)
  if (!parsed.success)
    throw refuse(`A mapping has the form {"columns": {"heading": "day"}}, with the columns ${COLUMN_NAMES.join(', ')}`)
  const { columns, moneyIn, moneyOut } = parsed.data
  const unknown = Object.keys(columns).find((heading) => !headings.includes(heading))
  if (unknown !== undefined) throw refuse(`The file has no column “${unknown.slice(0, 100)}”`)
  const mapped = Object.values(columns)
  const twice = SINGLE_COLUMNS.find((column) => mapped.filter((one) => one === column).length > 1)
  if (twice)
    throw refuse(`Choose “${STATEMENT_COLUMNS.find(({ value }) => value === twice)?.label}” for one column only`)
  if (!mapped.includes('day')) throw refuse('Choose the column for the date')
  if (!mapped.includes('amount') && !mapped.includes('paidIn'))
    throw refuse('Choose the column for the amount or for money in')
  return { columns, ...(mapped.includes('direction') ? { moneyIn, moneyOut } : {}) }
}

/** Returns a mapping with the same capital letters as the file's headings. */
const mappingFor = (headings: readonly string[], { columns, ...rest }: StatementMapping): StatementMapping => {
  const byName = new Map(Object.entries(columns).map(([heading, column]) => [heading.toLowerCase(), column]))
  const found = headings.flatMap((heading) => {
    const column = byName.get(heading.toLowerCase())
    return column ? [[heading, column] as const] : []
  })
  return { columns: Object.fromEntries(found), ...rest }
}

/** Decodes a file's bytes. Throws an error for a file that is not text. */
function decode(bytes: Buffer): string {
  refuseUnsupportedFormat(bytes.toString('latin1', 0, 3000))
  const detector = new EncodingDetector()
  detector.take(bytes)
  return new TextDecoder(detector.end()).decode(bytes)
}

async function readStatement({ file, today, ...job }: StatementJob): Promise<StatementReading> {
  let mapping: StatementMapping | undefined
  const mappingOf = (columns: CsvColumns) => {
    const { headings } = columns
    if (job.mapping) {
      mapping = checkMapping(job.mapping, headings)
      return mapping
    }
    const last = job.remembered.get(keyOfHeadings(headings))
    mapping = last && mappingFor(headings, last)
    if (mapping && job.check === 'always') throw new StatementColumnsError(CHECK_COLUMNS, { ...columns, mapping })
    if (!mapping && job.check) throw new StatementColumnsError(columns.reason ?? CHECK_COLUMNS, columns)
    return mapping
  }
  try {
    const text = ('path' in file ? decode(await readFile(file.path)) : file.text).replaceAll('\0', '')
    if (!text.trim()) throw new Error('This file is empty')
    const { delimiter } = detectDelimiter(text.slice(0, MAX_SNIFFED_LENGTH))
    const parsed = parseStatement(text, { delimiter, today, mappingOf })
    return { parsed, mapping, headingsKey: parsed.headings?.length ? keyOfHeadings(parsed.headings) : '' }
  } catch (e) {
    const refused = e instanceof Error ? e.message : 'This file can’t be read'
    if (e instanceof StatementColumnsError) return { refused, field: 'mapping', columns: e.columns }
    if (e instanceof Problem) return { refused: e.violations?.[0]?.message ?? refused, field: 'file' }
    return { refused, field: e instanceof MappingError ? 'mapping' : 'text' }
  }
}

serveTasks(readStatement)
