import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Engine } from '#server/engine/engine.ts'
import { registerFile } from './import-file.server.ts'
import { begin, interrupted, type Progress, runCompanyImport } from './import-run.server.ts'
import { embeddedStore, serverStore } from './import-store.server.ts'

const USAGE = 'Say: import companies FILE.csv [--resume]'
const SHOWN = 10

const n = (value: number) => value.toLocaleString('en-GB')
const minutes = (s: number) => (s < 90 ? `${Math.ceil(s)} s` : `${Math.ceil(s / 60)} min`)

/** Says how far it is: over and over in one line on a screen, now and then where output goes to a file. */
function progressLine(bytes: number, from: Progress) {
  const began = performance.now()
  let told = 0
  return (p: Progress) => {
    const seconds = (performance.now() - began) / 1000
    const share = (p.next_byte - from.next_byte) / Math.max(1, bytes - from.next_byte)
    const speed = (p.rows_read - from.rows_read) / seconds
    const line = `${n(p.rows_read)} companies read (${((100 * p.next_byte) / bytes).toFixed(1)} %), ${n(Math.round(speed))} a second, ${minutes((seconds / share) * (1 - share))} left`
    if (process.stderr.isTTY) process.stderr.write(`\r${line}\u001b[K`)
    else if (seconds - told >= 10 || told === 0) process.stderr.write(`${line}\n`)
    else return
    told = seconds
  }
}

function report(p: Progress, seconds: number): string {
  const reasons = new Map<string, number>()
  for (const { reason } of p.refusals) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
  return [
    `${n(p.rows_read)} rows read: ${n(p.rows_added)} added, ${n(p.rows_changed)} changed, ${n(p.rows_unchanged)} unchanged, ${n(p.rows_refused)} refused (${minutes(seconds)}).`,
    ...[...reasons].map(([reason, rows]) => `  ${n(rows)} × ${reason}`),
    ...p.refusals.slice(0, SHOWN).map((r) => `  line ${n(r.line)}: ${r.reason}`),
    ...(p.rows_refused > SHOWN ? [`  … and ${n(p.rows_refused - SHOWN)} more refused`] : []),
  ].join('\n')
}

/** Brings the register of companies up to date from the public register's file, and says what came of it. Throws one sentence when it can't. */
export async function run({ db, config }: Engine, args: string[]): Promise<string> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { resume: { type: 'boolean' } } })
  const [path] = positionals
  if (!path || positionals.length > 1) throw new Error(USAGE)
  const file = await registerFile(resolve(path))
  const store = config.databaseUrl ? await serverStore(config.databaseUrl) : embeddedStore(db)
  let stopped = false
  const stop = () => {
    if (stopped) process.exit(130)
    stopped = true
    process.stderr.write('\nStopping behind this step. Ctrl-C again stops at once.\n')
  }
  process.on('SIGINT', stop)
  try {
    const left = await interrupted(store, file)
    if (values.resume && !left)
      throw new Error('There is nothing to resume: this file was never begun, or was read to its end.')
    if (left) process.stderr.write(`Going on behind row ${n(left.rows_read)}.\n`)
    const from = left ?? (await begin(store, file))
    const began = performance.now()
    const tell = progressLine(file.bytes, from)
    let last = from
    const onStep = (p: Progress) => {
      last = p
      tell(p)
    }
    const done = await runCompanyImport(store, file, from, onStep, () => stopped)
    if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
    if (!done)
      throw new Error(
        `Stopped behind row ${n(last.rows_read)}; that much is safe. Give the same command again to go on.`,
      )
    return report(last, (performance.now() - began) / 1000)
  } finally {
    process.off('SIGINT', stop)
    await store.close()
  }
}
