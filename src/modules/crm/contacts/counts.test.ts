import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { testPortal } from '#test/support/portal.ts'
import { scaleRunCount } from '#test/support/scope.ts'

const portal = await testPortal()
const CONTACTS = '/api/crm/contacts'
const LISTS = ['NEW', 'PFP', 'DOWNL', 'DEMO', 'CB', 'QUOTE']
const RESULTS = [1, 2, 3, 4, 5, 6, 13, 19, 30, 31, 40, 46, 48, 54]
const sql = <T>(text: string, values: readonly unknown[] = []) =>
  portal.db.tx('system', (tx) => tx.rows<T>(text, values))

/** Creates a separate tenant with three people who work leads. */
async function desk() {
  const client = await portal.client()
  const as = client.as(await client.user({ roles: ['ROLE_STAFF', 'ROLE_LEADS_ADMIN'] }))
  const owners: { iri: string; id: number }[] = []
  for (const username of ['ann', 'bob', 'cat']) {
    const { body } = await as.post('/api/crm/staff', { username, name: username })
    owners.push({ iri: body['@id'], id: body.id })
  }
  const counts = async (query = '') => {
    const { '@id': _, ...n } = (await as.get(`${CONTACTS}/counts${query}`)).body
    return n as Record<string, number>
  }
  const count = async (query = '') => (await as.get(`${CONTACTS}/count${query}`)).body.count as number
  /** Counts the leads directly, without using the cached counts. */
  const really = async (owner?: number | null) => {
    const rows = await sql<{ category: string; ir35: boolean; n: number }>(
      `SELECT category, ir35, count(*)::int AS n FROM contact WHERE client_id = $1 AND NOT retired AND (owner_id IS NOT DISTINCT FROM $3 OR ($2 AND (owner_id IS NULL OR owner_id NOT IN (SELECT id FROM staff WHERE tray)))) GROUP BY 1, 2`,
      [client.id, owner === undefined, owner ?? null],
    )
    const sum = (which: (r: { category: string; ir35: boolean }) => boolean) =>
      rows.filter(which).reduce((n, r) => n + r.n, 0)
    return {
      ...Object.fromEntries(LISTS.map((k) => [k, sum((r) => r.category === k)])),
      ALL: sum(() => true),
      IR35: sum((r) => r.ir35),
    }
  }
  return { client, as, owners, counts, count, really }
}

type Desk = Awaited<ReturnType<typeof desk>>
const nth = fc.nat(1000)
const owner = fc.constantFrom(0, 1, 2, undefined)
const result = fc.constantFrom(...RESULTS)
const step = fc.oneof(
  fc.record({
    do: fc.constant('import' as const),
    many: fc.integer({ min: 1, max: 40 }),
    owner,
    result,
    ir35: fc.boolean(),
  }),
  fc.record({ do: fc.constant('create' as const), owner, result, ir35: fc.boolean() }),
  fc.record({ do: fc.constant('outcome' as const), nth, result: fc.constantFrom(3, 4, 11, 18, 30, 31, 47, 48, 49) }),
  fc.record({ do: fc.constant('edit' as const), nth, owner, result, ir35: fc.boolean() }),
  fc.record({ do: fc.constant('retire' as const), nth, retired: fc.boolean() }),
  fc.record({ do: fc.constant('delete' as const), nth }),
  fc.record({ do: fc.constant('hand over' as const), from: owner, to: owner }),
  fc.record({ do: fc.constant('roll back' as const), many: fc.integer({ min: 1, max: 30 }) }),
  fc.record({ do: fc.constant('add up' as const) }),
)

async function take(d: Desk, s: typeof step extends fc.Arbitrary<infer T> ? T : never): Promise<void> {
  const ids = await sql<{ id: number }>('SELECT id FROM contact WHERE client_id = $1 ORDER BY id', [d.client.id])
  const at = 'nth' in s && ids.length ? `${CONTACTS}/${ids[s.nth % ids.length]?.id}` : undefined
  const fields = (x: { owner: number | undefined; result: number; ir35: boolean }) => ({
    owner: x.owner === undefined ? null : d.owners[x.owner]?.iri,
    lastResult: `/api/crm/last_results/${x.result}`,
    ir35: x.ir35,
  })
  const insert =
    'INSERT INTO contact (client_id, company_name, owner_id, last_result_id, ir35) SELECT $1, $2, $3, $4, $5 FROM generate_series(1, $6)'
  switch (s.do) {
    case 'import':
      return void (await sql(insert, [
        d.client.id,
        'Raw',
        s.owner === undefined ? null : d.owners[s.owner]?.id,
        s.result,
        s.ir35,
        s.many,
      ]))
    case 'create':
      return void (await d.as.post(CONTACTS, { companyName: 'Added', ...fields(s) }))
    case 'outcome':
      return void (at && (await d.as.post(`${at}/outcomes`, { result: `/api/crm/last_results/${s.result}` })))
    case 'edit':
      return void (at && (await d.as.put(at, fields(s))))
    case 'retire':
      return void (at && (await d.as.put(at, { retired: s.retired })))
    case 'delete':
      return void (
        at &&
        (await sql('DELETE FROM contact WHERE client_id = $1 AND id = $2', [d.client.id, Number(at.split('/').at(-1))]))
      )
    case 'hand over':
      return void (await sql(
        'UPDATE contact SET owner_id = $3 WHERE client_id = $1 AND owner_id IS NOT DISTINCT FROM $2',
        [
          d.client.id,
          s.from === undefined ? null : d.owners[s.from]?.id,
          s.to === undefined ? null : d.owners[s.to]?.id,
        ],
      ))
    case 'roll back':
      return portal.db
        .tx('system', async (tx) => {
          await tx.rows(insert, [d.client.id, 'Gone', null, 1, false, s.many])
          throw new Error('changed my mind')
        })
        .catch(() => {})
    case 'add up':
      return portal.runSchedule('crm.counts')
  }
}

