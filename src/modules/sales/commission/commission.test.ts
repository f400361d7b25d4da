import { afterEach, expect, test } from 'vitest'
import { londonDate } from '#kernel/time.ts'
import { moveClock } from '#server/engine/clock.ts'
import { type TestApi, testPortal } from '#test/support/portal.ts'
import { firstDayOfCommissionMonth } from './month.ts'

const portal = await testPortal()
const [SALES, LINES, MONTHS, RATES] = ['sales_stats', 'commission_lines', 'commission_months', 'commission_rates'].map(
  (path) => `/api/sales/${path}`,
) as [string, string, string, string]
const today = () => londonDate(portal.engine.clock.now())

afterEach(() => moveClock(portal.engine, 0))

/** Creates a team of two sellers and two sales managers, all with a commission rate of ten per cent. */
async function floor() {
  const client = await portal.client()
  const person = async (roles: string[]) => {
    const user = await client.user({ roles })
    const [row] = await portal.db.tx('system', (tx) =>
      tx.rows<{ id: number }>('SELECT id FROM staff WHERE client_id = $1 AND user_id = $2', [client.id, user.id]),
    )
    return { user, staff: `/api/crm/staff/${row?.id}`, as: client.as(user) }
  }
  const [ann, bob] = [await person(['ROLE_STAFF']), await person(['ROLE_STAFF'])]
  const [boss, other] = [
    await person(['ROLE_STAFF', 'ROLE_SALES_ADMIN']),
    await person(['ROLE_STAFF', 'ROLE_SALES_ADMIN']),
  ]
  const rate = await boss.as.post(RATES, { percent: 10, from: '2020-01-01' })
  expect(rate.status).toBe(201)
  return { client, ann, bob, boss, other }
}

const sell = async (as: TestApi, values: Record<string, unknown> = {}) => {
  const { status, body } = await as.post('/api/sales/sales/create', {
    day: today().toString(),
    amount: 10_000,
    what: 'Safety pack',
    ...values,
  })
  expect([status, body?.detail]).toEqual([201, undefined])
  return body
}
const linesFor = async (as: TestApi, query = '') => {
  const { status, body } = await as.get(`${LINES}?order[id]=asc${query}`)
  expect(status).toBe(200)
  // biome-ignore lint/suspicious/noExplicitAny: a body
  return body['hydra:member'] as any[]
}
const amounts = async (as: TestApi, query = '') => (await linesFor(as, query)).map((line) => [line.kind, line.amount])
const monthAt = async (as: TestApi, month: Temporal.PlainDate) =>
  (await as.get(`${MONTHS}?month=${month.toString()}`)).body['hydra:member'][0]

/** Reads a sale and checks it as read. */
const check = async (by: TestApi, { '@id': at }: { readonly '@id': string }) =>
  by.post(`${at}/check`, { version: (await by.get(at)).body.version ?? 1 })

test('a sale earns commission for its seller, and the commission is recalculated when the sale changes', async () => {
  const { ann, bob, boss } = await floor()
  const sold = await sell(ann.as)
  expect([sold.source, sold.state, sold.seller['@id']]).toEqual(['hand', 'waiting', ann.staff])
  expect(await amounts(ann.as)).toEqual([['earned', 1000]])
  // Sellers can see their own lines; managers can see all lines.
  expect(await amounts(bob.as)).toEqual([])
  expect((await linesFor(boss.as)).length).toBe(1)

  await ann.as.put(`/api/sales/sales_stats/update/${sold.id}`, { amount: 5000 })
  expect(await amounts(ann.as)).toEqual([
    ['earned', 1000],
    ['clawback', -500],
  ])
  await boss.as.put(sold['@id'], { seller: bob.staff })
  expect(await amounts(ann.as)).toEqual([
    ['earned', 1000],
    ['clawback', -500],
    ['clawback', -500],
  ])
  expect(await amounts(bob.as)).toEqual([['earned', 500]])
  expect((await bob.as.delete(`/api/sales/sales_stats/delete/${sold.id}?reason=Sent%20back`)).status).toBe(204)
  expect(await amounts(bob.as)).toEqual([
    ['earned', 500],
    ['clawback', -500],
  ])
  expect((await linesFor(bob.as)).at(-1).reason).toBe('Safety pack was retired: Sent back')
  await boss.as.post(`${sold['@id']}/restore`)
  expect(await amounts(bob.as)).toEqual([
    ['earned', 500],
    ['clawback', -500],
    ['earned', 500],
  ])
})

