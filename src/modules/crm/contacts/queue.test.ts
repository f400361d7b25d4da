import { describe, expect, test } from 'vitest'
import { now, toUnixSeconds } from '#kernel/time.ts'
import { moveClock } from '#server/engine/clock.ts'
import { type TestApi, testPortal } from '#test/support/portal.ts'
import { expectSuccess } from '#test/support/sign-offs.ts'

const portal = await testPortal()
const CONTACTS = '/api/crm/contacts'
const RESULT = '/api/crm/last_results'
const HOUR = 3600
const inHours = (n: number) => toUnixSeconds(now()) + n * HOUR
const sql = <T>(text: string, values: readonly unknown[] = []) =>
  portal.db.tx('system', (tx) => tx.rows<T>(text, values))

async function desk() {
  const client = await portal.client()
  const person = async (name: string) =>
    client.as(await client.user({ roles: ['ROLE_STAFF', 'ROLE_LEADS_ADMIN'], name }))
  const as = await person('Jane')
  const make = async (companyName: string, more: Record<string, unknown> = {}) =>
    (await as.post(CONTACTS, { companyName, ...more })).body as { id: number; '@id': string }
  return { client, person, as, make }
}
const next = async (as: TestApi, query = '') => (await as.get(`${CONTACTS}/next${query}`)).body.next
const finish = async (as: TestApi, id: number, result = 47, query = '') =>
  (await as.post(`${CONTACTS}/${id}/outcomes${query}`, { result: `${RESULT}/${result}` })).body.next
/** Works through the queue until it is empty. Returns the company names in queue order. */
async function all(as: TestApi, query = '', result = 47): Promise<string[]> {
  const order: string[] = []
  for (let it = await next(as, query); it && order.length < 50; it = await finish(as, it.id, result, query))
    order.push(it.companyName)
  return order
}

/** Sets the portal's clock to a given time in London, the given number of days ahead. */
const moveTo = async (days: number, time: string) => {
  const there = now().toZonedDateTimeISO('Europe/London').toPlainDate().add({ days })
  const at = there.toZonedDateTime({ timeZone: 'Europe/London', plainTime: time }).epochMilliseconds
  await sql('UPDATE clock SET ahead = make_interval(secs => $1::float8 / 1000)', [at - Date.now()])
  await portal.engine.clock.load()
}

describe('calls on behalf of colleagues', () => {
  test("leads in the After 5 tray are due from five o'clock London time until the end of the day, in winter and in summer", async () => {
    const d = await desk()
    const it = await d.make('After five')
    try {
      await moveTo(1, '16:59:00')
      const { body } = await d.as.post(`${it['@id']}/outcomes`, { result: `${RESULT}/18` })
      expect(body.next).toBeNull()
      for (const [days, time, comes] of [
        [1, '16:59:30', false],
        [1, '17:00:30', true],
        [2, '00:00:30', false],
        [183, '16:59:30', false],
        [183, '17:00:30', true],
      ] as const) {
        await moveTo(days, time)
        const found = await next(d.as)
        expect([days, time, found?.companyName]).toEqual([days, time, comes ? 'After five' : undefined])
        await sql('UPDATE contact SET lease_until = NULL WHERE id = $1', [it.id])
      }
    } finally {
      await moveClock(portal.engine, 0)
    }
  })

  test("an absent colleague's callbacks come before unassigned leads until the last day of the absence", async () => {
    const d = await desk()
    const tom = expectSuccess(await d.as.post('/api/crm/staff', { username: 'tom', name: 'Tom' }))
    await d.make('nobody’s overdue', { callbackDate: inHours(-24) })
    await d.make('Tom’s overdue', { owner: tom['@id'], callbackDate: inHours(-1) })
    expect((await all(d.as)).at(-1)).toBe('Tom’s overdue')
    await d.make('nobody’s overdue', { callbackDate: inHours(-24) })
    await d.make('Tom’s next', { owner: tom['@id'], callbackDate: inHours(-1) })
    const day = now().toZonedDateTimeISO('Europe/London').toPlainDate()
    expectSuccess(await d.as.put(tom['@id'], { awayUntil: day.subtract({ days: 1 }).toString() }))
    expect((await all(d.as)).at(-1)).toBe('Tom’s next')
    await d.make('nobody’s overdue', { callbackDate: inHours(-24) })
    await d.make('Tom’s third', { owner: tom['@id'], callbackDate: inHours(-1) })
    expectSuccess(await d.as.put(tom['@id'], { awayUntil: day.toString() }))
    expect((await all(d.as))[0]).toBe('Tom’s third')
  })
})

