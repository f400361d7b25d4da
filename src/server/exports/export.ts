import { close, createReadStream, createWriteStream, fstat } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { Problem } from '#kernel/errors.ts'
import { closedPack } from '#kernel/packs.ts'
import type { Resource } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import type { Query } from '#server/data/filters.ts'
import { matchingCellsQuery, matchingKeysQuery, type RecordKey } from '#server/data/matching-rows.ts'
import { writeAuditTrace } from '#server/data/writing/audit-trace.ts'
import type { Conn } from '#server/db/db.ts'
import type { Engine } from '#server/engine/types.ts'
import { openNameless } from '#server/files/nameless.ts'
import { columnsOf } from './columns.ts'
import { compileCells } from './compiled.ts'
import { CopiedRows } from './copied.ts'
import { csvOf, type Dates, heading } from './csv.ts'
import { readCells } from './rows.ts'
import { xlsxOf } from './xlsx.ts'

const statOf = promisify(fstat)
const closeFile = promisify(close)

/** The kinds of file, by the ending of their names. */
export const FORMATS = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const
export type Format = keyof typeof FORMATS

/** What is to be exported: a list as somebody sees it, its filters, order and columns in the query. */
export interface Wanted {
  readonly resource: Resource
  readonly actor: Actor
  readonly query: Query
  readonly format: Format
}

/** A file with an export: it has no name on the disk, so that nothing is left of it where its process is killed. */
export interface ExportFile {
  readonly fd: number
  readonly name: string
  readonly bytes: number
  readonly rows: number
}

/** Rows that a request waits for; longer lists are a run. */
const AT_ONCE = 5000
/** Rows that a run writes. */
const MOST = 200_000

/**
 * Writes what a list finds to a file, all of it as it was at one moment. The file is written first and sent afterwards: the
 * database is free as soon as it has been read, however slow the reader's line is, and what fails is told before anything is
 * sent. Throws 413 for more rows than a request waits for. Whoever asked reads or closes the file.
 */
export const writeExport = (engine: Engine, wanted: Wanted): Promise<ExportFile> =>
  write(engine, wanted, (fill) => engine.db.snapshot((conn) => fill(conn, AT_ONCE)))

/** The same of a long list. */
export const writeLongExport = (engine: Engine, wanted: Wanted): Promise<ExportFile> =>
  write(engine, wanted, (fill) => engine.db.snapshot((conn) => fill(conn, MOST)))

type Fill = (conn: Conn, most: number) => Promise<number>

/** Writes what is found, by the database where it can. Answers how many rows. */
async function fill(engine: Engine, conn: Conn, wanted: Wanted, most: number, to: Writable): Promise<number> {
  const copied = await copyRows(engine, conn, wanted, most, to)
  if (copied !== undefined) return copied
  const keys = await findKeys(engine, conn, wanted, most)
  await pipeline(await contents(conn, wanted, keys), to)
  return keys.length
}

async function write(engine: Engine, wanted: Wanted, read: (fill: Fill) => Promise<number>): Promise<ExportFile> {
  const { resource: r, format } = wanted
  const name = `${r.path.replaceAll('_', '-')}-${londonDate(engine.clock.now()).toString()}.${format}`
  const fd = await openNameless('export')
  try {
    const rows = await read((conn, most) =>
      fill(engine, conn, wanted, most, createWriteStream('', { fd, autoClose: false })),
    )
    await traceExport(engine, wanted, rows)
    return { fd, name, rows, bytes: (await statOf(fd)).size }
  } catch (e) {
    await closeFile(fd)
    throw e
  }
}

/** An export's bytes, once: the file is gone when they have been read or the reader has left. */
export const readExport = ({ fd }: Pick<ExportFile, 'fd'>): Readable => createReadStream('', { fd, start: 0 })

async function findKeys(engine: Engine, conn: Conn, { resource: r, actor, query }: Wanted, most: number) {
  const q = matchingKeysQuery(r, actor, query, most + 1, engine.extraFilters(r, query))
  if (!q) throw closedPack(actor, r.pack)
  const keys = await conn.arrays(q.query, q.values)
  mustBeFew(keys.length, most)
  return keys as unknown as RecordKey[]
}

function mustBeFew(rows: number, most: number): void {
  if (rows > most)
    throw new Problem(413, `More than ${most.toLocaleString('en-GB')} rows are found. Please narrow the list.`)
}

/**
 * Has the database write the rows, so that none passes through this process but as bytes. Answers how many; `undefined` where it can't: for
 * workbooks, and with columns that are no SQL.
 */
async function copyRows(
  engine: Engine,
  conn: Conn,
  { resource: r, actor, query, format }: Wanted,
  most: number,
  to: Writable,
): Promise<number | undefined> {
  if (!conn.copyOut || format !== 'csv') return undefined
  const columns = columnsOf(r, actor, query)
  const cells = compileCells(r, actor, columns, datesOf(query))
  if (!cells) return undefined
  const q = matchingCellsQuery(r, actor, query, most + 1, engine.extraFilters(r, query), cells)
  if (!q) throw closedPack(actor, r.pack)
  const copied = new CopiedRows(to, heading(columns))
  await conn.copyOut(q.query, q.values, copied)
  mustBeFew(copied.rows, most)
  await copied.end()
  return copied.rows
}

const datesOf = (query: Query): Dates => (query.dates === 'iso' ? 'iso' : 'uk')

function contents(conn: Conn, { resource: r, actor, query, format }: Wanted, keys: readonly RecordKey[]) {
  const columns = columnsOf(r, actor, query)
  const dates = datesOf(query)
  const rows = readCells(conn, r, actor, columns, keys)
  return format === 'csv' ? csvOf(columns, rows, dates) : xlsxOf(r.type, columns, rows, dates)
}

/** Who has taken how much of what with them stands in the trail. */
function traceExport(engine: Engine, { resource: r, actor, query, format }: Wanted, rows: number): Promise<void> {
  const changes = { format, rows, query }
  const trace = { clientId: actor.clientId, type: r.type, rowId: 0, verb: 'export', changes }
  return engine.db.tx('system', (tx) => writeAuditTrace(tx, actor, trace))
}
