import { expect, test } from 'vitest'
import { testPortal } from '#test/support/portal.ts'
import { precedingPeriod } from './renewal-reports.ts'
import { REPORT_DEFINITIONS } from './reports.ts'

const portal = await testPortal()
const sql = <T>(text: string, values: readonly unknown[] = []) =>
  portal.db.tx('system', (tx) => tx.rows<T>(text, values))

/** Creates a company with leads from two sources, one of them the website, and yearly sales. */
async function company() {
  const client = await portal.client()
  const boss = client.as(await client.user({ roles: ['ROLE_STAFF', 'ROLE_SALES_ADMIN'] }))
  const ann = client.as(await client.user({ roles: ['ROLE_STAFF'] }))
  const word = `a${client.id}`
  const sources = await sql<{ id: number }>(
    `INSERT INTO came_from (name, web) VALUES ($1 || 'web', true), ($1 || 'list', false) RETURNING id`,
    [word],
  )
  const [web, list] = sources.map((s) => Number(s.id)) as [number, number]
  const lead = (from: number | null, at: string, callback: string | null = null) =>
    sql(
      `INSERT INTO contact (client_id, company_name, came_from_id, created_at, callback_date) VALUES ($1, 'x', $2, $3, $4)`,
      [client.id, from, at, callback],
    )
  const sale = (from: number | null, day: string, amount: number, renewal = 'none', renewsOn: string | null = null) =>
    sql(
      `INSERT INTO counted_sale (client_id, day, amount, what, came_from_id, renewal, renews_on) VALUES ($1, $2, $3, 'x', $4, $5, $6)`,
      [client.id, day, amount, from, renewal, renewsOn],
    )
  // Clocks go forward on 29 March 2026. After that, 23:30 GMT on the last day of a month already belongs to the next
  // month in London.
  await lead(web, '2026-03-31T22:30:00Z')
  await lead(web, '2026-04-30T23:30:00Z')
  await lead(list, '2026-05-31T22:59:59Z')
  await lead(null, '2026-05-02T09:00:00Z', '2026-06-02T09:00:00Z')
  await sale(web, '2026-05-04', 1000, 'renewed', '2026-06-01')
  await sale(list, '2026-05-31', 500, 'lost', '2026-06-30')
  await sale(web, '2026-04-30', 250, 'open', '2026-07-01')
  const report = async (name: string, asked: string) => {
    const { status, body } = await boss.get(`/api/sales/reports/${name}?${asked}`)
    expect([name, status]).toEqual([name, 200])
    return body
  }
  const table = (body: { rows: { label: string; cells: { value: number }[] }[] }) =>
    body.rows.map((row) => [row.label, ...row.cells.map((cell) => cell.value)])
  return { client, boss, ann, web, list, word, report, table }
}

const MAY = 'from=2026-05-01&to=2026-05-31'

test('website enquiries and their resulting sales are counted by source and calendar month in London', async () => {
  const { report, table, word, web } = await company()
  expect(table(await report('web', 'from=2026-03-01&to=2026-05-31&by=month'))).toEqual([
    ['March 2026', 1, 0, 0, 0],
    ['April 2026', 0, 1, 250, null],
    ['May 2026', 1, 1, 1000, 100],
  ])
  const bySource = await report('web', `${MAY}&by=cameFrom`)
  expect(table(bySource)).toEqual([[`${word}web`, 1, 1, 1000, 100]])
  expect(bySource.rows[0].cells[0].to).toBe(`/cms/analysis/leads?when=2026-05-01..2026-05-31&cameFrom=${web}&web=yes`)
})

