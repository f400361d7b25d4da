import { close, createReadStream, createWriteStream, fstat } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { Problem } from '#kernel/errors.ts'
import type { Field } from '#kernel/fields.ts'
import { createPackProblem } from '#kernel/packs.ts'
import type { Resource } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import { LONDON_TIME_ZONE, londonDate } from '#kernel/time.ts'
import type { RequestQuery } from '#server/data/filters.ts'
import { matchingCellsQuery, matchingKeysQuery, type RecordKey } from '#server/data/matching-rows.ts'
import { writeAuditEvent } from '#server/data/writing/audit-trace.ts'
import type { SqlConn } from '#server/db/db.ts'
import type { Engine } from '#server/engine/types.ts'
import { openUnnamedFile } from '#server/files/unnamed-file.ts'
import { createTurnGiver } from '#server/slices.ts'
import type { CellValue, ExportColumn } from './columns.ts'
import { exportColumnsOf } from './columns.ts'
import { compileSqlCells, csvHeading, type DateStyle, readExportCells, writeCsv } from './compiled.ts'
import { CsvCopyWriter } from './copied.ts'

/** Maximum length of the text in an Excel cell, in characters. */
const MAX_CELL_CHARACTERS = 32_767
/** Maximum length of an Excel sheet name. The pattern below matches the characters that Excel rejects in it. */
const SHEET_NAME = 31
const REFUSED = /[[\]:*?/\\]/g

/** Characters that are invalid in XML and would corrupt the workbook. */
const NO_CHARACTER = /[\uFFFE\uFFFF]/g
/** Text that Excel would read as an escaped character. */
const CODE = /_(?=x[\dA-F]{4}_)/gi

const textOf = (text: string) => text.slice(0, MAX_CELL_CHARACTERS).replace(NO_CHARACTER, '').replace(CODE, '_x005F_')

const DAY = { uk: 'dd/mm/yyyy', iso: 'yyyy-mm-dd' } as const

/** Writes the rows as a workbook with one sheet and frozen headings. Text never becomes a formula. */
export async function writeXlsx(
  name: string,
  columns: readonly ExportColumn[],
  portions: AsyncIterable<readonly (readonly CellValue[])[]>,
  dates: DateStyle,
): Promise<AsyncIterable<Uint8Array>> {
  // This large library is loaded only when used.
  const { writeXlsxStream } = await import('hucre/xlsx')
  return writeXlsxStream(cellsOf(portions), {
    name: name.replace(REFUSED, ' ').slice(0, SHEET_NAME),
    columns: columns.map((c) => ({ header: c.label, width: widthOf(c), ...formatOf(c.field, dates) })),
    freezePane: { rows: 1 },
  })
}

async function* cellsOf(portions: AsyncIterable<readonly (readonly CellValue[])[]>) {
  const giveTurn = createTurnGiver()
  for await (const rows of portions)
    for (const row of rows) {
      const turn = giveTurn()
      if (turn) await turn
      yield row.map(cellOf)
    }
}

/** Converts a value to an Excel cell. Times are written in London time, because Excel has no time zones. */
function cellOf(value: CellValue): string | number | Date | null {
  if (typeof value === 'string') return textOf(value)
  if (value === null || typeof value === 'number') return value
  const local =
    value instanceof Temporal.PlainDate ? value : value.toZonedDateTimeISO(LONDON_TIME_ZONE).toPlainDateTime()
  return new Date(local.toZonedDateTime('UTC').epochMilliseconds)
}

function formatOf(field: Field, dates: DateStyle): { numFmt?: string } {
  if (field.kind === 'date') return { numFmt: DAY[dates] }
  if (field.kind === 'instant' || field.kind === 'unixSeconds') return { numFmt: `${DAY[dates]} hh:mm` }
  return field.pence ? { numFmt: '#,##0.00' } : {}
}

const WIDE = new Set<Field['kind']>(['text', 'link', 'email', 'richText', 'longText'])

const widthOf = ({ label, field }: ExportColumn) => Math.max(label.length + 2, WIDE.has(field.kind) ? 26 : 16)

const statOf = promisify(fstat)
const closeFile = promisify(close)

/** Content types by file extension. */
export const EXPORT_CONTENT_TYPES = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const
export type ExportFormat = keyof typeof EXPORT_CONTENT_TYPES

/** A requested export of a list. The query contains its filters, order and columns. */
export interface ExportRequest {
  readonly resource: Resource
  readonly actor: Actor
  readonly query: RequestQuery
  readonly format: ExportFormat
}

/** An export in an unnamed file. The file disappears even if the process is killed. */
export interface ExportFile {
  readonly fd: number
  readonly name: string
  readonly bytes: number
  readonly rows: number
}

/** Maximum number of rows for an export within a request. Longer lists need a batch job. */
const AT_ONCE = 5000
/** Maximum number of rows for an export in a batch job. */
export const MAX_EXPORT_ROWS = 200_000

/**
 * Writes a consistent snapshot of a list to a file. The file is complete before it is sent. A slow client therefore
 * does not occupy a database connection, and errors are reported before the response starts. Throws 413 for more rows
 * than are allowed in a request. The caller must read or close the file.
 */
