import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { testPortal } from '#test/support/portal.ts'
import { makeQuoteWorld } from '#test/support/quotes.ts'
import { scaleRunCount } from '#test/support/scope.ts'
import { periodContaining, readActivityTotals } from './figures.server.ts'

const portal = await testPortal()
const sql = <T>(text: string, values: readonly unknown[] = []) =>
  portal.db.tx('system', (tx) => tx.rows<T>(text, values))

async function desk() {
  const client = await portal.client()
  const boss = client.as(await client.user({ roles: ['ROLE_STAFF', 'ROLE_SALES_ADMIN'] }))
  const user = await client.user({ roles: ['ROLE_STAFF'] })
  const ann = await sql<{ id: number }>(
    `UPDATE staff SET name = 'Ann' WHERE client_id = $1 AND user_id = $2 RETURNING id`,
    [client.id, user.id],
  )
  const bob = await sql<{ id: number }>(
    `INSERT INTO staff (client_id, username, name) VALUES ($1, $2, 'Bob') RETURNING id`,
    [client.id, `bob.${user.id}`],
  )
  const [lead] = await sql<{ id: number }>(
    "INSERT INTO contact (client_id, company_name) VALUES ($1, '=Acme') RETURNING id",
    [client.id],
  )
  return {
    client,
    boss,
    ann: client.as(user),
    people: [...ann, ...bob].map((row) => Number(row.id)),
    lead: Number(lead?.id),
  }
}

const CALL = `INSERT INTO note (client_id, contact_id, user_id, last_result_id, minutes, timestamp) VALUES ($1, $2, $3, $4, $5, $6)`

/** SQL that recalculates the same figures from all individual rows. */
const RECOUNT = `SELECT what, person, "from", kind, count(*)::int AS count, sum(amount)::float8 AS amount FROM (
  SELECT 'call' AS what, coalesce(user_id, 0)::int AS person, date_trunc('month', timestamp AT TIME ZONE 'Europe/London')::date::text AS "from", last_result_id::text AS kind, minutes AS amount
    FROM note WHERE client_id = $1 AND call AND NOT retired
  UNION ALL SELECT 'sale', coalesce(seller_id, 0)::int, date_trunc('month', day)::date::text, currency, amount FROM counted_sale WHERE client_id = $1 AND NOT retired) w
  GROUP BY 1, 2, 3, 4 ORDER BY 1, 3, 2, 4`

const step = fc.record({
  kind: fc.constantFrom('call', 'sale', 'retire note', 'move note', 'retire sale', 'move sale', 'delete', 'fold'),
  which: fc.nat(20),
  who: fc.nat(2),
  hours: fc.integer({ min: 0, max: 24 * 120 }),
  amount: fc.nat(5000),
  result: fc.constantFrom(3, 5, 31, 47, 40, 49),
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

test('running totals of calls and sales equal a recount after any sequence of writes, retirements and moves', async () => {
  const begin = Temporal.Instant.from('2026-01-01T00:00:00Z')
  const take = async (d: Awaited<ReturnType<typeof desk>>, s: Step) => {
    const at = begin.add({ hours: s.hours }).toString()
    const who = d.people[s.who] ?? null
    const nth = (table: string) => `(SELECT id FROM ${table} WHERE client_id = $1 ORDER BY id OFFSET $2 LIMIT 1)`
    const one = [d.client.id, s.which]
    if (s.kind === 'call') await sql(CALL, [d.client.id, d.lead, who, s.result, s.amount % 60, at])
    if (s.kind === 'sale')
      await sql(
        `INSERT INTO counted_sale (client_id, day, seller_id, amount, what) VALUES ($1, $2::timestamptz::date, $3, $4, 'x')`,
        [d.client.id, at, who, s.amount],
      )
    if (s.kind === 'retire note')
      await sql(`UPDATE note SET retired = NOT retired WHERE client_id = $1 AND id = ${nth('note')}`, one)
    if (s.kind === 'move note')
      await sql(
        `UPDATE note SET user_id = $3, last_result_id = $4, minutes = $5, timestamp = $6 WHERE client_id = $1 AND id = ${nth('note')}`,
        [...one, who, s.result, s.amount % 60, at],
      )
    if (s.kind === 'retire sale')
      await sql(
        `UPDATE counted_sale SET retired = NOT retired WHERE client_id = $1 AND id = ${nth('counted_sale')}`,
        one,
      )
    if (s.kind === 'move sale')
      await sql(
        `UPDATE counted_sale SET seller_id = $3, amount = $4, day = $5::timestamptz::date WHERE client_id = $1 AND id = ${nth('counted_sale')}`,
        [...one, who, s.amount, at],
      )
    if (s.kind === 'delete') await sql(`DELETE FROM note WHERE client_id = $1 AND id = ${nth('note')}`, one)
    if (s.kind === 'fold') await portal.runSchedule('sales.fold')
  }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const d = await desk()
      for (const s of steps) await take(d, s)
      const counted = await portal.db.tx({ clientId: d.client.id }, (tx) =>
        readActivityTotals(tx, d.client.id, 'month', { from: '2025-12-01', to: '2026-12-31' }, undefined),
      )
      const inOrder = (work: readonly object[]) => work.map((one) => JSON.stringify(one)).sort()
      expect(inOrder(counted)).toEqual(inOrder(await sql(RECOUNT, [d.client.id])))
    }),
    { numRuns: scaleRunCount(8) },
  )
})