test('sellers can enter, change and retire only their own sales', async () => {
  const { ann, bob } = await floor()
  const forBob = { day: today().toString(), amount: 1, what: 'x', seller: bob.staff }
  expect((await ann.as.post(SALES, forBob)).status).toBe(403)
  const sold = await sell(ann.as)
  expect((await bob.as.put(sold['@id'], { amount: 1 })).status).toBe(403)
  expect((await bob.as.post(`${sold['@id']}/retire`, { reason: 'x' })).status).toBe(403)
  expect((await ann.as.put(sold['@id'], { seller: bob.staff })).status).toBe(403)
  expect((await ann.as.post(LINES, { seller: ann.staff, amount: 1, reason: 'x' })).status).toBe(403)
  const tomorrow = today().add({ days: 1 }).toString()
  expect((await ann.as.post(SALES, { day: tomorrow, amount: 1, what: 'x' })).status).toBe(422)
  const stranger = await portal.client()
  const stranger1 = stranger.as(await stranger.user({ roles: ['ROLE_STAFF', 'ROLE_SALES_ADMIN'] }))
  expect((await stranger1.get(sold['@id'])).status).toBe(404)
  expect((await check(stranger1, sold)).status).toBe(404)
})

test('a repeated request or a second entry for the same deal creates no second sale', async () => {
  const { ann } = await floor()
  const body = { day: today().toString(), amount: 100, what: 'x' }
  const key = { 'idempotency-key': 'once-and-no-more' }
  const [first, again] = [
    await ann.as.post('/api/sales/sales/create', body, key),
    await ann.as.post('/api/sales/sales/create', body, key),
  ]
  expect([first.status, again.body.id]).toEqual([201, first.body.id])
  const lead = await ann.as.post('/api/crm/contacts', { companyName: 'Acme' })
  const deal = await ann.as.post('/api/crm/sales', { contact: lead.body['@id'] })
  const of = { ...body, sale: deal.body['@id'], contact: lead.body['@id'] }
  const sold = await sell(ann.as, of)
  expect(sold.company).toBe('Acme')
  const twice = await ann.as.post('/api/sales/sales/create', of)
  expect([twice.status, twice.body.id]).toEqual([200, sold.id])
})

test('the sale of a deal is entered by its owner, or by a sales manager for its owner', async () => {
  const { ann, bob, boss } = await floor()
  const lead = (await ann.as.post('/api/crm/contacts', { companyName: 'Acme' })).body['@id']
  const deal = async () => (await ann.as.post('/api/crm/sales', { contact: lead })).body['@id']
  const sold = { day: today().toString(), amount: 100, what: 'x' }
  const of = await deal()
  const unlinked = await sell(bob.as)
  for (const answer of [
    await bob.as.post(SALES, { ...sold, sale: of }),
    await bob.as.post('/api/sales/sales/create', { ...sold, sale: of }),
    await bob.as.patch(unlinked['@id'], { sale: of }),
    await bob.as.put(`/api/sales/sales_stats/update/${unlinked.id}`, { sale: of }),
  ])
    expect([answer.status, answer.body.detail]).toEqual([403, expect.stringContaining('belongs to a colleague')])
  expect((await boss.as.post(SALES, { ...sold, sale: of, seller: bob.staff })).status).toBe(422)
  const entered = await boss.as.post(SALES, { ...sold, sale: of })
  expect([entered.status, entered.body.seller['@id']]).toEqual([201, ann.staff])
  expect((await boss.as.patch(entered.body['@id'], { seller: bob.staff })).status).toBe(422)
  expect((await sell(ann.as, { sale: await deal() })).seller['@id']).toBe(ann.staff)
})

test("sellers can't check their own sales through any endpoint", async () => {
  const { ann, boss, other } = await floor()
  const own = await sell(boss.as)
  expect((await check(boss.as, own)).status).toBe(403)
  const bulk = await boss.as.post(`${SALES}/bulk`, { action: 'check', ids: [own.id] })
  expect(bulk.body).toMatchObject({ done: [], refused: [{ code: 'forbidden' }] })
  await boss.as.put(own['@id'], { state: 'checked', checkedBy: 'me' })
  expect((await boss.as.get(own['@id'])).body.state).toBe('waiting')
  expect((await check(ann.as, own)).status).toBe(403)
  expect((await check(other.as, own)).body).toMatchObject({
    state: 'checked',
    checkedBy: other.user.username,
  })
  expect((await check(other.as, own)).status).toBe(409)
  // Neither the seller nor the person who entered a sale checks it, even if a manager assigns it to another seller.
  const given = await sell(boss.as)
  await boss.as.put(given['@id'], { seller: ann.staff })
  expect((await check(boss.as, given)).status).toBe(403)
  expect((await check(other.as, given)).status).toBe(200)
  expect((await boss.as.put(given['@id'], { seller: boss.staff })).body.state).toBe('waiting')
  // Only managers can change a checked sale, which must then be checked again.
  const checked = await sell(ann.as)
  await check(boss.as, checked)
  expect((await ann.as.put(checked['@id'], { amount: 1 })).status).toBe(409)
  expect((await boss.as.put(checked['@id'], { amount: 1 })).body.state).toBe('waiting')
})

