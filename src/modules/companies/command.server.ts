import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import type { Db } from '#server/db/db.ts'
import type { BatchJob, BatchJobObserver, BatchJobState } from '#server/engine/schedule.ts'
import type { Engine } from '#server/engine/types.ts'
import type { CsvPosition } from '#server/files/csv.ts'
import { replaceBatchJobInput, resumeBatchJob, startBatchJob } from '#server/jobs/batch-job-control.ts'
import { createCompanyRowParser } from './import-row.ts'
import {
  type CompanyRegisterFile,
  companyImportJob,
  importPositionSchema,
  openCompanyRegisterFile,
} from './import-run.server.ts'

const COMMAND = 'command line'
/** Number of rows saved in each transaction. */
const PORTION = 25_000
const BUSY =
  'Another import of this file is in progress. Wait for that import to finish, or stop it first. An import that was killed can be resumed after a minute.'

/** An interrupted import and the file position from which to resume it. */
interface InterruptedImport {
  readonly id: number
  readonly state: BatchJobState
  readonly read: number
  readonly place: CsvPosition
}

/**
 * Finds an interrupted import of the same file. Returns `undefined` if the file has never been imported or its import
 * was completed.
 */
export async function findInterruptedImport(db: Db, file: CompanyRegisterFile): Promise<InterruptedImport | undefined> {
  const [last] = await db.tx({ clientId: PROVIDER_CLIENT_ID }, (tx) =>
    tx.rows<{ id: number; state: BatchJobState; read: number; place: unknown }>(
      `SELECT id, state, done + refused AS read, place FROM run
       WHERE client_id = $1 AND kind = $2 AND input ->> 'fingerprint' = $3 ORDER BY id DESC LIMIT 1`,
      [PROVIDER_CLIENT_ID, companyImportJob.kind, file.fingerprint],
    ),
  )
  return last && last.state !== 'done'
    ? { ...last, place: importPositionSchema.nullable().parse(last.place) ?? START }
    : undefined
}
const START: CsvPosition = { byte: 0, line: 1 }

/**
 * Imports a file from the saved position, or from the start, until the file ends or `watch` stops the import. After an
 * interruption, even a power cut, the import resumes after the last committed transaction. Throws an error with a
 * message if the file is unreadable or another process is importing it.
 */
export async function importCompanyRegisterFile(
  engine: Engine,
  file: CompanyRegisterFile,
  left: InterruptedImport | undefined,
  watch: BatchJobObserver,
  portion = PORTION,
): Promise<BatchJob> {
  createCompanyRowParser(file.header)
  const actor = { userId: 0, clientId: PROVIDER_CLIENT_ID, username: COMMAND, name: COMMAND, roles: [], scopes: [] }
  const input = { fingerprint: file.fingerprint, path: file.path, portion }
  const id = await engine.inTenant(PROVIDER_CLIENT_ID, { actor, requestId: COMMAND }, async (c) => {
    if (!left) {
      const started = await startBatchJob(c, companyImportJob, input, { foreground: true })
      return () => started
    }
    await replaceBatchJobInput(c, companyImportJob, left.id, input)
    if (left.state === 'stopped' || left.state === 'failed')
      await resumeBatchJob(c, companyImportJob, left.id, { foreground: true })
    return () => left.id
  })
  const run = await companyImportJob.work(engine, PROVIDER_CLIENT_ID, id, watch)
  if (!run) throw new Error(BUSY)
  if (run.error) throw new Error(run.error)
  return run
}

/** Returns the reasons why rows were refused, with the number of rows for each, and the first refused rows. */
export const readImportRejections = (db: Db, { id }: BatchJob, shown: number) =>
  db.tx({ clientId: PROVIDER_CLIENT_ID }, async (tx) => ({
    reasons: await tx.rows<{ reason: string; rows: number }>(
      'SELECT reason, count(*)::int AS rows FROM run_refusal WHERE client_id = $1 AND run_id = $2 GROUP BY reason ORDER BY min(id)',
      [PROVIDER_CLIENT_ID, id],
    ),
    first: await tx.rows<{ line: number; reason: string }>(
      'SELECT line, reason FROM run_refusal WHERE client_id = $1 AND run_id = $2 ORDER BY id LIMIT $3',
      [PROVIDER_CLIENT_ID, id, shown],
    ),
  }))

