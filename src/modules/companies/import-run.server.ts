import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { z } from 'zod'
import { problem } from '#kernel/errors.ts'
import type { Tx } from '#server/db/db.ts'
import { flushSearchIndexes } from '#server/db/search-backlog.ts'
import type { BatchJob, BatchStep, BatchStepResult, RejectedItem } from '#server/engine/schedule.ts'
import { runAsOwner } from '#server/engine/tenant.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { type CsvFormat, type CsvPosition, type CsvRow, detectDelimiter, readCsvRows } from '#server/files/csv.ts'
import { detectEncoding, readTextChunks } from '#server/files/text.ts'
import { defineBatchJob } from '#server/jobs/batch-job-control.ts'
import { COMPANY_COLUMNS, type CompanyRow, createCompanyRowParser } from './import-row.ts'

const EDGE = 1024 * 1024

/** A register file: its path, fingerprint, format and headings. */
export interface CompanyRegisterFile {
  readonly path: string
  readonly name: string
  readonly bytes: number
  readonly fingerprint: string
  readonly format: CsvFormat
  readonly header: readonly string[]
}

/**
 * Computes a fingerprint from the file's size, start and end only, because reading gigabytes twice would take minutes.
 */
async function fingerprintOf(path: string): Promise<{ bytes: number; fingerprint: string }> {
  const file = await open(path).catch(() => {
    throw new Error(`File not found: ${path}.`)
  })
  try {
    const { size } = await file.stat()
    const sum = createHash('sha256').update(`${size}\n`)
    for (const at of new Set([0, Math.max(0, size - EDGE)])) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(EDGE), 0, EDGE, at)
      sum.update(buffer.subarray(0, bytesRead))
    }
    return { bytes: size, fingerprint: sum.digest('hex') }
  } finally {
    await file.close()
  }
}

/** Opens a register file. Throws an error with a message if the file is not CSV in UTF-8. */
export async function openCompanyRegisterFile(path: string): Promise<CompanyRegisterFile> {
  const known = await fingerprintOf(path)
  const encoding = await detectEncoding(path).catch((e: Error) => {
    throw new Error(e.message.replace(/^file: /, ''))
  })
  if (encoding !== 'utf-8')
    throw new Error(
      'This file is not encoded as UTF-8. Choose the original file from the register, or save this file as “CSV UTF-8”.',
    )
  let head = ''
  for await (const text of readTextChunks(path, encoding)) {
    head += text
    if (head.length >= 64 * 1024) break
  }
  const format = { encoding, ...detectDelimiter(head.slice(0, 64 * 1024)) }
  for await (const { cells } of readCsvRows(path, format))
    return { path, name: basename(path), ...known, format, header: cells }
  throw new Error('The file has no column headings and no rows.')
}

const COLUMN_NAMES = COMPANY_COLUMNS.join(', ')
const of = (alias: string) => COMPANY_COLUMNS.map((c) => `${alias}.${c}`).join(', ')

/**
 * Inserts new companies and updates changed ones from the staging table. If a company number occurs more than once, the
 * last row applies.
 */
const UPSERT = `
  WITH fresh AS (SELECT DISTINCT ON (number) ${COLUMN_NAMES} FROM company_staging ORDER BY number, nth DESC),
  differs AS (SELECT ${of('f')} FROM fresh f LEFT JOIN company c ON c.number = f.number
              WHERE c.id IS NULL OR (${of('c')}) IS DISTINCT FROM (${of('f')})),
  written AS (INSERT INTO company (${COLUMN_NAMES}) SELECT ${COLUMN_NAMES} FROM differs
              ON CONFLICT (number) DO UPDATE SET (${COLUMN_NAMES}) = ROW (${of('EXCLUDED')})
              RETURNING xmax = 0 AS added)
  SELECT count(*) FILTER (WHERE added)::int AS added, count(*) FILTER (WHERE NOT added)::int AS changed FROM written`

/** Updates the register from the staging table. Returns how many companies were added and changed. */
async function upsertStagedCompanies(tx: Tx): Promise<{ added: number; changed: number }> {
  // Disables these joins so that each staged company is looked up by number, instead of scanning millions of rows.
  await tx.rows('SET LOCAL enable_hashjoin = off')
  await tx.rows('SET LOCAL enable_mergejoin = off')
  await tx.rows('SET LOCAL synchronous_commit = off')
  const [counts] = await tx.rows<{ added: number; changed: number }>(UPSERT)
  return counts ?? { added: 0, changed: 0 }
}

const isRegisterEmpty = async (tx: Tx): Promise<boolean> =>
  (await tx.rows('SELECT 1 FROM company LIMIT 1')).length === 0

