import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { processFolder, type ServedPortal, servePortal } from './portal.ts'

// All data that the embedded database has acknowledged survives, however its process ended.

const LEADS = '/api/crm/contacts'
const ROUNDS = 5
const env = { DATA_DIR: join(processFolder, 'acknowledged') }
/** Records that the server has acknowledged with 201 or 200. */
const acknowledged = { leads: new Set<number>(), notes: new Set<number>() }
/** Names of leads that were sent but not acknowledged; each name is also the idempotency key. */
const unanswered = new Set<string>()
let token: string

/** Writes until the connection breaks. Calls `heard` after each acknowledged outcome. */
async function write(to: ServedPortal, writer: string, heard: () => void): Promise<void> {
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
    heard()
  }
}

/** Kills the server while three clients write to it, once it has acknowledged some more outcomes. */
async function killWhileWriting(server: ServedPortal, round: number): Promise<void> {
  const goal = acknowledged.notes.size + 5 + 4 * round
  const enough = Promise.withResolvers<void>()
  const heard = () => acknowledged.notes.size >= goal && enough.resolve()
  const writers = [1, 2, 3].map((w) => write(server, `${round}-${w}`, heard).catch(enough.reject))
  await enough.promise
  server.child.kill('SIGKILL')
  await Promise.all([server.ended, ...writers])
}

async function readIds(from: ServedPortal, path: string): Promise<Set<number>> {
  const found = new Set<number>()
  for (let page = 1; ; page++) {
    const { body } = await from.call('GET', `${path}&itemsPerPage=100&page=${page}`, undefined, token)
    for (const m of body['hydra:member']) found.add(m.id)
    if (body['hydra:member'].length < 100) return found
  }
}

test('the embedded database loses no acknowledged write, even if it is killed five times while writing', async () => {
  const lost: unknown[] = []
  let server = await servePortal(env)
  token = (await server.signIn('manager', 'Portal-demo-2026')).token
  for (let round = 0; round < ROUNDS; round++) {
    await killWhileWriting(server, round)
    server = await servePortal(env)
    const leads = await readIds(server, `${LEADS}?companyName=Durable`)
    const notes = await readIds(server, '/api/crm/actions?lastResult=/api/crm/last_results/47')
    lost.push(...[...acknowledged.leads].filter((id) => !leads.has(id)))
    lost.push(...[...acknowledged.notes].filter((id) => !notes.has(id)))
    // The test repeats each request with the same key. The lead then exists once, or the response says that the earlier
    // request may still be running.
    for (const companyName of unanswered) {
      const { status } = await server.call('POST', LEADS, { companyName }, token, companyName)
      const there = await readIds(server, `${LEADS}?companyName=${companyName}`)
      expect([companyName, status, there.size]).toEqual([companyName, status, status === 201 ? 1 : 0])
      expect([201, 409]).toContain(status)
      unanswered.delete(companyName)
    }
    // The counts agree with the list of leads.
    const { body: all } = await server.call('GET', `${LEADS}/count`, undefined, token)
    const { body: list } = await server.call('GET', `${LEADS}?retired=false&itemsPerPage=0`, undefined, token)
    expect(all.count).toBe(list['hydra:totalItems'])
  }
  server.child.kill('SIGINT')
  expect(await server.ended).toBe(0)
  expect(lost).toEqual([])
  expect(acknowledged.notes.size).toBeGreaterThan(25)
})

test('Ctrl-C during requests shuts the embedded database down cleanly', async () => {
  const server = await servePortal(env)
  const asked = Array.from({ length: 12 }, (_, i) =>
    server.call('POST', LEADS, { companyName: `Durable last ${i}` }, token).catch(() => undefined),
  )
  await Promise.race(asked)
  server.child.kill('SIGINT')
  expect(await server.ended).toBe(0)
  expect([server.said.err, existsSync(join(env.DATA_DIR, 'stanchion.lock'))]).toEqual(['', false])
  const again = await servePortal(env)
  for (const made of await Promise.all(asked)) {
    const kept = made?.status === 201 && (await again.call('GET', made.body['@id'], undefined, token)).status
    expect([undefined, 503, 201]).toContain(made?.status)
    expect([false, 200]).toContain(kept)
  }
  again.child.kill('SIGINT')
  expect(await again.ended).toBe(0)
})