const USAGE = 'Usage: import companies FILE.csv [--resume]'
const SHOWN_REFUSALS = 10

const n = (value: number) => value.toLocaleString('en-GB')
const minutes = (s: number) => (s < 90 ? `${Math.ceil(s)} s` : `${Math.ceil(s / 60)} min`)
const rowsRead = (run: BatchJob) => run.done + run.refused

/** Reports progress: continuously on one line of a terminal, occasionally in a log file. */
function progressLine(bytes: number, left: InterruptedImport | undefined) {
  const began = performance.now()
  const first = left?.place.byte ?? 0
  let told = 0
  return (run: BatchJob, place: unknown) => {
    const { byte } = importPositionSchema.parse(place)
    const seconds = (performance.now() - began) / 1000
    const share = (byte - first) / Math.max(1, bytes - first)
    const speed = (rowsRead(run) - (left?.read ?? 0)) / seconds
    const line = `${n(rowsRead(run))} companies read (${((100 * byte) / bytes).toFixed(1)}%), ${n(Math.round(speed))} a second, ${minutes((seconds / share) * (1 - share))} left`
    if (process.stderr.isTTY) process.stderr.write(`\r${line}\u001b[K`)
    else if (seconds - told >= 10 || told === 0) process.stderr.write(`${line}\n`)
    else return
    told = seconds
  }
}

async function report({ db }: Engine, run: BatchJob, seconds: number): Promise<string> {
  const { reasons, first } = await readImportRejections(db, run, SHOWN_REFUSALS)
  const { added = 0, changed = 0, unchanged = 0 } = run.tally
  return [
    `${n(rowsRead(run))} rows read: ${n(added)} added, ${n(changed)} changed, ${n(unchanged)} unchanged, ${n(run.refused)} rejected (${minutes(seconds)}).`,
    ...reasons.map(({ reason, rows }) => `  ${n(rows)} × ${reason}`),
    ...first.map((r) => `  line ${n(r.line)}: ${r.reason}`),
    ...(run.refused > SHOWN_REFUSALS ? [`  … and ${n(run.refused - SHOWN_REFUSALS)} more rejected`] : []),
  ].join('\n')
}

/**
 * Updates the portal's company register from a file of the public register and returns a summary. Throws an error with
 * a message on failure.
 */
export async function runCompanyImport(engine: Engine, args: string[]): Promise<string> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { resume: { type: 'boolean' } } })
  const [path] = positionals
  if (!path || positionals.length > 1) throw new Error(USAGE)
  const file = await openCompanyRegisterFile(resolve(path))
  let stopped = false
  const stop = () => {
    if (stopped) process.exit(130)
    stopped = true
    process.stderr.write('\nStopping after this step. Press Ctrl-C again to stop immediately.\n')
  }
  process.on('SIGINT', stop)
  try {
    const left = await findInterruptedImport(engine.db, file)
    if (values.resume && !left)
      throw new Error(
        'There is nothing to resume, because the import of this file has not been started or is complete.',
      )
    if (left) process.stderr.write(`Resuming after row ${n(left.read)}.\n`)
    const began = performance.now()
    const watch = { onStep: progressLine(file.bytes, left), shouldStop: () => stopped }
    const done = await importCompanyRegisterFile(engine, file, left, watch)
    if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
    if (done.state !== 'done')
      throw new Error(
        `Stopped after row ${n(rowsRead(done))}. All rows read so far are saved. Run the same command again to continue.`,
      )
    return await report(engine, done, (performance.now() - began) / 1000)
  } finally {
    process.off('SIGINT', stop)
  }
}
