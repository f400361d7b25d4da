import { existsSync } from 'node:fs'
import { z } from 'zod'
import { problem } from '#kernel/errors.ts'
import type { BatchJob, BatchStep } from '#server/engine/batch-job.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { type CsvRow, readCsvRows } from '#server/files/csv.ts'
import { FilesElsewhere } from '#server/jobs/batch-job-turn.ts'
import { defineBatchJob } from '#server/jobs/define-batch-job.ts'
import { crmNav } from '../nav.ts'
import { addImportCounts, finishImport, type LeadImport, lockImport, readImport, resetImport } from './batch.server.ts'
import { decideRows, type RowReading } from './decide.server.ts'
import { importUploadPath } from './files.server.ts'
import { SeenRows } from './keys.ts'
import { readImportReferenceLists } from './lists.server.ts'
import { importEnded } from './over.server.ts'
import { createRowParser } from './row.ts'
import { undoImportPortions } from './undo.server.ts'
import { addImportedLeads, isLargeImport, saveImportReport } from './write.server.ts'

/** Number of rows decided and written together. */
const PORTION = 1000
const GONE =
  'The uploaded file is no longer available. Leads added so far are safe: choose the file again, and they will be recognised as duplicates, or undo this import.'

const INPUT = z.object({
  batch: z.int(),
  dryRun: z.boolean(),
  /** Set if the command line reads the file from its own path. */
  path: z.string().optional(),
})
export type ImportJobInput = z.output<typeof INPUT>

const whichOf = ({ clientId, input }: BatchJob<ImportJobInput>) => ({ clientId, id: input.batch })

/** Imports a file of leads. Each step commits leads, report and position together. */
export const importJob = defineBatchJob({
  kind: 'crm.import',
  title: 'Import of leads',
  queue: 'imports',
  managedAt: 'the list of imports',
  screen: crmNav.imports.path,
  notifiesStarter: ({ dryRun }) => !dryRun,
  input: INPUT,
  /** Rows read; during an undo, the last lead processed. */
  cursor: z.int(),
  // A dry run saves no leads, so duplicates within the file are found only from the start.
  restarts: ({ dryRun }) => dryRun,
  lock: (c, input) => lockImport(c.work.tx, { clientId: c.clientId, id: input.batch }).then(() => undefined),
  begin: async (c, run) => {
    await resetImport(c.work.tx, whichOf(run))
    return undefined
  },
  steps: readFile,
  undo: undoImportPortions,
  onFinished: async (c, run) => {
    const { tx, touched } = c.work
    const batch = await readImport(tx, whichOf(run))
    const file = await finishImport(tx, whichOf(run), run)
    touched.add('import_batch')
    const isGrown = isLargeImport(batch) && !batch.dry_run
    if (file || isGrown) await c.emit(importEnded, { file, grown: isGrown })
  },
})

async function* readFile(
  engine: Engine,
  run: BatchJob<ImportJobInput>,
  from: number | null,
): AsyncGenerator<BatchStep<number>> {
  const { batch, lists } = await engine.db.tx({ clientId: run.clientId }, async (tx) => ({
    batch: await readImport(tx, whichOf(run)),
    lists: await readImportReferenceLists(tx, run.clientId),
  }))
  const path = pathOf(engine, run, batch)
  const reading: RowReading = {
    batch,
    lists,
    read: createRowParser(batch.header, batch.mapping),
    dry: run.input.dryRun ? new SeenRows() : undefined,
  }
  const step = (rows: readonly CsvRow[], place: number): BatchStep<number> => ({
    cursor: place,
    execute: (c) => takeRows(c, run, reading, rows),
  })
  let passed = -1 // the headings
  let rows: CsvRow[] = []
  for await (const row of readCsvRows(path, batch.format)) {
    if (++passed <= (from ?? 0)) continue
    rows.push(row)
    if (rows.length < PORTION) continue
    yield step(rows, passed)
    rows = []
  }
  if (rows.length) yield step(rows, passed)
}

/** Where the file is. Throws where it is not on this machine; beside an embedded database there is no other. */
function pathOf(engine: Engine, { input }: BatchJob<ImportJobInput>, batch: LeadImport): string {
  const path = input.path ?? (batch.file_key ? importUploadPath(engine.config, batch.file_key) : undefined)
  if (path && existsSync(path)) return path
  throw engine.config.databaseUrl && batch.file_key ? new FilesElsewhere(GONE) : problem.conflict(GONE)
}

async function takeRows(c: Context, run: BatchJob<ImportJobInput>, reading: RowReading, rows: readonly CsvRow[]) {
  const { tx, touched } = c.work
  const which = whichOf(run)
  const before = (await readImport(tx, which)).rows_added
  const { taken, reported, refused } = await decideRows(tx, which.clientId, reading, rows, before)
  const ids = reading.dry ? [] : await addImportedLeads(tx, which, reading.batch, taken)
  const idAt = new Map(taken.map((t, k) => [t.line, ids[k] ?? null]))
  await saveImportReport(
    tx,
    which,
    reported.map((r) => (r.twin === undefined ? r : { ...r, contact: idAt.get(r.twin) ?? null })),
  )
  const duplicate = reported.filter((r) => r.outcome === 'duplicate').length
  const bytes = rows.at(-1)?.bytes ?? 0
  await addImportCounts(tx, which, { read: rows.length, added: taken.length, duplicate, refused, bytes })
  for (const table of ['import_batch', ...(reading.dry ? [] : ['contact', 'note'])]) touched.add(table)
  return { done: taken.length, refused, tally: { duplicate } }
}
