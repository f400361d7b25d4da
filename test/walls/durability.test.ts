import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'

// The real program in processes of its own: what it has acknowledged is there afterwards, however it ended.

const ROOT = join(import.meta.dirname, '../..')
const home = mkdtempSync(join(tmpdir(), 'stanchion-durable-'))
const running = new Set<ChildProcess>()
const LEADS = '/api/crm/contacts'

afterAll(() => {
  for (const p of running) p.kill('SIGKILL')
  rmSync(home, { recursive: true, force: true, maxRetries: 5 })
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}

function portal(args: readonly string[], env: Record<string, string>) {
  const { DATABASE_URL: _, ...mine } = process.env
  const child = spawn(process.execPath, ['src/app/cli.ts', ...args], {
    cwd: ROOT,
    env: { ...mine, NODE_NO_WARNINGS: '1', LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
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

/** A server that answers, or the reason why not. */
async function serve(env: Record<string, string>) {
  const port = await freePort()
  const it = portal(['start'], { PORT: String(port), ...env })
  const origin = `http://127.0.0.1:${port}`
  for (let i = 0; i < 300; i++) {
    if (it.child.exitCode !== null) throw new Error(`It ended: ${it.said.err}`)
    const answer = await fetch(`${origin}/healthz`).catch(() => undefined)
    if (answer?.ok) break
    await sleep(100)
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
type Served = Awaited<ReturnType<typeof serve>>

const DEMO = ['manager', 'Portal-demo-2026'] as const

describe('the embedded database', () => {
  const env = { DATA_DIR: join(home, 'data') }
  let token: string
  /** What the server has said "201" or "200" to. */
  const acknowledged = { leads: new Set<number>(), notes: new Set<number>() }
  /** Names of leads that were sent, each its own idempotency key, and not acknowledged. */
  const unanswered = new Set<string>()

  /** Writes until the connection breaks. */
  async function write(to: Served, writer: number): Promise<void> {
    for (let i = 0; ; i++) {
      const companyName = `Durable ${writer}-${i}.`
      unanswered.add(companyName)
      const made = await to.call('POST', LEADS, { companyName }, token, companyName)
      if (made.status !== 201) throw new Error(`${made.status}`)
      unanswered.delete(companyName)
      acknowledged.leads.add(made.body.id)
      const ended = await to.call('POST', `${made.body['@id']}/outcomes`, { result: '/api/crm/last_results/47' }, token)
      if (ended.status !== 200) throw new Error(`${ended.status}`)
      acknowledged.notes.add(ended.body.note.id)
    }
  }

  async function everything(of: Served, path: string): Promise<Set<number>> {
    const found = new Set<number>()
    for (let page = 1; ; page++) {
      const { body } = await of.call('GET', `${path}&itemsPerPage=100&page=${page}`, undefined, token)
      for (const m of body['hydra:member']) found.add(m.id)
      if (body['hydra:member'].length < 100) return found
    }
  }

  test('keeps everything that was acknowledged, though the process is killed in the middle, five times', async () => {
    const lost: unknown[] = []
    for (let round = 0; round < 5; round++) {
      const server = await serve(env)
      token ??= (await server.signIn(...DEMO)).token
      const writers = [1, 2, 3].map((w) => write(server, round * 10 + w).catch(() => {}))
      const at = acknowledged.notes.size
      while (acknowledged.notes.size < at + 5) await sleep(20)
      await sleep(50 * round)
      server.child.kill('SIGKILL')
      await Promise.all([server.ended, ...writers])
      const again = await serve(env)
      const leads = await everything(again, `${LEADS}?companyName=Durable`)
      const notes = await everything(again, '/api/crm/actions?lastResult=/api/crm/last_results/47')
      lost.push(...[...acknowledged.leads].filter((id) => !leads.has(id)))
      lost.push(...[...acknowledged.notes].filter((id) => !notes.has(id)))
      // Asked again with its key, each is there once, or the key says that the dead request may still be running.
      for (const companyName of unanswered) {
        const { status } = await again.call('POST', LEADS, { companyName }, token, companyName)
        const there = await everything(again, `${LEADS}?companyName=${companyName}`)
        expect([companyName, status, there.size]).toEqual([companyName, status, status === 201 ? 1 : 0])
        expect([201, 409]).toContain(status)
        unanswered.delete(companyName)
      }
      // The counts are as whole as the leads.
      const { body: all } = await again.call('GET', `${LEADS}/count`, undefined, token)
      const { body: list } = await again.call('GET', `${LEADS}?retired=false&itemsPerPage=0`, undefined, token)
      expect(all.count).toBe(list['hydra:totalItems'])
      again.child.kill('SIGINT')
      expect(await again.ended).toBe(0)
    }
    expect(lost).toEqual([])
    expect(acknowledged.notes.size).toBeGreaterThan(25)
  }, 180_000)

  test('is one process’s at a time, which the second is told in a sentence', async () => {
    const first = await serve(env)
    const second = portal(['start'], { ...env, PORT: String(await freePort()) })
    expect(await second.ended).toBe(1)
    expect(second.said.err.trim()).toBe(
      `The data folder ${env.DATA_DIR} is in use by another portal (process ${first.child.pid}). Stop that one first, or set DATA_DIR to another folder.`,
    )
    expect((await first.call('GET', '/readyz')).status).toBe(200)
    for (const args of [['migrate'], ['user', 'create', '--username', 'x', '--password', 'harbour tin piano']]) {
      const other = portal(args, env)
      expect([args[0], await other.ended, other.said.err]).toEqual([args[0], 1, expect.stringContaining('is in use')])
    }
    first.child.kill('SIGTERM')
    expect(await first.ended).toBe(0)
  }, 60_000)

  test('is left in order by Ctrl-C, with a request under way', async () => {
    const server = await serve(env)
    const asked = server.call('POST', LEADS, { companyName: 'Durable last' }, token).catch(() => undefined)
    await sleep(5)
    server.child.kill('SIGINT')
    expect(await server.ended).toBe(0)
    expect([server.said.err, existsSync(join(env.DATA_DIR, 'stanchion.lock'))]).toEqual(['', false])
    const made = await asked
    const again = await serve(env)
    expect(
      made === undefined ||
        made.status === 503 ||
        (await again.call('GET', made.body['@id'], undefined, token)).status === 200,
    ).toBe(true)
    again.child.kill('SIGINT')
    await again.ended
  }, 60_000)

  test('says in a sentence that its port is taken', async () => {
    const server = await serve(env)
    const port = new URL(server.origin).port
    const other = portal(['start'], { DATA_DIR: join(home, 'other'), PORT: port })
    expect(await other.ended).toBe(1)
    expect(other.said.err.trim()).toBe('That port is in use. Stop the other program, or set PORT to another number.')
    server.child.kill('SIGINT')
    await server.ended
  }, 60_000)
})

describe.skipIf(!process.env.TEST_DATABASE_URL)('a PostgreSQL server', () => {
  test('gets no demo world, its first administrator from the command line, and several processes', async () => {
    const url = process.env.TEST_DATABASE_URL as string
    const name = `stanchion_durable_${process.pid}`
    const admin = new pg.Client({ connectionString: url })
    await admin.connect()
    await admin.query(`CREATE DATABASE ${name}`)
    const env = {
      DATABASE_URL: Object.assign(new URL(url), { pathname: `/${name}` }).href,
      DATA_DIR: join(home, 'unused'),
    }
    try {
      const make = (password: string) =>
        portal(
          [
            'user',
            'create',
            '--username',
            'first',
            '--client',
            '0',
            '--roles',
            'ROLE_STAFF,ROLE_USER_ADMIN',
            '--password',
            password,
          ],
          env,
        )
      const weak = make('password1')
      expect([await weak.ended, weak.said.err.trim()]).toEqual([1, 'Please use at least 10 characters'])
      const made = make('harbour tin piano')
      expect([await made.ended, made.said.out.trim()]).toEqual([0, 'first can sign in to client 0.'])
      const twice = make('harbour tin piano')
      expect([await twice.ended, twice.said.err.trim()]).toEqual([1, 'Client 0 already has a user first.'])
      const demo = portal(['demo'], env)
      expect([await demo.ended, demo.said.err.trim()]).toEqual([
        1,
        'The demo world is never loaded into a database server.',
      ])

      const [one, two] = await Promise.all([serve(env), serve(env)])
      expect((await one.call('GET', '/api/portal/public')).body).toMatchObject({ demo: [], demoPassword: null })
      expect((await one.call('POST', '/api/security/login', { username: DEMO[0], password: DEMO[1] })).status).toBe(401)
      const { token, user } = await one.signIn('first', 'harbour tin piano')
      expect(user.roles).toEqual(['ROLE_STAFF', 'ROLE_USER_ADMIN'])
      const lead = (await one.call('POST', LEADS, { companyName: 'Acme' }, token)).body
      expect((await two.call('GET', lead['@id'], undefined, token)).body.companyName).toBe('Acme')
      expect((await two.call('GET', `${LEADS}/count`, undefined, token)).body.count).toBe(1)
      for (const s of [one, two]) s.child.kill('SIGINT')
      expect(await Promise.all([one.ended, two.ended])).toEqual([0, 0])
      expect(existsSync(env.DATA_DIR)).toBe(false)
    } finally {
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
      await admin.end()
    }
  }, 120_000)
})