describe('days and months in sales figures', () => {
  test('the days and months in sales figures follow London time at the end of a month and when the clocks change', async () => {
    const d = await desk()
    const [ann = 0] = d.people
    for (const at of [
      '2026-03-31T22:59:59Z', // Still March, one second before midnight in British Summer Time.
      '2026-03-31T23:00:00Z', // 1 April in British Summer Time.
      '2026-10-31T23:59:59Z', // Still October, because British Summer Time has ended.
      '2026-11-01T00:00:00Z',
    ])
      await sql(CALL, [d.client.id, d.lead, ann, 5, 2, at])
    const { body } = await d.boss.get('/api/sales/users/month?date=2026-05-05')
    const months = body.users.find((u: { id: number }) => u.id === ann).months
    expect(months.flatMap((m: { calls: number; month: string }) => (m.calls ? [[m.month, m.calls]] : []))).toEqual([
      ['2026-03-01', 1],
      ['2026-04-01', 1],
      ['2026-10-01', 1],
      ['2026-11-01', 1],
    ])
    expect(periodContaining(Temporal.PlainDate.from('2024-02-29'), 'month')).toEqual({
      from: '2024-02-01',
      to: '2024-02-29',
    })
  })
})

test('the sales service returns the top sellers, and monthly and yearly figures for the company and each person', async () => {
  const d = await desk()
  const [ann = 0, bob = 0] = d.people
  const sold = (seller: number, day: string, amount: number) =>
    sql(`INSERT INTO counted_sale (client_id, day, seller_id, amount, what) VALUES ($1, $2, $3, $4, 'x')`, [
      d.client.id,
      day,
      seller,
      amount,
    ])
  await sold(ann, '2026-02-03', 500)
  await sold(bob, '2026-02-03', 700)
  await sold(ann, '2026-02-28', 900)
  const get = async (path: string, as = d.boss) => {
    const { status, body } = await as.get(`/api/sales/${path}?date=2026-02-03`)
    expect([status, typeof body['@id']]).toEqual([200, 'string'])
    return body
  }
  const top = async (span: string) =>
    // biome-ignore lint/suspicious/noExplicitAny: a body
    (await get(`top_users/${span}`, d.ann)).users.map((u: any) => [u.id, u.sales, u.amount])
  expect(await top('day')).toEqual([
    [bob, 1, 700],
    [ann, 1, 500],
  ])
  expect(await top('month')).toEqual([
    [ann, 2, 1400],
    [bob, 1, 700],
  ])
  expect(await top('year')).toEqual(await top('month'))
  expect((await get('company/month')).months[1]).toMatchObject({ month: '2026-02-01', sales: 3, amount: 2100 })
  expect((await get('users/year')).users.find((u: { id: number }) => u.id === bob).years.at(-1)).toMatchObject({
    year: '2026-01-01',
    amount: 700,
  })
  // Other users see only their own figures.
  expect((await get('users/month', d.ann)).users.map((u: { id: number }) => u.id)).toEqual([ann])
  expect((await d.boss.get('/api/sales/top_users/day?date=2026-02-30')).status).toBe(400)
})

