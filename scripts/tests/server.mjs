// Starts the PostgreSQL server of a test run and measures its cost.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { buildSpawnOptions, node } from '../shared.mjs'

const CLOCK_TICKS = 100

/**
 * Returns the parent of a process and its clock ticks, from /proc. The ticks include those of children that have ended.
 */
function statOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return { parent: Number(fields[1]), ticks: fields.slice(11, 15).reduce((sum, n) => sum + Number(n), 0) }
}

/** Returns the processor seconds of a process and all its descendants. */
function secondsOf(root) {
  const all = new Map()
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      all.set(Number(pid), statOf(pid))
    } catch {
      // The process has ended since the folder was read.
    }
  const isBelow = (pid) => pid === root || (all.has(pid) && isBelow(all.get(pid).parent))
  return [...all].reduce((sum, [pid, { ticks }]) => sum + (isBelow(pid) ? ticks : 0), 0) / CLOCK_TICKS
}

/** Returns the ID of the server's main process, which is the parent of the process that serves a connection. */
async function postmasterOf(url) {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query('SELECT pg_backend_pid() AS pid')
    return statOf(rows[0].pid).parent
  } finally {
    await client.end()
  }
}

/**
 * Starts the server for the tests' databases. `seconds()` returns its processor seconds so far, or 0 if the system does
 * not report them.
 */
export async function startTestPostgres() {
  const child = spawn(node, ['test/support/postgres.ts'], {
    ...buildSpawnOptions(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [printed] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
  if (!Buffer.isBuffer(printed)) throw new Error('PostgreSQL could not be started.')
  const url = printed.toString().trim()
  process.env.TEST_DATABASE_URL = url
  const isKnown = existsSync('/proc/self/stat')
  const postmaster = isKnown ? await postmasterOf(url) : 0
  const ended = once(child, 'exit')
  return {
    seconds: () => (isKnown ? secondsOf(postmaster) : 0),
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}
