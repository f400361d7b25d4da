import type { Place } from '#server/files/csv.ts'
import { type Cells, rowsOf } from '#server/files/csv.ts'
import type { RegisterFile } from './import-file.server.ts'
import { type CompanyRow, companyReader } from './import-row.ts'
import type { Ask, Store } from './import-store.server.ts'
import { dropIndexes, finish, isEmpty, upsert } from './import-write.server.ts'

/** A row that was not taken. */
export interface Refusal {
  readonly line: number
  readonly reason: string
}

/** How far the import of a file is. */
export interface Progress {
  readonly next_byte: number
  readonly next_line: number
  readonly rows_read: number
  readonly rows_added: number
  readonly rows_changed: number
  readonly rows_unchanged: number
  readonly rows_refused: number
  /** The first of them. */
  readonly refusals: readonly Refusal[]
}

/** So many refusals are kept with their lines. */
const KEPT = 200
const NOTHING: Progress = {
  next_byte: 0,
  next_line: 1,
  rows_read: 0,
  rows_added: 0,
  rows_changed: 0,
  rows_unchanged: 0,
  rows_refused: 0,
  refusals: [],
}

/** Where an earlier import of the same file was interrupted; `undefined` for a file that is new, or was read to its end. */
export async function interrupted(store: Store, file: RegisterFile): Promise<Progress | undefined> {
  const [found] = await store.tx((ask) =>
    ask<Progress>(
      'SELECT next_byte::float8 AS next_byte, next_line, rows_read, rows_added, rows_changed, rows_unchanged, rows_refused, refusals FROM company_import WHERE fingerprint = $1 AND finished_at IS NULL',
      [file.fingerprint],
    ),
  )
  return found
}

/** Notes down a new import; an empty register is filled without its look-up indexes. */
export const begin = (store: Store, file: RegisterFile): Promise<Progress> =>
  store.tx(async (ask) => {
    await ask(
      `INSERT INTO company_import (fingerprint, file_name, bytes, header) VALUES ($1, $2, $3, $4)
       ON CONFLICT (fingerprint) DO UPDATE SET file_name = EXCLUDED.file_name, next_byte = 0, next_line = 1, rows_read = 0, rows_added = 0,
         rows_changed = 0, rows_unchanged = 0, rows_refused = 0, refusals = '[]', started_at = now(), finished_at = NULL`,
      [file.fingerprint, file.name, file.bytes, JSON.stringify(file.header)],
    )
    if (await isEmpty(ask)) await dropIndexes(ask)
    return NOTHING
  })

/**
 * Reads a file on from where its import is, to its end, or until `stop` says so. A step's companies and how far it got
 * are one transaction: what is interrupted, even by a power cut, goes on behind its last step. True when it is done.
 */
export async function runCompanyImport(
  store: Store,
  file: RegisterFile,
  from: Progress,
  onStep: (p: Progress) => void,
  stop: () => boolean = () => false,
): Promise<boolean> {
  const read = companyReader(file.header)
  const place: Place | undefined = from.next_byte ? { byte: from.next_byte, line: from.next_line } : undefined
  let progress = from
  let rows: Cells[] = []
  let passed = place !== undefined // the headings
  // While the database takes one step, the next is read.
  let taking = Promise.resolve()
  const flush = () => {
    const step = rows
    rows = []
    taking = (async () => {
      if (step.length) progress = await take(store, file, progress, step, read)
      onStep(progress)
    })()
    taking.catch(() => {})
  }
  try {
    for await (const row of rowsOf(file.path, file.format, place)) {
      if (!passed) {
        passed = true
        continue
      }
      rows.push(row)
      if (rows.length < store.step) continue
      await taking
      if (stop()) return false
      flush()
    }
  } finally {
    await taking
  }
  flush()
  await taking
  await store.tx(async (ask) => {
    await finish(ask)
    await ask('UPDATE company_import SET finished_at = now() WHERE fingerprint = $1', [file.fingerprint])
  })
  return true
}

async function take(
  store: Store,
  file: RegisterFile,
  before: Progress,
  rows: readonly Cells[],
  read: (cells: readonly string[]) => CompanyRow | string,
): Promise<Progress> {
  const good: CompanyRow[] = []
  const refused: Refusal[] = []
  for (const { cells, line } of rows) {
    const found = read(cells)
    if (typeof found === 'string') refused.push({ line, reason: found })
    else good.push(found)
  }
  const { next } = rows.at(-1) as Cells
  return store.tx(async (ask, stage) => {
    await stage(good)
    const { added, changed } = await upsert(ask)
    const after: Progress = {
      next_byte: next.byte,
      next_line: next.line,
      rows_read: before.rows_read + rows.length,
      rows_added: before.rows_added + added,
      rows_changed: before.rows_changed + changed,
      rows_unchanged: before.rows_unchanged + good.length - added - changed,
      rows_refused: before.rows_refused + refused.length,
      refusals: [...before.refusals, ...refused].slice(0, KEPT),
    }
    await note(ask, file, before, after)
    return after
  })
}

/** Refuses to go on where another process has gone on meanwhile. */
async function note(ask: Ask, file: RegisterFile, before: Progress, after: Progress): Promise<void> {
  const [mine] = await ask(
    `UPDATE company_import SET next_byte = $3, next_line = $4, rows_read = $5, rows_added = $6, rows_changed = $7, rows_unchanged = $8,
       rows_refused = $9, refusals = $10 WHERE fingerprint = $1 AND next_byte = $2 RETURNING 1`,
    [
      file.fingerprint,
      before.next_byte,
      after.next_byte,
      after.next_line,
      after.rows_read,
      after.rows_added,
      after.rows_changed,
      after.rows_unchanged,
      after.rows_refused,
      JSON.stringify(after.refusals),
    ],
  )
  if (!mine) throw new Error('Another import of this file is under way. Let it finish, or stop it first.')
}
