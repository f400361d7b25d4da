import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Resource } from '#kernel/resource.ts'
import { MAX_BLOCKING_MS, measureLongestBlock, measureThreadTime } from '#test/support/effort.ts'
import { type TestResponse, testPortal } from '#test/support/portal.ts'
import { Random } from '#test/support/random.ts'
import { scaleRunCount, TEST_SEED } from '#test/support/scope.ts'
import { EXCLUDED_OPERATIONS, type FuzzRequest, type KnownRecords, listFuzzTargets, makeFuzzRequest } from './fuzz.ts'
import {
  CLIENT_MARKS,
  type InvariantWorld,
  insertRow,
  makeActors,
  makeInvariantWorld,
  makeRequestBody,
  type TestActor,
} from './world.ts'

const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? scaleRunCount(5000))
/** Number of requests after which all tokens are renewed, because some requests revoke their own token. */
const FRESH = 250

const folder = mkdtempSync(join(tmpdir(), 'fuzz-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const portal = await (await testPortal()).with({ DATA_DIR: folder, FILES_MAX_MB: '1' })

/** Returns one record of each resource in one client, and a valid body for each. */
async function knownIn(w: InvariantWorld): Promise<KnownRecords> {
  const bodies = new Map<Resource, Record<string, unknown>>()
  const records = new Map<string, string>()
  for (const r of portal.engine.addressed) {
    records.set(r.url, r.tenant === 'shared' ? '3' : String(await insertRow(w, r, w.home.id, CLIENT_MARKS.home)))
    bodies.set(r, await makeRequestBody(w, r.fields, w.home.id, CLIENT_MARKS.home))
  }
  const ids = [...new Set(['0', '1', '999999999999', 'bulk', 'counts', 'next', ...records.values()])]
  return { ids, records, bodies }
}

/**
 * Returns a function that restores the actors' usernames, accounts and clients. A fuzzed request may have renamed or
 * retired them, and their later requests would then test nothing.
 */
async function makeActorRestorer(actors: readonly TestActor[]): Promise<() => Promise<unknown>> {
  const [clients, users] = [actors.map((a) => a.clientId), actors.map((a) => a.userId)]
  const known = await portal.db.tx('system', (tx) =>
    tx.rows<{ id: number; username: string }>('SELECT id, username FROM user_account WHERE id = ANY($1::bigint[])', [
      users,
    ]),
  )
  return () =>
    portal.db.tx('system', async (tx) => {
      await tx.rows('UPDATE client SET retired = false WHERE id = ANY($1::bigint[]) AND retired', [clients])
      for (const { id, username } of known)
        await tx.rows(
          'UPDATE user_account SET username = $2, is_retired = false WHERE id = $1 AND (is_retired OR username <> $2)',
          [id, username],
        )
    })
}

const shown = ({ method, url, body = '' }: FuzzRequest, actor: string) =>
  `${actor}: ${method} ${url.slice(0, 300)} ${body.length > 300 ? `${body.slice(0, 300)}… (${body.length})` : body}`

test('the fuzz test covers every documented operation', async () => {
  const { paths } = (await portal.anonymous.get('/api/docs.json')).body as { paths: Record<string, object> }
  const tried = new Set(listFuzzTargets(portal.engine).map(({ method, url }) => `${method} ${url}`))
  const named = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).flatMap((method) =>
      method === 'parameters' ? [] : [`${method.toUpperCase()} ${path.replace('{format}', 'csv')}`],
    ),
  )
  expect(named.length).toBeGreaterThan(400)
  expect(named.filter((one) => !tried.has(one) && !EXCLUDED_OPERATIONS.has(one))).toEqual([])
})

test('no fuzzed request by any user causes a server error or blocks other requests', async () => {
  const world = await makeInvariantWorld(portal)
  const known = await knownIn(world)
  const actors = await makeActors(world)
  const restoreActors = await makeActorRestorer(actors)
  const random = new Random(TEST_SEED)
  const doors = listFuzzTargets(portal.engine)
  const first = random.below(doors.length)
  const failed: string[] = []
  const slow: string[] = []
  const answers = new Map<number, number>()
  let tokens = new Map<string, string | undefined>()
  for (let n = 0; n < REQUESTS; n++) {
    if (n % FRESH === 0) {
      await restoreActors()
      tokens = new Map(await Promise.all(actors.map(async (a) => [a.name, await a.token()] as const)))
    }
    const actor = random.chance(0.4) ? random.pick(['manager', 'admin', 'visiting']) : random.pick(actors).name
    const token = tokens.get(actor)
    // Targets are used in turn, so that each operation is tested equally often.
    const asked = makeFuzzRequest(random, doors[(first + n) % doors.length]!, known)
    const key = random.chance(0.15) ? { 'idempotency-key': `key-${random.below(200)}` } : undefined
    const headers = { ...asked.headers, ...key, ...(token ? { authorization: `Bearer ${token}` } : {}) }
    const send = (): Promise<TestResponse> => portal.anonymous.send(asked.method, asked.url, { ...asked, headers })
    const seen: TestResponse[] = []
    const ask = async () => seen.push(await send())
    // A request may take long if it yields to other requests.
    const effort = await measureThreadTime(ask)
    const hold = effort > MAX_BLOCKING_MS ? await measureLongestBlock(ask) : effort
    if (key && random.chance(0.5)) seen.push(await send())
    for (const { status, text } of seen) {
      answers.set(status, (answers.get(status) ?? 0) + 1)
      if (status >= 500) failed.push(`${status} ${shown(asked, actor)} ${text.slice(0, 200)}`)
    }
    if (hold > MAX_BLOCKING_MS) slow.push(`${Math.round(hold)} ms ${shown(asked, actor)}`)
  }
  expect({ failed, slow }).toEqual({ failed: [], slow: [] })
  // Enough requests must succeed, because requests that are always rejected test nothing.
  expect((answers.get(200) ?? 0) + (answers.get(201) ?? 0)).toBeGreaterThan(REQUESTS / 20)
})
