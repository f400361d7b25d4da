import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/*
 * Runs all benchmarks, each in a separate process, so that one failure does not stop the rest. `npm run bench --
 * --quick` is a shorter run; `npm run bench -- documents pdf` runs only the named benchmarks. Benchmarks that need
 * further options run only if named.
 */
const PROGRAMS = [
  'contacts',
  'start',
  'scale',
  'walls',
  'guards',
  'documents',
  'improving',
  'incidents',
  'people',
  'training',
  'companies',
  'quotes',
  'sales',
  'billing',
  'next',
  'callers',
  'counts',
  'import',
  'export',
  'letters',
  'evidence',
  'pdf',
  'grid',
  'web',
  'sizes',
]
const BY_NAME = ['against', 'documents-against']
const options = process.argv.slice(2)
const named = options.filter((o) => !o.startsWith('--'))
const unknown = named.filter((n) => ![...PROGRAMS, ...BY_NAME].includes(n))
if (unknown.length) {
  console.error(
    `There is no benchmark called ${unknown.join(', ')}. Choose from ${[...PROGRAMS, ...BY_NAME].join(', ')}.`,
  )
  process.exit(1)
}

const asked = named.length ? [...PROGRAMS, ...BY_NAME].filter((name) => named.includes(name)) : PROGRAMS
/** Minutes after which a benchmark is assumed to hang. */
const LIMIT_MINUTES = options.includes('--quick') ? 15 : 60
/** Milliseconds that a benchmark has to stop the processes it started. */
const TIDY_MS = 10_000

/** Signals the process group, so that a benchmark's servers are stopped too. */
const tell = ({ pid }: ChildProcess, signal: NodeJS.Signals): void => {
  try {
    if (pid) process.kill(process.platform === 'win32' ? pid : -pid, signal)
  } catch {
    // The process group has ended already.
  }
}

let isStopped = false

async function measure(name: string): Promise<boolean> {
  const alone = join(import.meta.dirname, `${name}.ts`)
  const program = existsSync(alone) ? alone : join(import.meta.dirname, name, 'run.ts')
  const child = spawn(process.execPath, [program, ...options.filter((o) => o.startsWith('--'))], {
    stdio: 'inherit',
    detached: process.platform !== 'win32',
  })
  const ended = once(child, 'exit').then(([code]) => code === 0)
  const stop = () => {
    isStopped = true
    tell(child, 'SIGTERM')
  }
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const signal of signals) process.on(signal, stop)
  const over = new AbortController()
  const late = sleep(LIMIT_MINUTES * 60_000, undefined, { signal: over.signal }).then(async () => {
    console.log(`\n${name} was stopped because it did not finish within ${LIMIT_MINUTES} minutes.`)
    tell(child, 'SIGTERM')
    await Promise.race([ended, sleep(TIDY_MS)])
    return false
  })
  const isWhole = await Promise.race([ended, late])
  over.abort()
  late.catch(() => {})
  // Leftover processes would slow the next benchmark.
  tell(child, 'SIGKILL')
  for (const signal of signals) process.off(signal, stop)
  return isWhole
}

const failed: string[] = []
for (const name of asked) {
  if (isStopped) break
  console.log(`\n## ${name} (machine load ${loadavg()[0]?.toFixed(1)})\n`)
  if (!(await measure(name))) failed.push(name)
}
if (failed.length) {
  console.log(`\nNot measured, or incomplete: ${failed.join(', ')}.`)
  process.exitCode = 1
}
