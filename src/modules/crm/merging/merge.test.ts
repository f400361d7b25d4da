import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { moveClock } from '#server/engine/clock.ts'
import { type TestApi, type TestClient, type TestResponse, testPortal } from '#test/support/portal.ts'
import { scaleRunCount } from '#test/support/scope.ts'
import { findLeadRelations, RESOURCES_NOT_MOVED_BY_MERGE } from './relations.ts'

const portal = await testPortal()
const CONTACTS = '/api/crm/contacts'
const MERGES = '/api/crm/merges'
let client: TestClient
let admin: TestApi
let caller: TestApi
let other: TestApi

beforeAll(async () => {
  client = await portal.client()
  const as = async (roles: string[], name: string) => client.as(await client.user({ roles, name }))
  admin = await as(['ROLE_STAFF', 'ROLE_LEADS_ADMIN', 'ROLE_FINANCE', 'ROLE_SALES'], 'Ada Admin')
  caller = await as(['ROLE_STAFF'], 'Cal Caller')
  other = await as(['ROLE_STAFF'], 'Olga Other')
})

interface CreatedRecord {
  readonly '@id': string
  readonly id: number
}
let n = 0
const lead = async (more: Record<string, unknown> = {}): Promise<CreatedRecord> => {
  const { status, body } = await caller.post(CONTACTS, { companyName: `Merging ${++n}`, ...more })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const preview = (into: CreatedRecord, from: CreatedRecord) =>
  caller.get(`${into['@id']}/merge-preview?other=${from.id}`)
const merge = async (
  into: CreatedRecord,
  from: CreatedRecord,
  take?: readonly string[],
  as: TestApi = caller,
): Promise<TestResponse> => {
  const { body } = await preview(into, from)
  return as.post(MERGES, {
    survivor: into['@id'],
    merged: from['@id'],
    take: take ?? body.take,
    fingerprint: body.fingerprint,
  })
}
const undo = (merged: TestResponse, as: TestApi = caller) => as.post(`${merged.body['@id']}/undo`)
const read = async (it: CreatedRecord) => (await caller.get(it['@id'])).body
const notes = async (it: CreatedRecord) =>
  (await caller.get(`${it['@id']}/actions`)).body['hydra:member'].map((l: { notes: string }) => l.notes)

/** Returns all rows that belong to this client's leads, except for merges and change stamps. */
async function everything(): Promise<unknown> {
  const tables = [
    ...new Set(['contact', ...findLeadRelations(portal.engine.resources).map((r) => r.table)]),
    'contact_key',
  ]
  const all: Record<string, unknown> = {}
  for (const table of tables) {
    const rows = await portal.db.tx('system', (tx) =>
      tx.rows<{ row: Record<string, unknown> }>(
        `SELECT to_jsonb(t) - '{updated_at,last_edit_by}'::text[] AS row FROM ${table} t WHERE client_id = $1 ORDER BY to_jsonb(t)::text`,
        [client.id],
      ),
    )
    all[table] = rows
      .map((r) => r.row)
      .filter((row) => table !== 'note' || !/^Merged with|^The merge with/.test(String(row.notes)))
  }
  return all
}

test('every relation of a lead is moved by a merge, and the foreign keys in the database match the declared relations', async () => {
  const relations = findLeadRelations(portal.engine.resources)
  const declared = new Set(relations.map((r) => `${r.table}.${r.column}`))
  const rows = await portal.db.tx('system', (tx) =>
    tx.rows<{ place: string; stands: boolean }>(
      `SELECT c.conrelid::regclass || '.' || a.attname AS place,
         EXISTS (SELECT 1 FROM pg_trigger g WHERE g.tgrelid = c.conrelid AND g.tgname = 'lead_stands') AS stands
       FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[2]
       WHERE c.contype = 'f' AND c.confrelid = 'contact'::regclass`,
    ),
  )
  const stays = new Set(RESOURCES_NOT_MOVED_BY_MERGE.map((r) => r.table))
  const moving = rows.filter((r) => !stays.has(r.place.split('.')[0] ?? ''))
  expect(moving.filter((r) => !declared.has(r.place))).toEqual([])
  // A trigger must prevent new rows from being added to a merged lead, so the migration that creates a table calls
  // `SELECT lead_relation('…')`.
  expect(moving.filter((r) => !r.stands)).toEqual([])
  expect([...declared].filter((p) => !p.startsWith('message.') && !moving.some((r) => r.place === p))).toEqual([])
})

describe('a merge of two leads', () => {
  test("a merge fills in the survivor's missing values, moves the other lead's records and marks the other lead as merged", async () => {
    const [into, from] = [
      await lead({ phone: '01632 960001' }),
      await lead({ companyName: 'Gone Ltd', city: 'Leeds', phone: '01632 960002', email: 'jo@gone.example' }),
    ]
    await caller.post('/api/crm/actions', { contact: from['@id'], notes: 'Likes mornings' })
    await caller.post('/api/crm/people', { contact: from['@id'], name: 'Pat Person', mobile: '07700 900555' })
    await caller.post('/api/crm/sales', { contact: from['@id'], notes: 'Sales value' })
    const { body } = await preview(into, from)
    expect(body).toMatchObject({ refusal: null, take: ['email', 'city'], stays: into.id })
    expect(body.differs).toEqual(['companyName', 'phone', 'email', 'city'])
    expect(body.moves).toEqual(
      expect.arrayContaining([
        { what: 'notes', count: 2 },
        { what: 'people', count: 1 },
        { what: 'sales', count: 1 },
      ]),
    )
    const merged = await merge(into, from, ['email', 'city', 'phone'])
    expect([merged.status, await read(into)]).toMatchObject([
      201,
      { city: 'Leeds', email: 'jo@gone.example', phone: '01632 960002', others: 2 },
    ])
    expect(await read(from)).toMatchObject({ retired: true, mergedInto: into['@id'] })
    expect(await notes(into)).toEqual(
      expect.arrayContaining(['Likes mornings', expect.stringContaining(`Merged with Gone Ltd (lead ${from.id})`)]),
    )
    expect(await notes(from)).toEqual([])
  })

  test('a merge moves e-mails even if both leads were sent the same batch', async () => {
    const [into, from] = [await lead({ email: 'one@example.com' }), await lead({ email: 'two@example.com' })]
    await portal.db.tx('system', (tx) =>
      tx.rows(
        `INSERT INTO message (client_id, recipient, subject, body, run_id, contact_id, token)
         SELECT $1, r, 'News', '', 4711, c, r FROM unnest($2::text[], $3::bigint[]) x(r, c)`,
        [client.id, ['one@example.com', 'two@example.com'], [into.id, from.id]],
      ),
    )
    const { status, body } = await merge(into, from)
    expect([status, body.state]).toEqual([201, 'merged'])
    const letters = () =>
      portal.db.tx('system', (tx) =>
        tx.rows<{ id: number }>(
          'SELECT contact_id::int AS id FROM message WHERE client_id = $1 AND run_id = 4711 ORDER BY recipient',
          [client.id],
        ),
      )
    expect((await letters()).map((m) => m.id)).toEqual([into.id, into.id])
    expect((await caller.post(`${body['@id']}/undo`, {})).status).toBe(200)
    expect((await letters()).map((m) => m.id)).toEqual([into.id, from.id])
  })

  test('a merge is rejected for a lead with itself, for an already merged lead, with a wrong fingerprint and after either lead has changed', async () => {
    const [a, b, c] = [await lead(), await lead(), await lead()]
    const { body } = await preview(a, b)
    const send = (fingerprint: string, into = a, from = b) =>
      caller.post(MERGES, { survivor: into['@id'], merged: from['@id'], fingerprint })
    expect((await send(body.fingerprint, a, a)).status).toBe(409)
    expect((await send('something')).status).toBe(409)
    expect((await caller.post(MERGES, { survivor: a['@id'], merged: b['@id'] })).status).toBe(422)
    await caller.put(b['@id'], { city: 'York' })
    expect((await send(body.fingerprint)).body).toMatchObject({ code: 'changed_meanwhile' })
    expect((await merge(a, b)).status).toBe(201)
    expect((await preview(b, a)).body.refusal).toMatch(/has already been merged into another lead/)
    for (const [into, from] of [
      [b, a],
      [a, b],
      [c, b],
    ] as const)
      expect((await merge(into, from)).status).toBe(409)
    expect((await merge(c, a)).status).toBe(201)
    expect((await merge(a, c)).status).toBe(409)
  })

  test('a merge makes the merged lead read-only through every route', async () => {
    const [into, from] = [await lead(), await lead()]
    await merge(into, from)
    const doors = [
      caller.put(from['@id'], { retired: false }),
      caller.post(`${from['@id']}/outcomes`, { result: '/api/crm/last_results/47' }),
      caller.post('/api/crm/actions', { contact: from['@id'], notes: 'Overdue' }),
      caller.post('/api/crm/people', { contact: from['@id'], name: 'Overdue' }),
      caller.post('/api/crm/sales', { contact: from['@id'] }),
    ]
    expect((await Promise.all(doors)).map((d) => d.status)).toEqual([409, 409, 409, 409, 409])
    const late = await caller.post('/api/crm/sales', { contact: from['@id'] })
    expect(late.body['hydra:description']).toContain(`merged into lead ${into.id}`)
    expect(await notes(from)).toEqual([])
  })

  test('a record added to a lead during its merge is moved or refused', async () => {
    const records = {
      'crm/actions': { notes: 'Meanwhile' },
      'crm/sales': { notes: 'Meanwhile' },
      'crm/people': { name: 'Sam Meanwhile' },
      'sales/sales_stats': { day: '2026-01-05', amount: 100, what: 'Meanwhile' },
    }
    for (const [path, body] of Object.entries(records))
      for (let round = 0; round < 3; round++) {
        const [into, from] = [await lead(), await lead()]
        const { fingerprint } = (await preview(into, from)).body
        const merging = () => caller.post(MERGES, { survivor: into['@id'], merged: from['@id'], take: [], fingerprint })
        const adding = () => caller.post(`/api/${path}`, { contact: from['@id'], ...body })
        const answers = await Promise.all(Array.from({ length: 12 }, (_, at) => (at === 3 ? merging() : adding())))
        expect(answers[3]?.status).toBe(201)
        for (const { status, body } of answers.filter((_, at) => at !== 3)) {
          expect([201, 409]).toContain(status)
          if (status !== 201) continue
          const { contact } = (await caller.get(body['@id'])).body
          expect(contact['@id'] ?? contact, path).toBe(into['@id'])
        }
      }
  })

  test("a merge is rejected for another client's leads and for two leads that are both customers", async () => {
    const [into, from, third] = [
      await lead({ email: 'a@merging.example' }),
      await lead({ email: 'b@merging.example' }),
      await lead(),
    ]
    const stranger = await portal.client()
    const they = stranger.as(await stranger.user({ roles: ['ROLE_STAFF'] }))
    const { body } = await they.post(CONTACTS, { companyName: 'Theirs' })
    expect((await they.get(`${into['@id']}/merge-preview?other=${from.id}`)).status).toBe(404)
    expect((await they.post(MERGES, { survivor: body['@id'], merged: from['@id'], fingerprint: 'x' })).status).toBe(400)
    const seller = client.as(await client.user({ roles: ['ROLE_STAFF', 'ROLE_SALES', 'ROLE_FINANCE'] }))
    for (const it of [into, from])
      expect((await seller.post('/api/financial/customers/from', { contact: it['@id'] })).status).toBe(201)
    const refused = await merge(into, from)
    expect([refused.status, refused.body['hydra:description']]).toEqual([
      409,
      expect.stringContaining('Both leads are billing customers'),
    ])
    // If only one lead has a customer, the merge moves the customer and undo moves it back.
    const { customer } = await read(from)
    const merged = await merge(third, from)
    expect((await read(third)).customer).toBe(customer)
    expect((await seller.get(customer)).body.contact['@id']).toBe(third['@id'])
    await caller.post(`${merged.body['@id']}/undo`)
    expect([(await read(third)).customer, (await read(from)).customer]).toEqual([null, customer])
    expect((await seller.get(customer)).body.contact['@id']).toBe(from['@id'])
  })
})

describe('undoing a merge of leads', () => {
  test('the person who merged two leads and lead administrators can undo the merge', async () => {
    const merged = await merge(await lead(), await lead())
    expect((await undo(merged, other)).status).toBe(403)
    expect((await undo(merged, admin)).body).toMatchObject({ state: 'undone' })
    expect((await undo(merged)).status).toBe(409)
  })

  test('undoing a merge leaves later records with the survivor and restores the values that the merge changed', async () => {
    const [into, from] = [await lead(), await lead({ city: 'Leeds', website: 'gone.example' })]
    await caller.post('/api/crm/actions', { contact: from['@id'], notes: 'From before' })
    const merged = await merge(into, from)
    await caller.post('/api/crm/actions', { contact: into['@id'], notes: 'From after' })
    await caller.put(into['@id'], { city: 'York' })
    expect((await undo(merged)).status).toBe(200)
    expect(await read(into)).toMatchObject({ city: 'York', website: null })
    expect(await read(from)).toMatchObject({ retired: false, mergedInto: null, city: 'Leeds' })
    expect(await notes(into)).toContain('From after')
    expect(await notes(from)).toEqual([expect.stringContaining('was undone'), 'From before'])
  })

  test('undoing a merge is rejected with a reason after a later merge, after a moved record has been moved again or after thirty days', async () => {
    const [a, b, c] = [await lead(), await lead(), await lead()]
    await caller.post('/api/crm/people', { contact: b['@id'], name: 'Mover' })
    const first = await merge(a, b)
    const second = await merge(a, c)
    expect((await undo(first)).body['hydra:description']).toMatch(/Another lead has since been merged into/)
    await undo(second)
    const [mover] = (await caller.get(`/api/crm/people?contact=${a.id}`)).body['hydra:member']
    await caller.put(mover['@id'], { contact: c['@id'] })
    const gone = await undo(first)
    expect([gone.status, gone.body['hydra:description']]).toEqual([409, expect.stringContaining('Some of the people')])
    expect(await read(b)).toMatchObject({ mergedInto: a['@id'] })
    await caller.put(mover['@id'], { contact: a['@id'] })
    const third = await merge(c, a)
    expect((await undo(first)).body['hydra:description']).toMatch(/has since been merged into another lead/)
    await undo(third)
    await moveClock(portal.engine, 31)
    expect((await undo(first)).body['hydra:description']).toMatch(/more than 30 days/)
    await moveClock(portal.engine, 0)
    expect((await undo(first)).status).toBe(200)
  })

  test('no row is lost by any sequence of merges, and undoing all of them restores the original state', async () => {
    const value = fc.constantFrom(undefined, 'A', 'B')
    const made = fc.record({
      city: value,
      website: value,
      phone: fc.constantFrom(undefined, '01632 960701', '01632 960702'),
      doNotCall: fc.boolean(),
      notes: fc.integer({ min: 0, max: 2 }),
      people: fc.integer({ min: 0, max: 2 }),
      supported: fc.boolean(),
    })
    const pairs = fc.array(fc.tuple(fc.nat(3), fc.nat(3), fc.boolean()), { minLength: 1, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(fc.tuple(made, made, made, made), pairs, async (about, order) => {
        const leads: CreatedRecord[] = []
        for (const { notes: many, people, supported, ...values } of about) {
          const it = await lead(values)
          for (let k = 0; k < many; k++)
            await caller.post('/api/crm/actions', { contact: it['@id'], notes: `Note ${k}` })
          for (let k = 0; k < people; k++)
            await caller.post('/api/crm/people', { contact: it['@id'], name: `P${k}`, mobile: '07700 900888' })
          if (supported) await caller.get(`/api/crm/supported/${it.id}`)
          leads.push(it)
        }
        const before = await everything()
        const done: TestResponse[] = []
        for (const [x, y, takeAll] of order) {
          const [into, from] = [leads[x] as CreatedRecord, leads[y] as CreatedRecord]
          const { body } = await preview(into, from)
          const merged = await merge(into, from, takeAll ? (body.differs ?? []) : undefined)
          if (merged.status === 201) done.push(merged)
        }
        const counts = (all: unknown) =>
          Object.entries(all as Record<string, unknown[]>)
            // People who are missing from the surviving lead are added to it.
            .filter(([table]) => table !== 'contact_key' && table !== 'contact_person')
            .map(([table, rows]) => [table, rows.length])
        expect(counts(await everything())).toEqual(counts(before))
        for (const merged of done.toReversed()) expect((await undo(merged)).status).toBe(200)
        expect(await everything()).toEqual(before)
      }),
      { numRuns: scaleRunCount(15) },
    )
  })
})

describe('possible duplicate leads', () => {
  const pairs = async (first: number) =>
    (await caller.get(`/api/crm/duplicate_pairs?first=${first}`)).body['hydra:member'] as {
      '@id': string
      first: { id: number }
      second: { id: number }
      reasons: string[]
      strength: number
      state: string
    }[]
  const pairOf = async (a: CreatedRecord, b: CreatedRecord) =>
    (await pairs(Math.min(a.id, b.id))).find((p) => p.second.id === Math.max(a.id, b.id))
  const sweep = async () => {
    const { status, body } = await admin.post('/api/crm/duplicate_pairs/sweep')
    expect(status, JSON.stringify(body)).toBe(202)
    await portal.drain()
    return body
  }

  test('a duplicate search lists possible duplicates with reasons, most likely first, and never matches blank values', async () => {
    expect((await caller.post('/api/crm/duplicate_pairs/sweep')).status).toBe(403)
    const [a, b] = [
      await lead({ companyName: 'Swept & Sons Ltd', companyNumber: '7654321', email: 'no', city: 'Derby' }),
      await lead({ companyName: 'Swept and Sons', companyNumber: '07654321', email: 'no', city: 'derby' }),
    ]
    const near = await lead({ companyName: 'Swepte & Sons', city: 'Derby', email: 'no' })
    const far = await lead({ companyName: 'Sweptt & Sons', city: 'Truro', email: 'no' })
    await sweep()
    expect((await pairOf(a, b))?.reasons.toSorted()).toEqual(['companyName', 'companyNumber', 'place'])
    expect((await pairOf(a, near))?.reasons.toSorted()).toEqual(['nearName', 'place'])
    expect(await pairOf(a, far)).toBeUndefined()
    const strengths = (await pairs(a.id)).map((p) => p.strength)
    expect(strengths).toEqual(strengths.toSorted((x, y) => y - x))
    await sweep()
    expect((await pairs(a.id)).filter((p) => p.first.id === a.id && p.second.id === b.id)).toHaveLength(1)
  })

  test("two leads marked as separate are not reported again by later searches or on the leads' pages", async () => {
    const [a, b] = [await lead({ companyName: 'Apart Ltd' }), await lead({ companyName: 'Apart Limited' })]
    const dupes = async () =>
      (await caller.get(`${CONTACTS}/dupes?companyName=Apart&id=${a.id}`)).body['hydra:member'].map(
        (l: CreatedRecord) => l.id,
      )
    expect(await dupes()).toEqual([b.id])
    expect(
      (await caller.post('/api/crm/duplicate_pairs/keep-separate', { lead: a['@id'], other: b['@id'] })).status,
    ).toBe(200)
    expect(await dupes()).toEqual([])
    await sweep()
    const pair = await pairOf(a, b)
    expect(pair?.state).toBe('separate')
    expect((await caller.post(`${pair?.['@id']}/reconsider`)).body).toMatchObject({ state: 'suspect' })
    expect(await dupes()).toEqual([b.id])
    const merged = await merge(a, b)
    expect((await pairOf(a, b))?.state).toBe('merged')
    await caller.post(`${merged.body['@id']}/undo`)
    expect((await pairOf(a, b))?.state).toBe('suspect')
  })
})
