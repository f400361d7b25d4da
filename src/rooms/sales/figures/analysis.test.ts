import { expect, test } from 'vitest'
import { testPortal } from '#test/support/portal.ts'
import { daysBefore } from './report.ts'
import { REPORTS } from './reports.ts'

const portal = await testPortal()
const sql = <T>(text: string, values: readonly unknown[] = []) =>
  portal.db.tx('system', (tx) => tx.rows<T>(text, values))

/** A company whose leads came from two places, one of them the web, and that was sold to by the year. */
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
  // The clocks change on 29 March 2026; 23:30 by Greenwich on the last of a summer month is the next month in London.
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

test('enquiries by the web are counted by London months and by source, beside what was sold to them', async () => {
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

test('a period stands beside the one just before, as long as it, whole months before whole months', async () => {
  const { report, table, word } = await company()
  expect(table(await report('comparison', MAY))).toEqual([
    [`${word}list`, 1, 0, null, 500, 0, null],
    [`${word}web`, 1, 0, null, 1000, 250, 300],
    ['Not said', 1, 0, null, 0, 0, null],
  ])
  expect(daysBefore('2026-03-01', '2026-03-31')).toEqual({ from: '2026-02-01', to: '2026-02-28' })
  expect(daysBefore('2026-01-01', '2026-12-31')).toEqual({ from: '2025-01-01', to: '2025-12-31' })
  expect(daysBefore('2026-03-10', '2026-03-12')).toEqual({ from: '2026-03-07', to: '2026-03-09' })
})

test('renewals by the month in which a year ends, and by that of the sale', async () => {
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

test('what is promised for a week is what its lists find', async () => {
  const { report, boss } = await company()
  const body = await report('roadmap', 'from=2026-06-01&to=2026-06-14')
  expect(body.rows.map((row: { cells: { value: number }[] }) => row.cells.slice(0, 3).map((c) => c.value))).toEqual([
    [1, 0, 0],
    [0, 0, 0],
  ])
  expect(body.rows[0].cells[0].to).toBe('/cms/reminders?whose=all&when=2026-06-01..2026-06-07')
  expect((await boss.get('/api/sales/reports/roadmap?from=2020-01-01&to=2026-01-01')).status).toBe(400)
})

test('every number says how it comes about, and every file says the same as its table', async () => {
  const { boss, ann } = await company()
  for (const { name, measures, by } of REPORTS) {
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
