import { PROVIDER } from '#kernel/roles.ts'
import type { Db } from '#server/db/db.ts'
import type { BatchJob, BatchJobObserver, BatchJobState } from '#server/engine/batch-job.ts'
import type { Engine } from '#server/engine/types.ts'
import type { CsvPosition } from '#server/files/csv.ts'
import { replaceInput, resumeBatchJob, startBatchJob } from '#server/jobs/batch-job-control.ts'
import type { RegisterFile } from './import-file.server.ts'
import { createCompanyReader } from './import-row.ts'
import { companyImport, importPosition } from './import-run.server.ts'

const COMMAND = 'command line'
/** Rows that one step takes. */
const PORTION = 25_000
const BUSY =
  'Another import of this file is in progress. Wait for it to finish, or stop it first. An import that was killed can be resumed after a minute.'

/** An interrupted import, with its position. */
export interface InterruptedImport {
  readonly id: number
  readonly state: BatchJobState
  readonly read: number
  readonly place: CsvPosition
}

/** Finds an interrupted import of the same file; `undefined` if the file is new or was completed. */
export async function findInterruptedImport(db: Db, file: RegisterFile): Promise<InterruptedImport | undefined> {
  const [last] = await db.tx({ clientId: PROVIDER }, (tx) =>
    tx.rows<{ id: number; state: BatchJobState; read: number; place: unknown }>(
      `SELECT id, state, done + refused AS read, place FROM run
       WHERE client_id = $1 AND kind = $2 AND input ->> 'fingerprint' = $3 ORDER BY id DESC LIMIT 1`,
      [PROVIDER, companyImport.kind, file.fingerprint],
    ),
  )
  return last && last.state !== 'done'
    ? { ...last, place: importPosition.nullable().parse(last.place) ?? START }
    : undefined
}
const START: CsvPosition = { byte: 0, line: 1 }

/**
 * Imports a file from the saved position or the start, until its end or until `watch` stops it. After an interruption,
 * even a power cut, it continues after the last step. Throws a message if the file is unreadable or another process is
 * importing it.
 */
export async function importRegisterFile(
  engine: Engine,
  file: RegisterFile,
  left: InterruptedImport | undefined,
  watch: BatchJobObserver,
  portion = PORTION,
): Promise<BatchJob> {
  createCompanyReader(file.header)
  const actor = { userId: 0, clientId: PROVIDER, username: COMMAND, name: COMMAND, roles: [], scopes: [] }
  const input = { fingerprint: file.fingerprint, path: file.path, portion }
  const id = await engine.inTenant(PROVIDER, { actor, requestId: COMMAND }, async (c) => {
    if (!left) {
      const started = await startBatchJob(c, companyImport, input, { foreground: true })
      return () => started
    }
    await replaceInput(c, companyImport, left.id, input)
    if (left.state === 'stopped' || left.state === 'failed')
      await resumeBatchJob(c, companyImport, left.id, { foreground: true })
    return () => left.id
  })
  const run = await companyImport.work(engine, PROVIDER, id, watch)
  if (!run) throw new Error(BUSY)
  if (run.error) throw new Error(run.error)
  return run
}

/** Reasons for refused rows by frequency, and the first refused rows. */
export const readImportRefusals = (db: Db, { id }: BatchJob, shown: number) =>
  db.tx({ clientId: PROVIDER }, async (tx) => ({
    reasons: await tx.rows<{ reason: string; rows: number }>(
      'SELECT reason, count(*)::int AS rows FROM run_refusal WHERE client_id = $1 AND run_id = $2 GROUP BY reason ORDER BY min(id)',
      [PROVIDER, id],
    ),
    first: await tx.rows<{ line: number; reason: string }>(
      'SELECT line, reason FROM run_refusal WHERE client_id = $1 AND run_id = $2 ORDER BY id LIMIT $3',
      [PROVIDER, id, shown],
    ),
  }))
