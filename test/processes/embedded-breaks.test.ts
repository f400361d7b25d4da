import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyDemoWorld } from '#test/support/demo-world.ts'
import { freePort } from '../../scripts/free-port.mjs'
import { home, serve } from './portal.ts'

// An embedded database that breaks down takes its process with it, and nothing that was acknowledged.

const ROOT = join(import.meta.dirname, '../..')
const LEADS = '/api/crm/contacts'
const env = { DATA_DIR: join(home, 'breaks') }
const children = new Set<ReturnType<typeof spawn>>()
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
})

beforeAll(() => copyDemoWorld(env.DATA_DIR))

/** A server that breaks when it is told to. */
async function breaking(how: 'trap' | 'memory' | 'time', more: Record<string, string> = {}) {
  const port = await freePort()
  const { DATABASE_URL: _, ...mine } = process.env
  const child = spawn(process.execPath, ['test/processes/breaking.ts'], {
    cwd: ROOT,
    env: {
      ...mine,
      NODE_NO_WARNINGS: '1',
      LOG_LEVEL: 'error',
      SECOND_FACTOR: 'off',
      PORT: String(port),
      BREAKS: how,
      ...env,
      ...more,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.add(child)
  let said = ''
  child.stderr.on('data', (d) => (said += String(d)))
  const ended = once(child, 'close')
  await once(child.stdout, 'data')
  const call = async (method: string, path: string, body?: object, token?: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    }).catch(() => undefined)
    return { status: answer?.status ?? 0, body: await answer?.json().catch(() => undefined) }
  }
  const { token } = (await call('POST', '/api/security/login', { username: 'manager', password: 'Portal-demo-2026' }))
    .body
  return { child, call, token: token as string, ended, said: () => said }
}

/** Leads that the server has acknowledged. */
async function makeLeads(server: Awaited<ReturnType<typeof breaking>>): Promise<string[]> {
  const made: string[] = []
  for (let i = 0; i < 5; i++)
    made.push((await server.call('POST', LEADS, { companyName: `Kept ${i}` }, server.token)).body['@id'])
  return made
}

async function areThere(made: readonly string[]): Promise<void> {
  const again = await serve(env)
  const { token } = await again.signIn('manager', 'Portal-demo-2026')
  for (const iri of made) expect([iri, (await again.call('GET', iri, undefined, token)).status]).toEqual([iri, 200])
  again.child.kill('SIGTERM')
  expect(await again.ended).toBe(0)
}

test('that traps: requests are refused, the process ends with a sentence, and what was acknowledged is there', async () => {
  const server = await breaking('trap')
  const made = await makeLeads(server)
  server.child.kill('SIGUSR2')
  const answers = await Promise.all(
    [1, 2, 3, 4].map((n) => server.call('POST', LEADS, { companyName: `Late ${n}` }, server.token)),
  )
  expect(answers.map(({ status }) => status)).toContain(503)
  for (const { status } of answers) expect([201, 503, 0]).toContain(status)
  expect((await server.ended)[0]).toBe(70)
  expect(server.said()).toContain('The embedded database has broken down.')
  await areThere(made)
})

test('whose memory is nonsense: the process ends, whether it traps or goes round in circles, and nothing is lost', async () => {
  const server = await breaking('memory', { STATEMENT_SECONDS: '2' })
  const made = await makeLeads(server)
  server.child.kill('SIGUSR2')
  await server.call('POST', LEADS, { companyName: 'Late' }, server.token)
  const [code] = await server.ended
  expect(code).not.toBe(0)
  await areThere(made)
})

test('whose statement does not end: so does the process, after twice the time that a statement may take', async () => {
  const server = await breaking('time', { STATEMENT_SECONDS: '2' })
  server.child.kill('SIGUSR2')
  expect(await server.ended).toEqual([null, 'SIGKILL'])
  expect(server.said()).toContain('Nothing was answered for 4 seconds')
})
