import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { Problem, problem, violation } from '#kernel/errors.ts'
import { choice, longText, text, typedJson } from '#kernel/fields.ts'
import { CURRENCIES, type Currency } from '#kernel/money.ts'
import { LONDON_TIME_ZONE, londonDate } from '#kernel/time.ts'
import { type Route, type RouteContext, RouteResponse } from '#server/engine/route.ts'
import { parseDeclaredBody } from '#server/engine/route-input.ts'
import type { Context } from '#server/engine/types.ts'
import { detectDelimiter } from '#server/files/csv.ts'
import { sanitiseFileName } from '#server/files/plain-name.ts'
import { discardReceivedFile, FileTooLargeError, type ReceivedFile, receiveToDisk } from '#server/files/receive.ts'
import { scanFile } from '#server/files/scan.ts'
import { EncodingDetector } from '#server/files/text.ts'
import { FINANCE_ROLES } from '../rights.ts'
import { bankLine, bankStatement, STATEMENT_COLUMNS, type StatementColumn, type StatementMapping } from './bank-line.ts'
import { loadMatchIndexes } from './match.server.ts'
import { matchBankLine } from './match.ts'
import { type CsvColumns, StatementColumnsError } from './statement-csv.ts'
import { parseStatement, refuseUnsupportedFormat } from './statement-formats.ts'
import {
  type BankStatementLine,
  bankStatementLineKeys,
  compareWithEarlierLines,
  type EarlierBankLine,
  type ParsedBankStatement,
} from './statement-lines.ts'

const IMPORT_REASON = 'import a bank statement'

/** Maximum number of days between a bank line and a manually recorded payment that may be the same payment. */
const NEAR_DAYS = 5
/** Maximum number of problems saved per statement. */
const MAX_PROBLEMS = 50
/** Maximum number of characters from which the delimiter is detected. */
const MAX_SNIFFED_LENGTH = 256 * 1024
const MAX_FILE_BYTES = 20 * 1024 * 1024

/** Bank transfers that were recorded manually near the statement's days and are not linked to a bank line. */
const BY_HAND = `SELECT h.id::int, h.customer_id::int AS customer, h.amount::int, h.currency, (h.received_at AT TIME ZONE '${LONDON_TIME_ZONE}')::date::text AS day
  FROM charge h WHERE h.client_id = $1 AND h.method = 'bank' AND h.state = 'succeeded' AND h.received_at BETWEEN $2::date - ${NEAR_DAYS + 1} AND $3::date + ${NEAR_DAYS + 2}
    AND h.bank_line_id IS NULL ORDER BY h.id`
const EARLIER = `SELECT l.key, l.bank_id AS "bankId", l.day::text, l.amount::int, l.currency, l.reference, l.payer, s.name AS statement
  FROM bank_line l JOIN bank_statement s ON s.client_id = l.client_id AND s.id = l.statement_id
  WHERE l.client_id = $1 AND l.day BETWEEN $2 AND $3 ORDER BY l.id`
const MAPPINGS = `SELECT DISTINCT ON (headings_key) headings_key AS key, mapping FROM bank_statement WHERE client_id = $1 AND mapping IS NOT NULL ORDER BY headings_key, id DESC`

interface ManualPayment {
  readonly id: number
  readonly customer: number
  readonly amount: number
  readonly currency: Currency
  readonly day: string
}

/** Values of a statement that are saved with it and come from its file. */
interface StatementSource {
  readonly checksum?: string
  readonly mapping?: StatementMapping | undefined
}

const daysBetween = (one: string, other: string) =>
  Math.abs(Temporal.PlainDate.from(one).until(other, { largestUnit: 'day' }).days)

/**
 * Saves a statement and its new incoming lines, each with its match. Payments out, lines left out and lines of an
 * earlier statement are only counted. Returns the statement's ID.
 */