describe('the next lead', () => {
  test('the next lead is the most overdue callback; if there is none, a new lead; otherwise none', async () => {
    const d = await desk()
    await d.make('new 1')
    await d.make('due later', { callbackDate: inHours(2), expiry: inHours(2) })
    await d.make('overdue an hour', { callbackDate: inHours(-1), lastResult: `${RESULT}/31` })
    await d.make('put off', { expiry: inHours(24), lastResult: `${RESULT}/3` })
    await d.make('overdue a day', { callbackDate: inHours(-24), lastResult: `${RESULT}/31` })
    await d.make('time come round', { expiry: inHours(-24), lastResult: `${RESULT}/3` })
    await d.make('new 2')
    await d.make('never', { doNotCall: true })
    await d.make('gone', { retired: true })
    expect(await all(d.as)).toEqual(['overdue a day', 'overdue an hour', 'new 1', 'time come round', 'new 2'])
    expect(await next(d.as)).toBeNull()
  })

  test("the next lead is the caller's own, then an unassigned one, then a colleague's, even if the colleague's is the most overdue", async () => {
    const d = await desk()
    const user = await d.client.user({ roles: ['ROLE_STAFF', 'ROLE_LEADS_ADMIN'] })
    const jane = d.client.as(user)
    const record = async (username: string) =>
      expectSuccess(await d.as.post('/api/crm/staff', { username, name: username }))['@id'] as string
    const mine = expectSuccess(await d.as.get(`/api/crm/staff/${user.username}`))['@id'] as string
    const tom = await record('tom')
    await d.make('Tom’s overdue', { owner: tom, callbackDate: inHours(-48) })
    await d.make('Tom’s new', { owner: tom })
    await d.make('nobody’s overdue', { callbackDate: inHours(-24) })
    await d.make('nobody’s new')
    await d.make('my new', { owner: mine })
    await d.make('my overdue', { owner: mine, callbackDate: inHours(-1) })
    const order = ['my overdue', 'my new', 'nobody’s overdue', 'nobody’s new', 'Tom’s overdue', 'Tom’s new']
    expect(await all(jane)).toEqual(order)
  })

  test('the next lead is returned with its notes', async () => {
    const d = await desk()
    const it = await d.make('Acme', { callbackDate: inHours(-3) })
    await d.as.post('/api/crm/actions', { contact: it['@id'], notes: 'Ask for Pat', sticky: true })
    const lead = await next(d.as)
    expect(lead.actions.map((n: { notes: string }) => n.notes)).toEqual(['Ask for Pat'])
    expect(Object.keys(lead)).not.toContain('leaseUser')
  })

  test('the next lead follows the filters and the order of the list', async () => {
    const d = await desk()
    const owner = (await d.as.post('/api/crm/staff', { username: 'ann', name: 'Ann' })).body['@id']
    for (const [name, more] of [
      ['C', { owner }],
      ['A', { owner }],
      ['B', {}],
      ['P', { lastResult: `${RESULT}/5` }],
      ['Z overdue', { owner, callbackDate: inHours(-1) }],
    ] as const)
      await d.make(name, more)
    expect((await next(d.as, '?order[companyName]=asc')).companyName).toBe('B')
    expect((await next(d.as, `?owner=${owner}&order[companyName]=asc`)).companyName).toBe('Z overdue')
    expect((await next(d.as, `?owner=${owner}&order[companyName]=asc&callbackDate[gt]=99999999999`)) ?? 'none').toBe(
      'none',
    )
    expect((await next(d.as, '?exists[owner]=false&order[companyName]=desc')).companyName).toBe('P')
    expect((await next(d.as, '?lastResult.category=NEW&exists[owner]=false')).companyName).toBe('B')
    expect((await next(d.as, '?q=z')).companyName).toBe('Z overdue')
    expect(await all(await d.person('Tom'), `?owner=/api/crm/staff/ann&order[companyName]=asc`)).toEqual(['A', 'C'])
  })

  test('the next lead is taken from a tray only if that tray is requested', async () => {
    const d = await desk()
    const it = await d.make('After five')
    try {
      await moveTo(1, '10:00:00')
      expect(await finish(d.as, it.id, 18)).toBeNull()
      expect(await next(d.as)).toBeNull()
      expect((await next(d.as, '?owner=/api/crm/staff/after5')).companyName).toBe('After five')
    } finally {
      await moveClock(portal.engine, 0)
    }
  })

  test('the next lead is never a dead lead, even if dead leads are requested', async () => {
    const d = await desk()
    const it = await d.make('Dead')
    await finish(d.as, it.id, 4)
    for (const query of [
      '',
      '?owner=/api/crm/staff/dead',
      '?doNotCall=true',
      '?retired=true',
      '?lastResult.category=DEAD',
    ])
      expect(await next(d.as, query)).toBeNull()
  })

  test('the next lead excludes leads that the caller has skipped today, but a colleague may get them', async () => {
    const d = await desk()
    const [a, b] = [await d.make('A'), await d.make('B')]
    expect((await finish(d.as, a.id, 49)).id).toBe(b.id)
    expect(await finish(d.as, b.id, 49)).toBeNull()
    expect(await next(d.as)).toBeNull()
    const tom = await d.person('Tom')
    expect((await next(tom)).id).toBe(a.id)
    expect((await finish(tom, a.id, 49)).id).toBe(b.id)
    // Both callers have skipped lead A, so neither is offered it again today, no matter who skipped it last.
    expect([await next(d.as), (await next(tom)).id]).toEqual([null, b.id])
    expect(await finish(tom, b.id, 49)).toBeNull()
    await sql(`UPDATE contact SET skip_until = now() - interval '1 second' WHERE client_id = $1`, [d.client.id])
    expect((await next(d.as)).id).toBe(a.id)
  })

  test('the next lead is not the one that the caller has just dealt with', async () => {
    const d = await desk()
    const [a, b] = [await d.make('A'), await d.make('B')]
    expect((await next(d.as)).id).toBe(a.id)
    expect((await next(d.as)).id).toBe(a.id)
    expect((await next(d.as, `?after=${a.id}`)).id).toBe(b.id)
  })

  test("the next lead always belongs to the caller's own client", async () => {
    const [one, other] = [await desk(), await desk()]
    await one.make('My views')
    expect(await next(other.as)).toBeNull()
    expect(await next(other.as, `?client_id=${one.client.id}`)).toBeNull()
  })
})