test('a check states the version of the sale that was read, and is refused after a change', async () => {
  const { ann, boss } = await floor()
  const [one, two, three] = [await sell(ann.as), await sell(ann.as), await sell(ann.as)]
  const unread = await boss.as.post(`${one['@id']}/check`)
  expect([unread.status, unread.body.violations[0].propertyPath]).toEqual([422, 'version'])
  await ann.as.put(one['@id'], { amount: 999_999 })
  expect((await boss.as.post(`${one['@id']}/check`, { version: one.version })).status).toBe(409)
  const versions = { [one.id]: one.version, [two.id]: two.version }
  const many = await boss.as.post(`${SALES}/bulk`, {
    action: 'check',
    ids: [one.id, two.id, three.id],
    input: { versions },
  })
  expect(many.body).toMatchObject({
    done: [two.id],
    refused: expect.arrayContaining([
      expect.objectContaining({ id: one.id, code: 'conflict' }),
      expect.objectContaining({ id: three.id, code: 'invalid' }),
    ]),
  })
  expect((await check(boss.as, one)).status).toBe(200)
})

test('a sale is checked by a manager who has not changed its figures, or by the only one there is', async () => {
  const { client, ann, bob, boss, other } = await floor()
  for (const change of [
    { amount: 900_000 },
    { seller: bob.staff },
    { day: today().subtract({ days: 1 }).toString() },
  ]) {
    const sold = await sell(ann.as)
    await boss.as.put(sold['@id'], change)
    expect((await check(boss.as, sold)).status).toBe(403)
    expect((await other.as.put(sold['@id'], { notes: 'Rang the customer' })).status).toBe(200)
    expect((await check(other.as, sold)).status).toBe(200)
    // A later change is checked by anybody else, also by the first manager.
    await other.as.put(sold['@id'], { amount: 5 })
    expect((await check(other.as, sold)).status).toBe(403)
    expect((await check(boss.as, sold)).status).toBe(200)
  }
  const restored = await sell(ann.as)
  await boss.as.post(`${restored['@id']}/retire`, { reason: 'Returned' })
  await boss.as.post(`${restored['@id']}/restore`)
  expect((await check(boss.as, restored)).status).toBe(403)
  await portal.db.tx('system', (tx) =>
    tx.rows('UPDATE user_account SET is_retired = true WHERE client_id = $1 AND id = $2', [client.id, other.user.id]),
  )
  expect((await check(boss.as, restored)).status).toBe(200)
})

test('sales managers neither create, take over, change nor retire a rate for their own commission', async () => {
  const { ann, boss, other } = await floor()
  const rate = { percent: 90, from: '2020-01-01' }
  expect((await boss.as.post(RATES, { ...rate, seller: boss.staff })).status).toBe(403)
  const { body: anns } = await boss.as.post(RATES, { ...rate, seller: ann.staff })
  expect((await boss.as.put(anns['@id'], { seller: boss.staff })).status).toBe(403)
  const { body: own } = await other.as.post(RATES, { ...rate, percent: 5, seller: boss.staff })
  for (const change of [{ percent: 100 }, { seller: ann.staff }, { seller: null }, { retired: true }])
    expect([change, (await boss.as.patch(own['@id'], change)).status]).toEqual([change, 403])
  const bulk = await boss.as.post(`${RATES}/bulk`, { action: 'retire', ids: [own.id] })
  expect(bulk.body).toMatchObject({ done: [], refused: [{ code: 'forbidden' }] })
  expect((await other.as.put(own['@id'], { percent: 6 })).status).toBe(200)
})