export async function importBankStatement(
  c: Context,
  name: string,
  currency: Currency,
  { lines, problems, leftOut = [], headings = [] }: ParsedBankStatement,
  { checksum = '', mapping }: StatementSource = {},
): Promise<number> {
  const { tx } = c.work
  const incoming = lines.filter(({ amount }) => amount > 0)
  const keys = bankStatementLineKeys(incoming, currency)
  const days = incoming.map(({ day }) => day).toSorted()
  const [from, to] = [days[0], days.at(-1)]
  const earlier = incoming.length ? await tx.rows<EarlierBankLine>(EARLIER, [c.clientId, from, to]) : []
  const repeats = compareWithEarlierLines(incoming, keys, currency, earlier)
  const fresh = incoming.flatMap((line, n) => {
    const repeat = repeats[n]
    return repeat === 'known'
      ? []
      : [
          {
            line: { ...line, currency: line.currency ?? currency },
            key: keys[n] as string,
            similarTo: repeat === 'new' ? undefined : repeat?.similarTo,
          },
        ]
  })
  const right = c.withoutPermissionCheck(IMPORT_REASON)
  const statement = await (
    await right.create(bankStatement, {
      name,
      currency,
      lines: fresh.length,
      known: incoming.length - fresh.length,
      outgoing: lines.length - incoming.length,
      alike: fresh.filter(({ similarTo }) => similarTo).length,
      leftOut,
      mapping: mapping ?? null,
      headingsKey: headings.length ? keyOfHeadings(headings) : '',
      checksum,
      problems: problems.slice(0, MAX_PROBLEMS),
    })
  ).saved()
  if (fresh.length === 0) return statement.id
  const { open, payers } = await loadMatchIndexes(
    tx,
    c.clientId,
    fresh.map(({ line }) => line),
  )
  const manual = Map.groupBy(
    await tx.rows<ManualPayment>(BY_HAND, [c.clientId, from, to]),
    (payment) => `${payment.currency} ${payment.amount}`,
  )
  /** Returns the match unchanged, or marked as uncertain if the payment may have been recorded before. */
  const unlessRecorded = (
    line: BankStatementLine & { readonly currency: Currency },
    match: ReturnType<typeof matchBankLine>,
    similarTo: EarlierBankLine | undefined,
  ) => {
    const same = manual
      .get(`${line.currency} ${line.amount}`)
      ?.find(
        (one) =>
          daysBetween(one.day, line.day) <= NEAR_DAYS && (match.customer === null || one.customer === match.customer),
      )
    if (same)
      return {
        ...match,
        sure: false,
        why: `Payment ${same.id}, for the same amount, was recorded manually and may be the same payment`,
      }
    return similarTo
      ? {
          ...match,
          sure: false,
          why: `The statement “${similarTo.statement.slice(0, 100)}” has a payment of the same day and amount, which may be the same payment`,
        }
      : match
  }
  await right.createAll(
    bankLine,
    fresh.map(({ line, key, similarTo }) => {
      const match = unlessRecorded(line, matchBankLine(line, open, payers), similarTo)
      return {
        ...line,
        statement: statement.id,
        key,
        state: match.sure ? ('proposed' as const) : ('open' as const),
        customer: match.customer,
        invoice: match.invoice,
        why: match.why,
      }
    }),
  )
  return statement.id
}

/** Returns a key for a file's headings, the same whatever their capitals. */
const keyOfHeadings = (headings: readonly string[]) =>
  hash('sha256', JSON.stringify(headings.map((one) => one.toLowerCase())), 'base64url')

const COLUMN_NAMES = STATEMENT_COLUMNS.map(({ value }) => value)
const wordsSchema = z.array(z.string().max(100)).max(20).default([])
const mappingSchema = z.object({
  columns: z.record(z.string(), z.enum(COLUMN_NAMES as [StatementColumn, ...StatementColumn[]])),
  moneyIn: wordsSchema,
  moneyOut: wordsSchema,
})

/** Columns that only one heading may have. */
const SINGLE_COLUMNS: readonly StatementColumn[] = [
  'day',
  'amount',
  'paidIn',
  'paidOut',
  'direction',
  'currency',
  'status',
]