describe("a lead's lease", () => {
  test('a lease reserves a lead for one caller, even if twenty request it simultaneously', async () => {
    const d = await desk()
    await sql('INSERT INTO contact (client_id, company_name) SELECT $1, n FROM generate_series(1, 60) n', [d.client.id])
    const [jane, tom] = [d.as, await d.person('Tom')]
    const ask = (as: TestApi) => Promise.all(Array.from({ length: 10 }, () => next(as).then((l) => l.id as number)))
    const [janes, toms] = await Promise.all([ask(jane), ask(tom)])
    expect(janes.filter((id) => toms.includes(id))).toEqual([])
    const work = async (as: TestApi, from: number) => {
      const done: number[] = []
      for (let id: number | undefined = from; id && done.length < 15; ) {
        done.push(id)
        id = (await finish(as, id))?.id
      }
      return done
    }
    const [a, b] = await Promise.all([work(jane, janes[0] as number), work(tom, toms[0] as number)])
    expect([a.length, b.length, new Set([...a, ...b]).size]).toEqual([15, 15, 30])
  })

  test("one request returns colleagues' leases for all leads on a page", async () => {
    const d = await desk()
    const [mine, theirs, free] = [await d.make('My views'), await d.make('Theirs'), await d.make('Free')]
    const tom = await d.person('Tom')
    for (const [as, lead] of [
      [d.as, mine],
      [tom, theirs],
    ] as const)
      await as.post(`${lead['@id']}/lease`, {})
    const url = `/api/crm/contacts/held?leads=${mine.id},${theirs.id},${free.id},x,9e9`
    const held = async (as: TestApi) => (await as.get(url)).body.held
    expect(await held(d.as)).toEqual([{ id: theirs.id, by: 'Tom' }])
    await tom.post(`${theirs['@id']}/lease`, { release: true })
    expect(await held(d.as)).toEqual([])
    expect(await held(tom)).toMatchObject([{ id: mine.id }])
    expect(await held((await desk()).as)).toEqual([])
    expect((await d.as.get('/api/crm/contacts/held')).body.held).toEqual([])
  })

  test("a lease blocks a colleague's outcome, and the error names the leaseholder", async () => {
    const d = await desk()
    const it = await d.make('Acme')
    expect((await next(d.as)).id).toBe(it.id)
    const tom = await d.person('Tom')
    const refused = await tom.post(`${it['@id']}/outcomes`, { result: `${RESULT}/47` })
    expect([refused.status, refused.body.detail]).toEqual([
      409,
      'Jane is working this lead at the moment. Nothing was saved.',
    ])
    expect((await tom.post(`${it['@id']}/lease`, {})).body).toMatchObject({ contact: null, heldBy: 'Jane' })
    expect((await tom.get(`${it['@id']}/actions`)).body['hydra:member']).toEqual([])
    expect((await d.as.post(`${it['@id']}/outcomes`, { result: `${RESULT}/47` })).status).toBe(200)
  })

  test("a lease is renewed while the lead's page is open and ends when the page is closed", async () => {
    const d = await desk()
    const it = await d.make('Acme')
    const tom = await d.person('Tom')
    const later = (minutes: number) =>
      sql('UPDATE contact SET lease_until = lease_until - make_interval(mins => $2) WHERE id = $1', [it.id, minutes])
    expect((await next(d.as)).id).toBe(it.id)
    for (let i = 0; i < 3; i++) {
      await later(9)
      expect((await d.as.post(`${it['@id']}/lease`, {})).body.contact.id).toBe(it.id)
      expect(await next(tom)).toBeNull()
    }
    await later(11)
    expect((await next(tom)).id).toBe(it.id)
    expect((await d.as.post(`${it['@id']}/lease`, {})).body).toMatchObject({ contact: null, heldBy: 'Tom' })
  })

  test('a lease can be released only by the leaseholder', async () => {
    const d = await desk()
    const it = await d.make('Acme')
    const tom = await d.person('Tom')
    await next(d.as)
    await tom.post(`${it['@id']}/lease`, { release: true })
    expect(await next(tom)).toBeNull()
    expect((await d.as.post(`${it['@id']}/lease`, { release: true })).status).toBe(200)
    expect((await next(tom)).id).toBe(it.id)
  })

  test('recording an outcome ends the lease', async () => {
    const d = await desk()
    const it = await d.make('Acme', { callbackDate: inHours(-1) })
    await next(d.as)
    await d.as.post(`${it['@id']}/outcomes`, { result: `${RESULT}/31`, date: inHours(-0.1) })
    expect((await next(await d.person('Tom'))).id).toBe(it.id)
  })

  test("only leads of the caller's own client can be leased", async () => {
    const [one, other] = [await desk(), await desk()]
    const it = await one.make('My views')
    expect((await other.as.post(`${it['@id']}/lease`, {})).status).toBe(404)
  })
})
