import { describe, expect, test } from 'vitest'
import { bulkActions } from '#kernel/bulk.ts'
import { createEngine } from '#server/engine/engine.ts'
import { registryOf } from '#server/engine/registry.ts'
import { bulkActionJob } from '#server/jobs/list-bulk.ts'
import { CrashingDb } from '#test/support/ending.ts'
import { openLadderPortal } from '#test/support/ladders.ts'
import type { TestApi } from '#test/support/portal.ts'

const portal = await openLadderPortal()
const LIST = '/api/test/step_ladders'
const BULK = `${LIST}/bulk`

async function makeStore(...roles: string[]) {
  const client = await portal.client()
  const user = await client.user({ roles: roles.length ? roles : ['ROLE_KEEPER'] })
  return { client, user, api: client.as(user) }
}
const add = async (api: TestApi, name: string, more: Record<string, unknown> = {}): Promise<number> =>
  (await api.post(LIST, { name, ...more })).body.id
const addAll = (api: TestApi, ...names: string[]) => Promise.all(names.map((name) => add(api, name)))
/** Returns a selection of all records that a list finds with a query, in the form that a bulk request uses. */
const everything = async (api: TestApi, query = '') => {
  const { body } = await api.get(`${LIST}?itemsPerPage=0&${query}`)
  return { all: true, count: body['hydra:totalItems'] as number }
}
const shown = async (api: TestApi, query = '') =>
  (await api.get(`${LIST}?itemsPerPage=100&${query}`)).body['hydra:member'] as {
    id: number
    name: string
    holder: string | null
    grade: string | null
    retired: boolean
  }[]