describe('the running lead counts', () => {
  test('lead counts equal a full recount after any sequence of changes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
        const d = await desk()
        for (const s of steps) await take(d, s)
        expect(await d.counts()).toEqual(await d.really())
        for (const o of d.owners) expect(await d.counts(`?owner=${o.iri}`)).toEqual(await d.really(o.id))
        expect(await d.counts('?exists[owner]=false')).toEqual(await d.really(null))
        await portal.runSchedule('crm.counts')
        expect(await d.counts()).toEqual(await d.really())
      }),
      { numRuns: scaleRunCount(20) },
    )
  })

  test('lead counts stay correct while many users change leads, and the batch job merges the stored differences', async () => {
    const d = await desk()
    await sql('INSERT INTO contact (client_id, company_name) SELECT $1, $2 FROM generate_series(1, 60)', [
      d.client.id,
      'x',
    ])
    const ids = await sql<{ id: number }>('SELECT id FROM contact WHERE client_id = $1', [d.client.id])
    await Promise.all([
      ...ids.map(({ id }, i) =>
        d.as.put(`${CONTACTS}/${id}`, {
          lastResult: `/api/crm/last_results/${RESULTS[i % RESULTS.length]}`,
          ir35: i % 2 === 0,
        }),
      ),
      ...Array.from({ length: 5 }, () => portal.runSchedule('crm.counts')),
    ])
    expect(await d.counts()).toEqual(await d.really())
    for (let i = 0; i < 60; i++)
      await sql('UPDATE contact SET ir35 = NOT ir35 WHERE client_id = $1 AND id = $2', [d.client.id, ids[0]?.id])
    const kept = async () =>
      (await sql<{ n: number }>('SELECT count(*)::int AS n FROM contact_count WHERE client_id = $1', [d.client.id]))[0]
        ?.n as number
    expect(await kept()).toBeGreaterThan(100)
    await portal.runSchedule('crm.counts')
    expect(await kept()).toBeLessThan(100)
    expect(await d.counts()).toEqual(await d.really())
  })
})

describe('lead counts by filter', () => {
  test("a person's lead count uses the staff record of their account, whatever the record's name", async () => {
    const d = await desk()
    const person = await d.client.user({ roles: ['ROLE_STAFF'] })
    const { body: record } = await d.as.get(`/api/crm/staff/${person.username}`)
    await d.as.post(CONTACTS, { companyName: 'Hers', owner: record['@id'] })
    await d.as.post(CONTACTS, { companyName: 'Somebody’s', owner: d.owners[0]?.iri })
    const hers = `?owner.user=${person.id}`
    expect([(await d.counts(hers)).ALL, await d.count(hers)]).toEqual([1, 1])
    expect((await d.as.get(`${CONTACTS}${hers}`)).body['hydra:totalItems']).toBe(1)
    expect((await d.counts(`?owner.user=${person.id + 1}`)).ALL).toBe(0)
  })

  test('leads can be counted in total, by category, by owner, or unassigned', async () => {
    const d = await desk()
    const add = async (lastResult: number | null, more: object = {}) =>
      d.as.post(CONTACTS, {
        companyName: 'Acme',
        lastResult: lastResult && `/api/crm/last_results/${lastResult}`,
        ...more,
      })
    await add(null, { owner: d.owners[0]?.iri, ir35: true })
    await add(null)
    await add(5, { owner: d.owners[0]?.iri, companyName: 'Harbour' })
    await add(4)
    await add(31, { retired: true })
    const asked: [string, number][] = [
      ['', 4],
      ['?lastResult.category=ALL', 4],
      ['?lastResult.category=NEW', 2],
      ['?lastResult.category=PFP', 1],
      ['?lastResult.category=CB', 0],
      ['?lastResult.category=IR35', 1],
      ['?lastResult.category=DEAD', 1],
      ['?lastResult.category=NONSENSE', 0],
      [`?owner=${d.owners[0]?.iri}`, 2],
      [`?owner=${d.owners[0]?.id}`, 2],
      ['?owner=ann', 2],
      ['?owner=/api/crm/staff/ANN&lastResult.category=NEW', 1],
      ['?owner=nobody', 0],
      ['?exists[owner]=false', 2],
      ['?exists[owner]=false&lastResult.category=NEW', 1],
      ['?q=harbour', 1],
      ['?q=harbour&lastResult.category=PFP', 1],
      ['?q=harbour&lastResult.category=NEW', 0],
      ['?q=acme&lastResult.category=ALL', 3],
      ['?q=acme&lastResult.category=IR35', 1],
      ['?retired=true', 1],
      ['?retired=false', 4],
      ['?page=3&order[id]=asc', 4],
    ]
    for (const [query, expected] of asked) expect([query, await d.count(query)]).toEqual([query, expected])
    const { body } = await d.as.get(`${CONTACTS}/count?lastResult.category=NEW`)
    expect(body).toEqual({ '@id': `${CONTACTS}/count?lastResult.category=NEW`, count: 2 })
    const list = await d.as.get(`${CONTACTS}?lastResult.category=NEW&retired=false`)
    expect(list.body['hydra:totalItems']).toBe(2)
  })

  test("lead counts include only leads of the user's own client", async () => {
    const [one, other] = [await desk(), await desk()]
    await one.as.post(CONTACTS, { companyName: 'My views' })
    expect([await one.count(), await other.count(), await other.count(`?owner=${one.owners[0]?.id}`)]).toEqual([
      1, 0, 0,
    ])
  })
})
