import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { BatchJob } from '#server/engine/batch-job.ts'
import type { Engine } from '#server/engine/types.ts'
import { openRegisterFile } from './import-file.server.ts'
import { importPosition } from './import-run.server.ts'
import {
  findInterruptedImport,
  type InterruptedImport,
  importRegisterFile,
  readImportRefusals,
} from './import-start.server.ts'

const USAGE = 'Usage: import companies FILE.csv [--resume]'
const SHOWN = 10

const n = (value: number) => value.toLocaleString('en-GB')
const minutes = (s: number) => (s < 90 ? `${Math.ceil(s)} s` : `${Math.ceil(s / 60)} min`)
const rowsRead = (run: BatchJob) => run.done + run.refused

/** Reports progress: continuously in one line on a terminal, occasionally in a file. */
function progressLine(bytes: number, left: InterruptedImport | undefined) {
  const began = performance.now()
  const first = left?.place.byte ?? 0
  let told = 0
  return (run: BatchJob, place: unknown) => {
    const { byte } = importPosition.parse(place)
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
  const { reasons, first } = await readImportRefusals(db, run, SHOWN)
  const { added = 0, changed = 0, unchanged = 0 } = run.tally
  return [
    `${n(rowsRead(run))} rows read: ${n(added)} added, ${n(changed)} changed, ${n(unchanged)} unchanged, ${n(run.refused)} refused (${minutes(seconds)}).`,
    ...reasons.map(({ reason, rows }) => `  ${n(rows)} × ${reason}`),
    ...first.map((r) => `  line ${n(r.line)}: ${r.reason}`),
    ...(run.refused > SHOWN ? [`  … and ${n(run.refused - SHOWN)} more refused`] : []),
  ].join('\n')
}

/**
 * Updates the register of companies from the public register's file and returns a summary. Throws a message on failure.
 */
export async function runCompanyImport(engine: Engine, args: string[]): Promise<string> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { resume: { type: 'boolean' } } })
  const [path] = positionals
  if (!path || positionals.length > 1) throw new Error(USAGE)
  const file = await openRegisterFile(resolve(path))
  let stopped = false
  const stop = () => {
    if (stopped) process.exit(130)
    stopped = true
    process.stderr.write('\nStopping after this step. Press Ctrl-C again to stop at once.\n')
  }
  process.on('SIGINT', stop)
  try {
    const left = await findInterruptedImport(engine.db, file)
    if (values.resume && !left)
      throw new Error('There is nothing to resume: this file has not been started, or is complete.')
    if (left) process.stderr.write(`Resuming after row ${n(left.read)}.\n`)
    const began = performance.now()
    const watch = { onStep: progressLine(file.bytes, left), shouldStop: () => stopped }
    const done = await importRegisterFile(engine, file, left, watch)
    if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
    if (done.state !== 'done')
      throw new Error(
        `Stopped after row ${n(rowsRead(done))}; everything up to there is saved. Run the same command again to continue.`,
      )
    return await report(engine, done, (performance.now() - began) / 1000)
  } finally {
    process.off('SIGINT', stop)
  }
}