describe('bulk changes to selected records', () => {
  test('selected records are retired together, and restored by undo', async () => {
    const { api } = await makeStore()
    const [a, b] = await addAll(api, 'a', 'b', 'c')
    const answer = await api.post(BULK, { action: 'retire', ids: [a, `${LIST}/${b}`] })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      '@id': BULK,
      '@type': 'BulkResult',
      action: 'retire',
      done: [a, b],
      unchanged: [],
      refused: [],
      undo: 'restore',
      former: [{ value: false, ids: [a, b] }],
    })
    expect((await shown(api, 'retired=true')).map((l) => l.name)).toEqual(['a', 'b'])
    await api.post(BULK, { action: answer.body.undo, ids: answer.body.done })
    expect(await shown(api, 'retired=true')).toEqual([])
  })

  test('a bulk change leaves the same audit trail as single changes', async () => {
    const { client, user, api } = await makeStore()
    const id = await add(api, 'a')
    await api.post(BULK, { action: 'retire', ids: [id] })
    const trail = await portal.db.tx('system', (tx) =>
      tx.rows("SELECT verb, changes, username FROM audit WHERE client_id = $1 AND row_id = $2 AND verb = 'update'", [
        client.id,
        id,
      ]),
    )
    expect(trail).toEqual([{ verb: 'update', changes: { retired: [false, true] }, username: user.username }])
  })

  test('records already in the target state are reported separately, and undo leaves them unchanged', async () => {
    const { api } = await makeStore()
    const [a, b] = await addAll(api, 'a', 'b')
    await api.post(BULK, { action: 'retire', ids: [a] })
    const { body } = await api.post(BULK, { action: 'retire', ids: [a, b] })
    expect([body.done, body.unchanged]).toEqual([[b], [a]])
  })

  test('a bulk change lists refused records with the reason, and still changes the other records', async () => {
    const { api } = await makeStore()
    const [a, b, c] = await addAll(api, 'a', 'b', 'c')
    await api.post(`${LIST}/${b}/lend`, { to: 'Jane' })
    const { body } = await api.post(BULK, { action: 'retire', ids: [a, b, c] })
    expect(body.done).toEqual([a, c])
    expect(body.refused).toEqual([{ '@id': `${LIST}/${b}`, id: b, title: 'b', code: 'held', message: 'Jane has it.' }])
  })

  test('a refused record has the same error code in a single change, an immediate bulk change and a batch job', async () => {
    const { client, api } = await makeStore()
    const home = client.as(await client.user({ roles: ['ROLE_HOME_KEEPER'] }))
    const [lent, first] = [await add(api, 'lent'), await add(api, 'first', { serial: '7' })]
    await api.post(`${LIST}/${lent}/lend`, { to: 'Jane' })
    await api.put(`${LIST}/${first}`, { retired: true })
    await add(api, 'second', { serial: '7' })
    await stack(client, 101)
    for (const [by, id, action, retired, code] of [
      [api, lent, 'retire', true, 'held'],
      [api, first, 'restore', false, 'invalid'],
      [home, lent, 'retire', true, 'read_only'],
    ] as const) {
      expect((await by.put(`${LIST}/${id}`, { retired })).body.code).toBe(code)
      expect((await by.post(BULK, { action, ids: [id] })).body.refused).toMatchObject([{ id, code }])
      const { body: begun } = await by.post(BULK, { action, ...(await everything(by)) })
      await portal.drain()
      expect(await refusals(by, begun)).toContainEqual(expect.objectContaining({ line: id, code }))
      await api.post(`${begun['@id']}/undo`, {})
      await portal.drain()
    }
  })

  test('a declared action is executed on selected records with one shared input', async () => {
    const { api } = await makeStore()
    const ids = await addAll(api, 'a', 'b')
    const { body } = await api.post(BULK, { action: 'lend', ids, input: { to: 'Sam' } })
    expect([body.done, body.undo]).toEqual([ids, 'takeBack'])
    expect((await shown(api)).map((l) => l.holder)).toEqual(['Sam', 'Sam'])
    await api.post(BULK, { action: 'takeBack', ids })
    expect((await shown(api)).map((l) => l.holder)).toEqual([null, null])
  })

  test('a field is set to the same value in all selected records', async () => {
    const { api } = await makeStore()
    const ids = await addAll(api, 'a', 'b')
    const { body } = await api.post(BULK, { action: 'grade', ids, input: { grade: 'home' } })
    expect([body.done, body.undo]).toEqual([ids, null])
    expect((await shown(api)).map((l) => l.grade)).toEqual(['home', 'home'])
  })

  test('a bulk change returns the previous values for undo, grouped by value', async () => {
    const { client, api } = await makeStore('ROLE_KEEPER', 'ROLE_YARDS')
    const [north, south] = await Promise.all(
      ['North', 'South'].map(async (name) => (await api.post('/api/test/yards', { name })).body['@id'] as string),
    )
    const [a, b, c, d] = [
      await add(api, 'a', { yard: north }),
      await add(api, 'b', { yard: north }),
      await add(api, 'c'),
      await add(api, 'd', { yard: south }),
    ]
    const { body } = await api.post(`${BULK}?client=${client.id}`, {
      action: 'yard',
      all: true,
      count: 4,
      input: { yard: south },
    })
    expect([body.done, body.unchanged]).toEqual([expect.arrayContaining([a, b, c]), [d]])
    expect(body.former).toEqual([
      { value: north, ids: [a, b] },
      { value: null, ids: [c] },
    ])
    for (const { value, ids } of body.former)
      expect((await api.post(BULK, { action: 'yard', ids, input: { yard: value } })).body.done).toEqual(ids)
    const { body: list } = await api.get(`${LIST}?order[name]=asc`)
    expect(list['hydra:member'].map((l: { yard: string | null }) => l.yard)).toEqual([north, north, null, south])
  })
})

describe('bulk changes to all results in a list', () => {
  test('a bulk change to all results includes results on other pages', async () => {
    const { api } = await makeStore()
    for (const n of [1, 2, 3]) await add(api, `home ${n}`, { grade: 'home' })
    await add(api, 'pro', { grade: 'pro' })
    const { body } = await api.post(`${BULK}?grade=home&itemsPerPage=1`, { action: 'retire', all: true, count: 3 })
    expect(body.done).toHaveLength(3)
    expect((await shown(api, 'retired=false')).map((l) => l.name)).toEqual(['pro'])
  })

  test('a bulk change to all results without an expected count is refused, because an invalid filter would match everything', async () => {
    const { api } = await makeStore()
    await addAll(api, 'a', 'b')
    expect((await api.post(`${BULK}?gradde=home`, { action: 'retire', all: true })).status).toBe(400)
    expect(await shown(api, 'retired=true')).toEqual([])
  })

  test('a bulk change to all results is refused if the number of results has changed', async () => {
    const { api } = await makeStore()
    await addAll(api, 'a', 'b')
    const { status, body } = await api.post(BULK, { action: 'retire', all: true, count: 1 })
    expect([status, body['hydra:description']]).toEqual([
      409,
      'The list has changed: it now has 2 records, not 1. Please check it and try again.',
    ])
    expect(await shown(api, 'retired=true')).toEqual([])
  })
})

