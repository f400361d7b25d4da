// The PostgreSQL server of a run of tests.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { childOptions, node } from '../shared.mjs'

const CLOCK_TICKS = 100

/** The numbers of a process in /proc: its parent, and its clock ticks with those of the children that have ended. */
function statOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return { parent: Number(fields[1]), ticks: fields.slice(11, 15).reduce((sum, n) => sum + Number(n), 0) }
}

/** Processor seconds of a process and all below it. */
function secondsOf(root) {
  const all = new Map()
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      all.set(Number(pid), statOf(pid))
    } catch {
      // It has ended meanwhile.
    }
  const isBelow = (pid) => pid === root || (all.has(pid) && isBelow(all.get(pid).parent))
  return [...all].reduce((sum, [pid, { ticks }]) => sum + (isBelow(pid) ? ticks : 0), 0) / CLOCK_TICKS
}

/** The server's first process: the parent of the one that serves a connection. */
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

/** Starts the server that the tests' databases are on. `seconds()` is what it has cost so far, as far as the system tells. */
export async function startServer() {
  const child = spawn(node, ['test/support/postgres.ts'], { ...childOptions(), stdio: ['ignore', 'pipe', 'inherit'] })
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
