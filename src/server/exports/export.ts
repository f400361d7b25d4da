import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Problem, problem } from '#kernel/errors.ts'
import { packRefusal } from '#kernel/packs.ts'
import type { Resource } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import type { Query } from '#server/data/filters.ts'
import { foundQuery, type Key } from '#server/data/found.ts'
import { leaveTrace } from '#server/data/trail.ts'
import type { Conn } from '#server/db/db.ts'
import type { Engine } from '#server/engine/engine.ts'
import { columnsOf } from './columns.ts'
import { csvOf, type Dates } from './csv.ts'
import { readCells } from './rows.ts'
import { xlsxOf } from './xlsx.ts'

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

/** A file with an export, in a folder of its own on this machine's disk. */
export interface ExportFile {
  readonly folder: string
  readonly path: string
  readonly name: string
  readonly rows: number
}

/** Rows that a request waits for; longer lists are a run. */
export const AT_ONCE = 5000

/**
 * Writes what a list finds to a file, all of it as it was at one moment. The file is written first and sent afterwards: the
 * database is free as soon as it has been read, however slow the reader's line is, and what fails is told before anything is
 * sent. Throws 413 for more than `most` rows. Whoever asked removes the folder.
 */
export async function writeExport(engine: Engine, wanted: Wanted, most: number): Promise<ExportFile> {
  const { resource: r, format } = wanted
  const folder = await mkdtemp(join(tmpdir(), 'stanchion-export-'))
  const name = `${r.path.replaceAll('_', '-')}-${londonDate(engine.clock.now()).toString()}.${format}`
  const path = join(folder, name)
  try {
    const rows = await engine.db.snapshot(async (conn) => {
      const keys = await findKeys(engine, conn, wanted, most)
      await pipeline(await contents(conn, wanted, keys), createWriteStream(path, { mode: 0o600 }))
      return keys.length
    })
    await traceExport(engine, wanted, rows)
    return { folder, path, name, rows }
  } catch (e) {
    await discardExport({ folder })
    throw e
  }
}

export const discardExport = ({ folder }: Pick<ExportFile, 'folder'>): Promise<void> =>
  rm(folder, { recursive: true, force: true })

async function findKeys(engine: Engine, conn: Conn, { resource: r, actor, query }: Wanted, most: number) {
  const narrow = engine.behaviourOf(r)?.narrow?.(query) ?? []
  const q = foundQuery(r, actor, query, most + 1, narrow)
  if (!q) throw problem.forbidden(packRefusal(actor, r.pack))
  const keys = await conn.arrays(q.query, q.values)
  if (keys.length > most)
    throw new Problem(413, `More than ${most.toLocaleString('en-GB')} rows are found. Please narrow the list.`)
  return keys as unknown as Key[]
}

function contents(conn: Conn, { resource: r, actor, query, format }: Wanted, keys: readonly Key[]) {
  const columns = columnsOf(r, actor, query)
  const dates: Dates = query.dates === 'iso' ? 'iso' : 'uk'
  const rows = readCells(conn, r, actor, columns, keys)
  return format === 'csv' ? csvOf(columns, rows, dates) : xlsxOf(r.type, columns, rows, dates)
}

/** Who has taken how much of what with them stands in the trail. */
function traceExport(engine: Engine, { resource: r, actor, query, format }: Wanted, rows: number): Promise<void> {
  const changes = { format, rows, query }
  const trace = { clientId: actor.clientId, type: r.type, rowId: 0, verb: 'export', changes }
  return engine.db.tx('system', (tx) => leaveTrace(tx, actor, trace))
}