/** Creates the given number of ladders, named L1, L2 and so on. */
const stack = (client: { id: number }, n: number) =>
  portal.db.tx('system', (tx) =>
    tx.rows(
      "INSERT INTO test_ladder (client_id, name, grade) SELECT $1, 'L' || i, 'pro' FROM generate_series(1, $2::int) i",
      [client.id, n],
    ),
  )
const refusals = async (api: TestApi, run: { id: number }) =>
  (await api.get(`/api/portal/run_refusals?run=${run.id}`)).body['hydra:member'] as { line: number }[]

describe('bulk changes to more than a hundred records', () => {
  test('a large bulk change is accepted as a batch job, which reports its progress', async () => {
    const { client, api } = await makeStore()
    await stack(client, 250)
    await add(api, 'home', { grade: 'home' })
    const lent = (await api.get(`${LIST}?name=L101`)).body['hydra:member'][0]
    await api.post(`${lent['@id']}/lend`, { to: 'Jane' })
    await api.post(BULK, { action: 'retire', ids: [(await api.get(`${LIST}?name=L200`)).body['hydra:member'][0].id] })
    const begun = await api.post(`${BULK}?grade=pro&itemsPerPage=1`, { action: 'retire', all: true, count: 250 })
    expect([begun.status, begun.headers.location]).toEqual([202, begun.body['@id']])
    expect(begun.body).toMatchObject({ '@type': 'Run', kind: 'list.bulk', state: 'queued', total: 250 })
    await portal.drain()
    const { body: run } = await api.get(begun.body['@id'])
    expect(run).toMatchObject({ state: 'done', done: 248, refused: 1, tally: { unchanged: 1 } })
    expect(await refusals(api, run)).toMatchObject([{ line: lent.id, about: 'L101', reason: 'Jane has it.' }])
    expect((await shown(api, 'retired=false')).map((l) => l.name)).toEqual(['L101', 'home'])

    await api.post(`${run['@id']}/undo`, {})
    await portal.drain()
    expect((await api.get(run['@id'])).body).toMatchObject({ state: 'undone', undone: 248 })
    // A record that already has the target state keeps it.
    expect((await shown(api, 'retired=true')).map((l) => l.name)).toEqual(['L200'])
  })

  test('a large bulk change is refused if the number of records has changed', async () => {
    const { client, api } = await makeStore()
    await stack(client, 101)
    expect((await api.post(BULK, { action: 'retire', all: true, count: 100 })).status).toBe(409)
  })

  test('a large bulk change to individually selected records cannot be undone if its action is irreversible', async () => {
    const { client, api } = await makeStore()
    await stack(client, 101)
    const ids = (
      await portal.db.tx('system', (tx) =>
        tx.rows<{ id: number }>('SELECT id FROM test_ladder WHERE client_id = $1', [client.id]),
      )
    ).map(({ id }) => id)
    const begun = await api.post(BULK, { action: 'takeBack', ids })
    await portal.drain()
    expect((await api.get(begun.body['@id'])).body).toMatchObject({ state: 'done', done: 101 })
    expect((await api.post(`${begun.body['@id']}/undo`, {})).status).toBe(409)
  })

  test('undo restores the previous value of each record, unless the value has been changed since', async () => {
    const { client, api } = await makeStore('ROLE_KEEPER', 'ROLE_YARDS')
    await stack(client, 104)
    const north = (await api.post('/api/test/yards', { name: 'North' })).body
    const south = (await api.post('/api/test/yards', { name: 'South' })).body
    const ladders = (await api.get(`${LIST}?pagination=false&order[id]=asc`)).body['hydra:member'] as {
      '@id': string
    }[]
    const at = (n: number) => ladders[n]?.['@id'] ?? ''
    await api.put(at(0), { yard: north['@id'] })
    await api.put(at(1), { yard: south['@id'] })
    const begun = await api.post(BULK, { action: 'yard', all: true, count: 104, input: { yard: south['@id'] } })
    await portal.drain()
    expect((await api.get(begun.body['@id'])).body).toMatchObject({ done: 103, tally: { unchanged: 1 } })
    await api.put(at(2), { yard: north['@id'] })
    await api.put(at(3), { yard: null })
    const colleague = client.as(await client.user({ roles: ['ROLE_KEEPER'] }))
    expect((await colleague.post(`${begun.body['@id']}/undo`, {})).status).toBe(404)
    expect((await api.post(`${begun.body['@id']}/undo`, {})).status).toBe(200)
    await portal.drain()
    const { body: run } = await api.get(begun.body['@id'])
    expect(run).toMatchObject({ state: 'undone', undone: 101, refused: 1 })
    expect(await refusals(api, run)).toMatchObject([
      {
        about: 'L3',
        reason:
          'The value has been changed again since your action, so it was not restored. If necessary, change it in the record.',
      },
    ])
    const yards = await Promise.all([0, 1, 2, 3, 4].map(async (n) => (await api.get(at(n))).body.yard))
    expect(yards).toEqual([north['@id'], south['@id'], north['@id'], null, null])
  })

  test('each record in a batch job is checked against the current permissions of the user who started the job', async () => {
    const { client, api } = await makeStore()
    await stack(client, 101)
    const user = await client.user({ roles: ['ROLE_HOME_KEEPER'] })
    const keeper = client.as(user)
    await add(api, 'home', { grade: 'home' })
    const { body: begun } = await keeper.post(BULK, { action: 'retire', ...(await everything(keeper)) })
    await portal.drain()
    expect((await keeper.get(begun['@id'])).body).toMatchObject({ done: 1, refused: 101 })
    expect((await refusals(keeper, begun))[0]).toMatchObject({
      reason: 'You can view this, but not change it.',
    })

    const { body: later } = await keeper.post(BULK, { action: 'restore', ...(await everything(keeper)) })
    await portal.db.tx('system', (tx) => tx.rows('UPDATE user_account SET roles = $2 WHERE id = $1', [user.id, []]))
    await portal.drain()
    expect(
      await portal.db.tx('system', (tx) => tx.rows('SELECT state, done FROM run WHERE id = $1', [later.id])),
    ).toEqual([{ state: 'failed', done: 0 }])
  })

  test("a batch job across many clients handles each record within the record's own client", async () => {
    const stores = [await makeStore(), await makeStore()]
    const mark = `wide ${stores[0]?.client.id}`
    for (const { client } of stores)
      await portal.db.tx('system', (tx) =>
        tx.rows('INSERT INTO test_ladder (client_id, name) SELECT $1, $2 FROM generate_series(1, 80)', [
          client.id,
          mark,
        ]),
      )
    const staff = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF'] }))
    const { body: begun } = await staff.post(`${BULK}?name=${mark}`, { action: 'retire', all: true, count: 160 })
    await portal.drain()
    expect((await staff.get(begun['@id'])).body).toMatchObject({ state: 'done', done: 160 })
    for (const { client, api } of stores) {
      expect((await api.get(`${LIST}?retired=true&itemsPerPage=0`)).body['hydra:totalItems']).toBe(80)
      const [trail] = await portal.db.tx('system', (tx) =>
        tx.rows("SELECT count(*)::int AS n FROM audit WHERE client_id = $1 AND type = 'Ladder' AND verb = 'update'", [
          client.id,
        ]),
      )
      expect(trail).toEqual({ n: 80 })
    }
    await staff.post(`${begun['@id']}/undo`, {})
    await portal.drain()
    expect((await staff.get(begun['@id'])).body).toMatchObject({ state: 'undone', undone: 160 })
  })

  test('a batch job lists missing records separately', async () => {
    const { client, api } = await makeStore()
    await stack(client, 60)
    const there = (await shown(api)).map(({ id }) => id)
    const gone = Array.from({ length: 130 }, (_, n) => 9_000_000_000 + n)
    const { status, body: begun } = await api.post(BULK, { action: 'retire', ids: [...gone, ...there] })
    expect([status, begun.total]).toEqual([202, 190])
    await portal.drain()
    expect((await api.get(begun['@id'])).body).toMatchObject({ state: 'done', done: 60, refused: 130 })
    expect(await refusals(api, begun)).toContainEqual(expect.objectContaining({ line: gone[0], code: 'not_found' }))
    const tooMany = await api.post(BULK, { action: 'retire', ids: Array.from({ length: 10_001 }, () => 1) })
    expect([tooMany.status, tooMany.body.code]).toEqual([413, 'too_large'])
  })

  test('a request sent twice starts only one batch job', async () => {
    const { client, api } = await makeStore()
    await stack(client, 101)
    const send = () =>
      api.post(BULK, { action: 'retire', all: true, count: 101 }, { 'idempotency-key': `many ${client.id}` })
    const first = await send()
    const again = await send()
    expect([again.status, again.headers['idempotency-replayed'], again.body]).toEqual([202, 'true', first.body])
  })

  test('a batch job whose process is killed at any point processes each record exactly once', async () => {
    const { client, user, api } = await makeStore()
    await stack(client, 101)
    for (const left of [5, 60, 170, 320]) {
      const { body: begun } = await api.post(BULK, { action: 'lend', all: true, count: 101, input: { to: `${left}` } })
      const db = new CrashingDb(portal.db)
      const engine = createEngine(db, portal.engine.config, registryOf(portal.engine).modules)
      db.left = left
      await bulkActionJob.work(engine, client.id, begun.id).catch(() => {})
      db.left = 0
      // Lets the job's lease expire.
      await portal.db.tx('system', (tx) =>
        tx.rows("UPDATE run SET lease_until = now() - interval '1 second' WHERE client_id = $1 AND lease IS NOT NULL", [
          client.id,
        ]),
      )
      await portal.runSchedule('runs.recover')
      await portal.drain()
      expect((await api.get(begun['@id'])).body).toMatchObject({ state: 'done', done: 101, refused: 0 })
      await api.post(`${begun['@id']}/undo`, {})
      await portal.drain()
      expect((await api.get(begun['@id'])).body).toMatchObject({ state: 'undone', undone: 101, refused: 0 })
    }
    const trail = await portal.db.tx('system', (tx) =>
      tx.rows(
        "SELECT verb, count(*)::int AS n FROM audit WHERE client_id = $1 AND username = $2 AND type = 'Ladder' GROUP BY 1 ORDER BY 1",
        [client.id, user.username],
      ),
    )
    expect(trail).toEqual([
      { verb: 'lend', n: 4 * 101 },
      { verb: 'takeBack', n: 4 * 101 },
    ])
  })
})