test('a locked month never changes, and commission on a sale retired later is clawed back in the open month', async () => {
  const { ann, boss } = await floor()
  const month = firstDayOfCommissionMonth(today())
  const sold = await sell(ann.as)
  const { '@id': at } = await monthAt(boss.as, month)
  expect((await boss.as.post(`${at}/approve`)).body.detail).toMatch(/has not ended yet/)
  await moveClock(portal.engine, month.add({ months: 1 }).since(today()).days + 1)
  expect((await boss.as.post(`${at}/approve`)).body.detail).toBe('One sale in this month has not been checked yet.')
  expect((await boss.as.post(`${at}/lock`)).status).toBe(409)
  expect((await check(boss.as, sold)).status).toBe(200)
  expect((await ann.as.post(`${at}/approve`)).status).toBe(403)
  expect((await boss.as.post(`${at}/approve`)).status).toBe(200)
  // Adjustments need approval like other lines, and nobody can adjust their own commission.
  const extra = { seller: ann.staff, amount: 250, reason: 'Stood in for Bob', month: at }
  expect((await boss.as.post(LINES, { ...extra, seller: boss.staff })).status).toBe(403)
  expect((await boss.as.post(LINES, extra)).status).toBe(201)
  expect((await boss.as.get(at)).body.state).toBe('open')
  await boss.as.post(`${at}/approve`)
  expect((await boss.as.post(`${at}/lock`)).body.state).toBe('locked')

  expect((await boss.as.post(LINES, extra)).status).toBe(409)
  expect((await boss.as.post(`${at}/reopen`)).status).toBe(409)
  expect((await boss.as.put(sold['@id'], { amount: 1 })).status).toBe(409)
  const late = { day: month.toString(), amount: 1, what: 'x' }
  expect((await ann.as.post(SALES, late)).status).toBe(409)
  const kept = await linesFor(ann.as, `&month=${at}`)
  const facts = (lines: typeof kept) => lines.map(({ sale: _sale, ...line }) => line)
  expect(kept.map((line) => line.amount)).toEqual([1000, 250])

  expect((await boss.as.post(`${sold['@id']}/retire`, { reason: 'Cancelled' })).status).toBe(200)
  expect(facts(await linesFor(ann.as, `&month=${at}`))).toEqual(facts(kept))
  const [clawback] = await linesFor(ann.as, '&kind=clawback')
  expect([clawback.amount, clawback.month.month, clawback.sale['@id']]).toEqual([
    -1000,
    firstDayOfCommissionMonth(today()).toString(),
    sold['@id'],
  ])
})

/** Returns an approved month of the past with one checked sale. */
async function approvedMonth() {
  const { ann, boss } = await floor()
  const month = firstDayOfCommissionMonth(today()).subtract({ months: 1 })
  const day = month.toString()
  const sold = await sell(ann.as, { day })
  expect((await check(boss.as, sold)).status).toBe(200)
  const { '@id': at } = await monthAt(boss.as, month)
  expect((await boss.as.post(`${at}/approve`)).status).toBe(200)
  return { ann, boss, day, sold, at }
}

test('a sale without commission that is added to an approved month opens the month again', async () => {
  const { ann, boss, day, sold, at } = await approvedMonth()
  const stateNow = async () => (await boss.as.get(at)).body.state
  const added = await sell(ann.as, { day, currency: 'EUR' })
  expect([await stateNow(), (await boss.as.post(`${at}/lock`)).status]).toEqual(['open', 409])
  expect((await check(boss.as, added)).status).toBe(200)
  expect((await boss.as.post(`${at}/approve`)).status).toBe(200)
  expect((await boss.as.put(added['@id'], { notes: 'By telephone' })).status).toBe(200)
  expect(await stateNow()).toBe('approved')
  expect((await boss.as.put(added['@id'], { currency: 'USD' })).status).toBe(200)
  expect(await stateNow()).toBe('open')
  expect(sold.state).toBe('waiting')
})

test('a month that is locked while sales are entered and changed has no unchecked sale', async () => {
  for (let round = 0; round < 3; round++) {
    const { ann, boss, day, sold, at } = await approvedMonth()
    const sendAll = () => [
      boss.as.post(`${at}/lock`),
      ann.as.post(SALES, { day, amount: 100, currency: 'EUR', what: 'x' }),
      boss.as.put(sold['@id'], { amount: 5000 + round }),
    ]
    await Promise.all(Array.from({ length: 4 }, sendAll).flat())
    const waiting = (await boss.as.get(`${SALES}?state=waiting`)).body['hydra:member'].length
    const { state } = (await boss.as.get(at)).body
    expect(state === 'locked' ? waiting : 0, `round ${round}`).toBe(0)
  }
})

test('the database rejects new commission lines in a locked month and changes to existing lines', async () => {
  const { client, ann, boss } = await floor()
  await sell(ann.as)
  const sql = (text: string, values: unknown[] = []) => portal.db.tx('system', (tx) => tx.rows(text, values))
  await sql(`UPDATE commission_month SET state = 'locked' WHERE client_id = $1`, [client.id])
  await expect(
    sql(
      `INSERT INTO commission_line (client_id, month_id, seller_id, kind, amount) SELECT client_id, month_id, seller_id, 'adjustment', 1 FROM commission_line WHERE client_id = $1`,
      [client.id],
    ),
  ).rejects.toThrow(/locked/)
  await expect(sql(`UPDATE commission_month SET state = 'open' WHERE client_id = $1`, [client.id])).rejects.toThrow(
    /stays as it is/,
  )
  await expect(sql('UPDATE commission_line SET amount = 2 WHERE client_id = $1', [client.id])).rejects.toThrow(
    'permission denied',
  )
  expect((await boss.as.get(LINES)).body['hydra:member'][0].amount).toBe(1000)
})