/** Validates a mapping in a request against the headings of its file. */
function checkMapping(given: unknown, headings: readonly string[]): StatementMapping {
  const refuse = (message: string) => problem.invalid([violation('mapping', message)])
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

const INPUT = {
  name: text({ required: 'Please choose a file', max: 255 }),
  text: longText({
    max: 2_000_000,
    help: 'The content of the file. A form (multipart/form-data) has the file itself instead, as `file`.',
  }),
  currency: choice(CURRENCIES, { default: 'GBP', help: 'Currency of lines for which the file states none.' }),
  mapping: typedJson<StatementMapping | null>()({
    help: 'Columns of a CSV file by their headings: `{"columns": {"Booked on": "day", "Sum": "amount"}}`. `moneyIn` and `moneyOut` list the words in the column `direction`, if they are not the usual ones.',
  }),
  check: choice(['new', 'always'], {
    help: 'Returns the columns of a CSV file with 422 instead of importing it: `always`, or if no mapping was chosen for its headings before (`new`).',
  }),
}

interface StatementUpload {
  readonly input: {
    readonly name: string
    readonly text?: string | null
    readonly currency?: Currency | null
    readonly mapping?: unknown
    readonly check?: 'new' | 'always' | null
  }
  readonly bytes?: Buffer
}

/** Reads a request: JSON with the file's text, or a form with the file. */
async function readUpload(c: RouteContext): Promise<StatementUpload> {
  if (!c.request.parts) return { input: await parseInput(c, c.body) }
  let file: (ReceivedFile & { readonly name: string }) | undefined
  const fields: Record<string, unknown> = {}
  let isTooLarge = false
  try {
    for await (const part of c.request.parts()) {
      if (part.type === 'field') fields[part.fieldname] = part.value
      else if (file) part.file.resume()
      else {
        const name = sanitiseFileName(part.filename, 'statement.csv')
        const received = await receiveToDisk(part.file, MAX_FILE_BYTES).catch((e: unknown) => {
          if (!(e instanceof FileTooLargeError)) throw e
          // The rest of the form is read before the answer.
          isTooLarge = true
        })
        if (received) file = { ...received, name }
      }
    }
    if (isTooLarge)
      throw new Problem(413, 'The file is larger than 20 MB. Download the statement for a shorter period.')
    if (!file) throw problem.invalid([violation('file', 'Please choose a file')])
    await scanFile(c.engine.config, file)
    if (typeof fields.mapping === 'string') fields.mapping = parseJsonField(fields.mapping)
    return { input: await parseInput(c, { name: file.name, ...fields }), bytes: await readFile(file.path) }
  } finally {
    if (file) await discardReceivedFile(file)
  }
}

function parseJsonField(given: string): unknown {
  try {
    return given ? JSON.parse(given) : null
  } catch {
    throw problem.badRequest('"mapping" must be JSON.')
  }
}

async function parseInput(c: RouteContext, body: RouteContext['body']): Promise<StatementUpload['input']> {
  const { input, wrong } = await parseDeclaredBody({ ...c, body }, INPUT)
  if (wrong.length) throw problem.invalid(wrong)
  return input
}

/** Decodes a file's bytes. Throws an error for a file that is not text. */
function decode(bytes: Buffer): string {
  refuseUnsupportedFormat(bytes.toString('latin1', 0, 3000))
  const detector = new EncodingDetector()
  detector.take(bytes)
  return new TextDecoder(detector.end()).decode(bytes)
}

/** Returns a problem that states the columns of a file, so that a person can map them. */
const columnsProblem = (message: string, { headings, sample, values, mapping }: CsvColumns) =>
  new Problem(422, message, {
    violations: [violation('mapping', message)],
    more: { headings, sample, values, mapping },
  })

const answerFor = (made: { readonly '@id': string }) => new RouteResponse(201, made, { location: made['@id'] })

/** Returns the mappings that were last chosen, by the key of their headings. */
async function rememberedMappings(c: RouteContext): Promise<ReadonlyMap<string, StatementMapping>> {
  const { clientId } = c.me
  const rows = await c.engine.db.tx({ clientId }, (tx) =>
    tx.rows<{ key: string; mapping: StatementMapping }>(MAPPINGS, [clientId]),
  )
  return new Map(rows.map(({ key, mapping }) => [key, mapping]))
}

/** Adapts a mapping to the capitals of a file's headings. */
const mappingFor = (headings: readonly string[], { columns, ...rest }: StatementMapping): StatementMapping => {
  const byName = new Map(Object.entries(columns).map(([heading, column]) => [heading.toLowerCase(), column]))
  const found = headings.flatMap((heading) => {
    const column = byName.get(heading.toLowerCase())
    return column ? [[heading, column] as const] : []
  })
  return { columns: Object.fromEntries(found), ...rest }
}

const CHECK_COLUMNS = 'Check the columns of this file. Nothing has been imported yet.'

/** Parses the file of a request. Throws 422 with the reason if it can't be imported. */
async function parseUpload(c: RouteContext, { input, bytes }: StatementUpload) {
  const remembered = await rememberedMappings(c)
  let mapping: StatementMapping | undefined
  const mappingOf = (columns: CsvColumns) => {
    const { headings } = columns
    if (input.mapping) {
      mapping = checkMapping(input.mapping, headings)
      return mapping
    }
    const last = remembered.get(keyOfHeadings(headings))
    mapping = last && mappingFor(headings, last)
    if (mapping && input.check === 'always') throw new StatementColumnsError(CHECK_COLUMNS, { ...columns, mapping })
    if (!mapping && input.check) throw new StatementColumnsError(columns.reason ?? CHECK_COLUMNS, columns)
    return mapping
  }
  try {
    const given = (bytes ? decode(bytes) : (input.text ?? '')).replaceAll('\0', '')
    if (!given.trim()) throw new Error('This file is empty')
    const { delimiter } = detectDelimiter(given.slice(0, MAX_SNIFFED_LENGTH))
    const today = londonDate(c.now).toString()
    return { parsed: parseStatement(given, { delimiter, today, mappingOf }), mapping }
  } catch (e) {
    if (e instanceof StatementColumnsError) throw columnsProblem(e.message, e.columns)
    if (e instanceof Problem) throw e
    throw problem.invalid([violation('text', e instanceof Error ? e.message : 'This file can’t be read')])
  }
}

const checksumOf = ({ input, bytes }: StatementUpload) => hash('sha256', bytes ?? input.text ?? '', 'base64url')
const stored = z.object({ id: z.int() })

export const importRoute: Route = {
  method: 'POST',
  path: bankStatement.url,
  title: 'Import a bank statement (CSV, OFX, QIF, CAMT.053 or MT940). New lines must then be confirmed',
  allow: FINANCE_ROLES,
  upload: true,
  input: INPUT,
  isReplayOf: async (c, answer) => {
    const upload = await readUpload(c)
    const { id } = stored.parse(JSON.parse(answer))
    const statement = await c.engine.readIn(c.me.clientId, 'read a repeated upload', (reader) =>
      reader.get(bankStatement, id),
    )
    return statement?.checksum === checksumOf(upload)
  },
  handle: async (c) => {
    const upload = await readUpload(c)
    const { parsed, mapping } = await parseUpload(c, upload)
    const { name, currency } = upload.input
    return c.engine.inTenant(c.me.clientId, c.change<RouteResponse>(), async (unit) => {
      // Serialises imports, so that a file uploaded twice at the same time is imported only once.
      await unit.work.tx.rows('SELECT pg_advisory_xact_lock(hashtext($1), $2)', [bankStatement.table, unit.clientId])
      const source = { checksum: checksumOf(upload), mapping }
      const id = await importBankStatement(unit, name, currency ?? 'GBP', parsed, source)
      return async () => answerFor(await c.engine.one(bankStatement, c.me, id))
    })
  },
}