describe('permissions for bulk changes', () => {
  test('a bulk change never affects records of another client', async () => {
    const theirs = await makeStore()
    const id = await add(theirs.api, 'theirs')
    const { api } = await makeStore()
    const { status, body } = await api.post(BULK, { action: 'retire', ids: [id] })
    const unknown = { '@id': `${LIST}/${id}`, id, title: null, code: 'not_found', message: 'Not found.' }
    expect([status, body.done, body.refused]).toEqual([200, [], [unknown]])
    expect(
      (await api.post(`${BULK}?client=${theirs.client.id}`, { action: 'retire', all: true, count: 0 })).body.done,
    ).toEqual([])
    expect((await shown(theirs.api, 'retired=true')).length).toBe(0)
  })

  test("a bulk change by staff with access to all clients handles each record within the record's own client", async () => {
    const { client, api } = await makeStore()
    const id = await add(api, 'a')
    const staff = await portal.provider.user({ roles: ['ROLE_STAFF'] })
    expect((await portal.provider.as(staff).post(BULK, { action: 'retire', ids: [id] })).body.done).toEqual([id])
    const [trail] = await portal.db.tx('system', (tx) =>
      tx.rows("SELECT client_id FROM audit WHERE row_id = $1 AND type = 'Ladder' AND verb = 'update'", [id]),
    )
    expect(trail).toEqual({ client_id: client.id })
  })

  test('a bulk change requires the same permission for each record as a single change', async () => {
    const { client, api } = await makeStore()
    const mine = await add(api, 'home', { grade: 'home' })
    const notMine = await add(api, 'pro', { grade: 'pro' })
    const keeper = client.as(await client.user({ roles: ['ROLE_HOME_KEEPER'] }))
    const { body } = await keeper.post(BULK, { action: 'retire', ids: [mine, notMine] })
    expect(body.done).toEqual([mine])
    expect(body.refused).toMatchObject([{ id: notMine, message: 'You can view this, but not change it.' }])
  })

  test('a bulk change is refused entirely if the user is not allowed to change any of the records', async () => {
    const { client, api } = await makeStore()
    const id = await add(api, 'a')
    const reader = client.as(await client.user())
    for (const action of ['retire', 'lend', 'grade'])
      expect((await reader.post(BULK, { action, ids: [id], input: { to: 'x', grade: 'home' } })).status, action).toBe(
        403,
      )
    expect((await portal.anonymous.post(BULK, { action: 'retire', ids: [id] })).status).toBe(401)
  })

  test('each bulk action with inputs states which apply to many records, and refuses the others', async () => {
    const found = portal.engine.resources.flatMap((r) =>
      bulkActions(r).flatMap((action) => (action.change ? [] : [{ r, action }])),
    )
    const inputs = found.flatMap(({ r, action: { name, input, singleOnly = [] } }) =>
      Object.keys(input).length || singleOnly.length ? [[`${r.type}.${name}`, Object.keys(input), singleOnly]] : [],
    )
    expect(inputs).toEqual([
      ['Customer.sendStatement', ['from', 'to'], ['again']],
      ['Invoice.send', [], ['again']],
      ['OverdueInvoice.remind', [], ['again']],
      ['BankLine.book', [], ['invoice', 'customer']],
      ['Contact.close', ['result', 'date', 'notes'], []],
      ['CountedSale.check', ['versions'], ['version']],
      ['Contract.resend', ['days'], []],
      ['TrainingBooking.recordAttendance', ['attendance'], ['externalNumber', 'reason']],
      ['Ladder.lend', ['to'], []],
    ])
    for (const { r, action } of found)
      for (const name of action.singleOnly ?? []) {
        const roles = [r.actions?.[action.name]?.allow ?? []].flat().filter((role) => role.startsWith('ROLE_'))
        const { status, body } = await portal.provider
          .as(await portal.provider.user({ roles: ['ROLE_STAFF', ...roles] }))
          .post(`${r.url}/bulk`, { action: action.name, ids: [1, 2], input: { [name]: 'x' } })
        expect([name, status, body.violations?.[0]?.propertyPath]).toEqual([name, 422, `input.${name}`])
      }
  })

  test('an invalid bulk request is refused with an explanation', async () => {
    const { api } = await makeStore()
    const ids = [await add(api, 'a')]
    const asked = async (body: Record<string, unknown>) => (await api.post(BULK, body)).status
    expect(await asked({ action: 'constructor', ids })).toBe(400)
    expect(await asked({ ids })).toBe(400)
    expect(await asked({ action: 'retire' })).toBe(400)
    expect(await asked({ action: 'retire', ids: [] })).toBe(400)
    expect(await asked({ action: 'retire', ids: ['/api/test/yards/1'] })).toBe(400)
    expect(await asked({ action: 'grade', ids, input: { grade: 'nonsense' } })).toBe(422)
    expect(await asked({ action: 'grade', ids })).toBe(422)
    const { status, body } = await api.post(BULK, { action: 'lend', ids, input: {} })
    expect([status, body.violations]).toEqual([
      422,
      [{ propertyPath: 'input.to', message: 'Please say who takes it', code: 'required' }],
    ])
  })

  test('a bulk change sent twice is executed once', async () => {
    const { api } = await makeStore()
    const ids = await addAll(api, 'a')
    const send = () =>
      api.post(BULK, { action: 'lend', ids, input: { to: 'Sam' } }, { 'idempotency-key': `k${ids[0]}` })
    const first = await send()
    const again = await send()
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect(again.body).toEqual(first.body)
  })
})