test('a figure in a report equals the number of records in the list it opens', async () => {
  const d = await desk()
  const [ann = 0] = d.people
  await sql(`UPDATE staff SET name = '=HYPERLINK("x")' WHERE id = $1`, [ann])
  await sql(CALL, [d.client.id, d.lead, ann, 5, 2, '2026-02-03T10:00:00Z'])
  await sql(CALL, [d.client.id, d.lead, ann, 3, 3, '2026-02-04T10:00:00Z'])
  await sql(
    `INSERT INTO counted_sale (client_id, day, seller_id, amount, what) VALUES ($1, '2026-02-04', $2, 5000, 'x')`,
    [d.client.id, ann],
  )
  const asked = 'from=2026-02-01&to=2026-02-28'
  const { body } = await d.boss.get(`/api/sales/reports/statistics?${asked}&by=person`)
  const row = body.rows.find((r: { key: string }) => r.key === String(ann))
  expect(row.cells.map((c: { value: number }) => c.value)).toEqual([2, 5, 1, 1, 5000, 50])
  expect(row.cells[0].to).toBe(`/crm/calls?when=2026-02-01..2026-02-28&user=${ann}`)
  const months = await d.boss.get(`/api/sales/reports/statistics?${asked}&by=week`)
  expect(months.body.rows.map((r: { cells: { value: number }[] }) => r.cells[0]?.value)).toEqual([0, 2, 0, 0, 0])
  const file = await d.boss.get(`/api/sales/reports/statistics/export.csv?${asked}&by=person`)
  expect(file.text).toContain(`"'=HYPERLINK(""x"")",2,5,1,1,50.00,50`)
  const kinds = await d.boss.get(`/api/sales/reports/sale?${asked}`)
  expect(
    kinds.body.rows.map((r: { label: string; cells: { value: number }[] }) => [r.label, r.cells[1]?.value]),
  ).toEqual([['Entered by hand', 5000]])
  const sources = (await d.boss.get(`/api/sales/reports/salesources?${asked}`)).body
  expect(sources.together.cells[1].value).toBe(1)
  await sql('UPDATE contact SET came_from_id = 1 WHERE client_id = $1 AND id = $2', [d.client.id, d.lead])
  const known = (await d.boss.get(`/api/sales/reports/salesources?${asked}`)).body
  const calls = known.rows.find((r: { key: string }) => r.key === '1').cells[4]
  expect([calls.value, calls.to]).toEqual([2, '/crm/calls?when=2026-02-01..2026-02-28&cameFrom=1'])
  expect((await d.boss.get('/api/crm/calls?cameFrom=1')).body['hydra:totalItems']).toBe(2)
  expect((await d.ann.get(`/api/sales/reports/sale?${asked}`)).status).toBe(403)
  expect((await d.ann.get('/api/sales/reports/statistics?from=2026-02-02&to=2026-02-01')).status).toBe(400)
})

test('an accepted quote and an insurance sale are each counted as one sale', async () => {
  const w = await makeQuoteWorld()
  const { quote, token } = await w.sent({ plans: [{ plan: w.plan, quantity: 2 }] })
  const signature = { name: 'Ann Carter', method: 'typed' }
  const accepted = await portal.anonymous.post(`/api/financial/acceptances/${token}/accept`, { signature })
  expect(accepted.status).toBe(200)
  const sold = { contact: `/api/crm/contacts/${w.contact}`, policyType: 'Public liability', price: 120.5 }
  expect((await w.api.post('/api/financial/insurance_sales', sold)).status).toBe(201)
  await portal.drain()
  const { body } = await w.api.get('/api/sales/sales_stats?order[id]=asc')
  expect(
    // biome-ignore lint/suspicious/noExplicitAny: a body
    body['hydra:member'].map((s: any) => [s.source, s.amount, s.seller?.username, s.product?.name ?? null]),
  ).toEqual([
    ['quote', 9000, w.person.username, 'Safety pack'],
    ['insurance', 12_050, w.person.username, null],
  ])
  expect(body['hydra:member'][0].quote['@id']).toBe(quote['@id'])
  expect(body['hydra:member'][0].company).toBe('Acme Roofing Ltd')
})