/** Drops the search indexes of an empty register, because filling it is much faster without them. */
const dropCompanyIndexes = (tx: Tx) => tx.rows('SELECT company_indexes(false)')

/** Builds missing indexes and updates the query planner's statistics. */
async function finishCompanyImport(tx: Tx): Promise<void> {
  await tx.rows("SET LOCAL maintenance_work_mem = '512MB'")
  await tx.rows('SELECT company_indexes(true)')
  await flushSearchIndexes(tx, 'company')
  await tx.rows('ANALYZE company')
}

const STAGING = `CREATE TEMP TABLE company_staging ON COMMIT DROP AS SELECT ${COMPANY_COLUMNS.join(', ')}, 0 AS nth FROM company LIMIT 0`
const STAGED = [...COMPANY_COLUMNS, 'nth'].join(', ')

/** Escapes a value for COPY's text format. */
const escapeCopy = (v: string | null) =>
  v === null ? '\\N' : /[\\\n\r\t]/.test(v) ? v.replace(/[\\\n\r\t]/g, (c) => ESCAPES[c] ?? c) : v
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }
const LINES_PER_PORTION = 500

function* copyLines(rows: readonly CompanyRow[]): Generator<string> {
  for (let n = 0; n < rows.length; n += LINES_PER_PORTION)
    yield rows
      .slice(n, n + LINES_PER_PORTION)
      .map((row, k) => `${row.map(escapeCopy).join('\t')}\t${n + k}\n`)
      .join('')
}

/** Copies companies into a staging table that exists until the end of the transaction. */
async function stageCompanies(tx: Tx, rows: readonly CompanyRow[]): Promise<void> {
  await tx.rows(STAGING)
  await tx.copy(`COPY company_staging (${STAGED}) FROM STDIN`, copyLines(rows))
}

const INPUT = z.object({
  /** Identifies the file even if it has been moved. */
  fingerprint: z.string(),
  path: z.string(),
  /** Number of rows saved in each transaction. */
  portion: z.int().positive(),
})
type ImportInput = z.output<typeof INPUT>

/** Position of the next row in the file. */
export const importPositionSchema = z.object({ byte: z.int(), line: z.int() })

/**
 * Batch job that updates the register from a file. Each transaction saves `portion` rows and the position reached in
 * the file.
 */
export const companyImportJob = defineBatchJob({
  kind: 'companies.import',
  title: 'Register of companies',
  queue: 'imports',
  input: INPUT,
  cursor: importPositionSchema,
  // An empty register is filled before its search indexes are built.
  begin: (c) =>
    runAsOwner(c, async (tx) => {
      if (await isRegisterEmpty(tx)) await dropCompanyIndexes(tx)
      return undefined
    }),
  steps: readFile,
  onFinished: async (c, { state }) => {
    if (state === 'done') await runAsOwner(c, finishCompanyImport)
  },
})

async function* readFile(
  _: Engine,
  { input }: BatchJob<ImportInput>,
  from: CsvPosition | null,
): AsyncGenerator<BatchStep<CsvPosition>> {
  const file = await openCompanyRegisterFile(input.path).catch((e: Error) => {
    throw problem.conflict(e.message)
  })
  if (file.fingerprint !== input.fingerprint)
    throw problem.conflict('The file has changed since the import started. Start a new import.')
  const read = createCompanyRowParser(file.header)
  let passed = from !== null // Skips the heading row.
  let rows: CsvRow[] = []
  for await (const row of readCsvRows(file.path, file.format, from ?? undefined)) {
    if (!passed) {
      passed = true
      continue
    }
    rows.push(row)
    if (rows.length < input.portion) continue
    yield stepOf(rows, read)
    rows = []
  }
  if (rows.length) yield stepOf(rows, read)
}

function stepOf(
  rows: readonly CsvRow[],
  read: (cells: readonly string[]) => CompanyRow | string,
): BatchStep<CsvPosition> {
  const good: CompanyRow[] = []
  const refused: RejectedItem[] = []
  for (const { cells, line } of rows) {
    const found = read(cells)
    if (typeof found === 'string') refused.push({ line, reason: found })
    else good.push(found)
  }
  const { next } = rows.at(-1) as CsvRow
  return { cursor: next, execute: (c) => take(c, good, refused) }
}

async function take(
  c: Context,
  good: readonly CompanyRow[],
  refused: readonly RejectedItem[],
): Promise<BatchStepResult> {
  const { added, changed } = await runAsOwner(c, async (tx) => {
    await stageCompanies(tx, good)
    return upsertStagedCompanies(tx)
  })
  return { done: good.length, refused, tally: { added, changed, unchanged: good.length - added - changed } }
}