export const writeExport = (engine: Engine, wanted: ExportRequest): Promise<ExportFile> =>
  write(engine, wanted, (fill) => engine.db.snapshot((conn) => fill(conn, AT_ONCE)))

/** Writes a long list to a file, in a batch job. */
export const writeLongExport = (engine: Engine, wanted: ExportRequest): Promise<ExportFile> =>
  write(engine, wanted, (fill) => engine.db.snapshot((conn) => fill(conn, MAX_EXPORT_ROWS)))

type Fill = (conn: SqlConn, most: number) => Promise<number>

/** Writes the rows, formatted by the database if possible. Returns the number of rows. */
async function fill(engine: Engine, conn: SqlConn, wanted: ExportRequest, most: number, to: Writable): Promise<number> {
  const copied = await copyRows(engine, conn, wanted, most, to)
  if (copied !== undefined) return copied
  const keys = await findExportKeys(engine, conn, wanted, most)
  await pipeline(await contents(conn, wanted, keys), to)
  return keys.length
}

async function write(
  engine: Engine,
  wanted: ExportRequest,
  read: (fill: Fill) => Promise<number>,
): Promise<ExportFile> {
  const { resource: r, format } = wanted
  const name = `${r.path.replaceAll('_', '-')}-${londonDate(engine.clock.now()).toString()}.${format}`
  const file = await fillExportFile(async (open) => {
    const rows = await read((conn, most) => fill(engine, conn, wanted, most, open()))
    await traceExport(engine, wanted, rows)
    return rows
  })
  return { name, ...file }
}

/**
 * Writes an unnamed file. `fill` opens it and returns the number of rows. The caller must read or close the file.
 */
export async function fillExportFile(
  fill: (open: () => Writable) => Promise<number>,
): Promise<Omit<ExportFile, 'name'>> {
  const fd = await openUnnamedFile('export')
  try {
    const rows = await fill(() => createWriteStream('', { fd, autoClose: false }))
    return { fd, rows, bytes: (await statOf(fd)).size }
  } catch (e) {
    await closeFile(fd)
    throw e
  }
}

/**
 * Returns a stream of an export's bytes. An export can be read only once: its file no longer exists after it has been
 * read or the client has disconnected.
 */
export const readExport = ({ fd }: Pick<ExportFile, 'fd'>): Readable => createReadStream('', { fd, start: 0 })

/** Returns the keys of a list’s rows, in list order. Throws 413 for more than `most` rows. */
export async function findExportKeys(
  engine: Engine,
  conn: SqlConn,
  { resource: r, actor, query }: Omit<ExportRequest, 'format'>,
  most: number,
): Promise<readonly RecordKey[]> {
  const q = matchingKeysQuery(r, actor, query, most + 1, engine.extraFilters(r, query))
  if (!q) throw createPackProblem(actor, r.pack)
  const keys = await conn.arrays(q.query, q.values)
  mustBeFew(keys.length, most)
  return keys as unknown as RecordKey[]
}

function mustBeFew(rows: number, most: number): void {
  if (rows > most)
    throw new Problem(
      413,
      `The list has more than ${most.toLocaleString('en-GB')} rows. Please narrow the list with filters.`,
    )
}

/**
 * Copies rows that the database has formatted. This process only forwards the bytes. Returns the number of rows;
 * `undefined` for workbooks and for columns that can't be compiled to SQL.
 */
async function copyRows(
  engine: Engine,
  conn: SqlConn,
  { resource: r, actor, query, format }: ExportRequest,
  most: number,
  to: Writable,
): Promise<number | undefined> {
  if (!conn.copyOut || format !== 'csv') return undefined
  const columns = exportColumnsOf(r, actor, query)
  const cells = compileSqlCells(r, actor, columns, datesOf(query))
  if (!cells) return undefined
  const q = matchingCellsQuery(r, actor, query, most + 1, engine.extraFilters(r, query), cells)
  if (!q) throw createPackProblem(actor, r.pack)
  const copied = new CsvCopyWriter(to, csvHeading(columns))
  await conn.copyOut(q.query, q.values, copied)
  mustBeFew(copied.rows, most)
  await copied.end()
  return copied.rows
}

const datesOf = (query: RequestQuery): DateStyle => (query.dates === 'iso' ? 'iso' : 'uk')

function contents(conn: SqlConn, { resource: r, actor, query, format }: ExportRequest, keys: readonly RecordKey[]) {
  const columns = exportColumnsOf(r, actor, query)
  const dates = datesOf(query)
  const rows = readExportCells(conn, r, actor, columns, keys)
  return format === 'csv' ? writeCsv(columns, rows, dates) : writeXlsx(r.type, columns, rows, dates)
}

/** Records the export in the audit trail: actor, list and number of rows. */
function traceExport(
  engine: Engine,
  { resource: r, actor, query, format }: ExportRequest,
  rows: number,
): Promise<void> {
  const changes = { format, rows, query }
  const trace = { clientId: actor.clientId, type: r.type, rowId: 0, verb: 'export', changes }
  return engine.db.tx('system', (tx) => writeAuditEvent(tx, actor, trace))
}