test('a period is compared with the preceding period of the same length, and complete months with the preceding months', async () => {
  const { report, table, word } = await company()
  expect(table(await report('comparison', MAY))).toEqual([
    [`${word}list`, 1, 0, null, 500, 0, null],
    [`${word}web`, 1, 0, null, 1000, 250, 300],
    ['Not set', 1, 0, null, 0, 0, null],
  ])
  expect(precedingPeriod('2026-03-01', '2026-03-31')).toEqual({ from: '2026-02-01', to: '2026-02-28' })
  expect(precedingPeriod('2026-01-01', '2026-12-31')).toEqual({ from: '2025-01-01', to: '2025-12-31' })
  expect(precedingPeriod('2026-03-10', '2026-03-12')).toEqual({ from: '2026-03-07', to: '2026-03-09' })
})

test('renewals are reported both by month of renewal and by month of the original sale', async () => {
  const { report, table } = await company()
  expect(table(await report('renewal', 'from=2026-06-01&to=2026-07-31&by=month'))).toEqual([
    ['June 2026', 2, 1, 1, 0, 50],
    ['July 2026', 1, 0, 0, 1, 0],
  ])
  expect(table(await report('sale-to-renewal', 'from=2026-04-01&to=2026-05-31&by=month'))).toEqual([
    ['April 2026', 1, 0, 0, 1, 0],
    ['May 2026', 2, 1, 1, 0, 50],
  ])
})

test('payments, refunds and costs by source are dated in London time, exclude failed and disputed payments, and link to their records', async () => {
  const { client, boss, ann, report, table, web, list, word } = await company()
  const customerFrom = async (from: number | null) => {
    const [made] = await sql<{ id: number }>(
      `WITH l AS (INSERT INTO contact (client_id, company_name, came_from_id, created_at) VALUES ($1, 'payer', $2, '2020-01-01') RETURNING id)
       INSERT INTO customer (client_id, email, contact_id) SELECT $1, 'payer@c.example', id FROM l RETURNING id`,
      [client.id, from],
    )
    return Number(made?.id)
  }
  const charge = async (
    customer: number,
    at: string,
    amount: number,
    more: { state?: string; currency?: string } = {},
  ) => {
    const { state = 'succeeded', currency = 'GBP' } = more
    const [made] = await sql<{ id: number }>(
      `INSERT INTO charge (client_id, customer_id, method, amount, currency, state, received_at, dispute) VALUES ($1, $2, 'bank', $3, $4, $5, $6, $7) RETURNING id`,
      [client.id, customer, amount, currency, state, at, state === 'disputed' ? 'open' : null],
    )
    return Number(made?.id)
  }
  const [fromWeb, fromNowhere] = [await customerFrom(web), await customerFrom(null)]
  const paid = await charge(fromWeb, '2026-04-30T23:30:00Z', 12_000)
  await charge(fromWeb, '2026-05-31T23:30:00Z', 700)
  await charge(fromWeb, '2026-05-10T09:00:00Z', 5000, { state: 'disputed' })
  await charge(fromWeb, '2026-05-10T09:00:00Z', 9000, { state: 'failed' })
  await charge(fromWeb, '2026-05-10T09:00:00Z', 300, { currency: 'EUR' })
  await charge(fromNowhere, '2026-05-20T09:00:00Z', 4000)
  await sql(
    `INSERT INTO refund (client_id, charge_id, customer_id, amount, currency, state, settled_at) VALUES
       ($1, $2, $3, 2000, 'GBP', 'succeeded', '2026-05-12'), ($1, $2, $3, 1000, 'GBP', 'failed', '2026-05-12'), ($1, $2, $3, 500, 'GBP', 'succeeded', '2026-06-02')`,
    [client.id, paid, fromWeb],
  )
  const cost = (source: number, day: string, amount: number, api = boss) =>
    api.post('/api/sales/source_costs', { cameFrom: `/api/crm/came_froms/${source}`, day, amount, what: 'Adverts' })
  expect((await cost(web, '2026-05-31', 3000)).status).toBe(201)
  expect((await cost(list, '2026-05-01', 800)).status).toBe(201)
  expect((await cost(list, '2026-06-01', 100)).status).toBe(201)
  expect((await cost(list, '2026-05-01', 0)).status).toBe(422)
  expect((await cost(list, '2026-05-01', 5, ann)).status).toBe(403)
  const body = await report('sourcemoney', MAY)
  expect(table(body)).toEqual([
    [`${word}list`, 1, 1, 0, 0, 0, 800, 800, 800],
    [`${word}web`, 1, 1, 12_000, 2000, 10_000, 3000, 3000, 3000],
    ['Not set', 1, 0, 4000, 0, 4000, 0, 0, null],
  ])
  expect(body.together.cells.map((c: { value: number }) => c.value)).toEqual([
    3, 2, 16_000, 2000, 14_000, 3800, 1267, 1900,
  ])
  const rows = async (asked: string) =>
    (await boss.get(asked)).body['hydra:member'].map((r: { amount: number }) => r.amount)
  const may = (on: string) => `${on}[after]=2026-04-30T23:00:00Z&${on}[strictly_before]=2026-05-31T23:00:00Z`
  const stood = 'currency=GBP&state=succeeded'
  expect(body.rows[1].cells[2].to).toBe(
    `/crm/charges?when=2026-05-01..2026-05-31&cameFrom=${web}&currency=GBP&state=succeeded`,
  )
  expect(await rows(`/api/financial/charges?${may('receivedAt')}&${stood}&cameFrom=${web}`)).toEqual([12_000])
  expect(await rows(`/api/financial/refunds?${may('settledAt')}&${stood}&cameFrom=${web}`)).toEqual([2000])
  expect(body.rows[2].cells[2].to).toBe(
    '/crm/charges?when=2026-05-01..2026-05-31&notSaid=cameFrom&currency=GBP&state=succeeded',
  )
  expect(await rows(`/api/financial/charges?${may('receivedAt')}&${stood}&exists[cameFrom]=false`)).toEqual([4000])
  expect((await boss.get(`/api/sales/reports/sourcemoney/export.csv?${MAY}`)).text).toContain(
    `"${word}web",1,1,120.00,20.00,100.00,30.00,30.00,30.00`,
  )
  expect(table(await report('sourcemoney', 'from=2026-05-01&to=2026-06-30&by=month'))).toEqual([
    ['May 2026', 3, 2, 16_000, 2000, 14_000, 3800, 1267, 1900],
    ['June 2026', 0, 0, 700, 500, 200, 100, null, null],
  ])
})

