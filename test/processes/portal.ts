import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll } from 'vitest'
import type { OsAccount } from '#server/db/embedded/binaries.ts'
import { findFreePort } from '../../scripts/free-port.mjs'

// Starts the real program in separate processes.

export const REPOSITORY_ROOT = join(import.meta.dirname, '../..')
const running = new Set<ChildProcess>()

/** Temporary folder of this test file. It is deleted at the end, after remaining processes have been killed. */
export const processFolder = mkdtempSync(join(tmpdir(), 'stanchion-processes-'))
// Under root, PostgreSQL runs under another account, which has to traverse this folder.
chmodSync(processFolder, 0o711)

afterAll(() => {
  for (const p of running) p.kill('SIGKILL')
  rmSync(processFolder, { recursive: true, force: true, maxRetries: 5 })
})

interface PortalStartOptions {
  readonly group?: boolean
  readonly cwd?: string
  readonly program?: string
  readonly account?: OsAccount | undefined
}

/**
 * Starts the program with arguments, optionally in its own process group, in another folder or under another account.
 * `said` contains its output, and `ended` resolves to its exit code.
 */
export function startProgram(
  args: readonly string[],
  env: Record<string, string>,
  { group = false, cwd = REPOSITORY_ROOT, program = 'src/app/cli.ts', account }: PortalStartOptions = {},
) {
  const { DATABASE_URL: _, ...mine } = process.env
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env: { ...mine, NODE_NO_WARNINGS: '1', LOG_LEVEL: 'error', SECOND_FACTOR: 'off', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: group,
    ...account,
  })
  running.add(child)
  const said = { out: '', err: '' }
  child.stdout?.on('data', (d) => (said.out += String(d)))
  child.stderr?.on('data', (d) => (said.err += String(d)))
  const ended = new Promise<number | null>((done) =>
    child.on('close', (code) => {
      running.delete(child)
      done(code)
    }),
  )
  return { child, said, ended }
}

export type ServedPortal = Awaited<ReturnType<typeof servePortal>>

/** Starts a server and waits until it responds. Throws with the reason if it does not start. */
export async function servePortal(env: Record<string, string>, options: PortalStartOptions = {}) {
  const port = await findFreePort()
  const it = startProgram(['start'], { PORT: String(port), ...env }, options)
  const origin = `http://127.0.0.1:${port}`
  for (;;) {
    if (it.child.exitCode !== null) throw new Error(`It ended: ${it.said.err}`)
    const answer = await fetch(`${origin}/healthz`).catch(() => undefined)
    if (answer?.ok) break
    await sleep(50)
  }
  const call = async (method: string, path: string, body?: unknown, token?: string, key?: string) => {
    const answer = await fetch(origin + path, {
      method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(key ? { 'idempotency-key': key } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    return { status: answer.status, body: answer.status === 204 ? undefined : await answer.json() }
  }
  const signIn = async (username: string, password: string) =>
    (await call('POST', '/api/security/login', { username, password })).body
  return { ...it, origin, call, signIn }
}