test('each figure of the weekly forecast equals the number of records in the list it opens', async () => {
  const { report, boss } = await company()
  const body = await report('roadmap', 'from=2026-06-01&to=2026-06-14')
  expect(body.rows.map((row: { cells: { value: number }[] }) => row.cells.slice(0, 3).map((c) => c.value))).toEqual([
    [1, 0, 0],
    [0, 0, 0],
  ])
  expect(body.rows[0].cells[0].to).toBe('/cms/reminders?whose=all&when=2026-06-01..2026-06-07')
  expect((await boss.get('/api/sales/reports/roadmap?from=2020-01-01&to=2026-01-01')).status).toBe(400)
})

test('every figure has an explanation of its formula, and every CSV export has the same rows as the report on screen', async () => {
  const { boss, ann } = await company()
  for (const { name, measures, by } of REPORT_DEFINITIONS) {
    expect(
      measures.filter((m) => m.formula.length < 5 || new Set(measures.map((o) => o.key)).size < measures.length),
    ).toEqual([])
    for (const one of by) {
      const { status, body } = await boss.get(`/api/sales/reports/${name}?by=${one}`)
      expect([name, one, status]).toEqual([name, one, 200])
      const file = await boss.get(`/api/sales/reports/${name}/export.csv?by=${one}`)
      expect(file.text.trimEnd().split('\r\n').length).toBe(body.rows.length + 2)
    }
    expect((await ann.get(`/api/sales/reports/${name}`)).status).toBe(name === 'statistics' ? 200 : 403)
  }
})
