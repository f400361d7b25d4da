import fc from 'fast-check'
import { expect, test } from 'vitest'
import { testPortal } from '#test/support/portal.ts'
import { scaleRunCount } from '#test/support/scope.ts'

// Compares the sales service's six figures with a recount from all individual rows.

const portal = await testPortal()
const sql = <T>(text: string, values: readonly unknown[] = []) =>
  portal.db.tx('system', (tx) => tx.rows<T>(text, values))

interface WorkEvent {
  readonly what: 'call' | 'sale'
  readonly person: number
  readonly day: string
  readonly amount: number
  readonly currency: string
}

const DATE = '2026-03-31'
const SUMS = { calls: 0, minutes: 0, sales: 0, amount: 0 }

function sumsOf(rows: readonly WorkEvent[]) {
  const sums = { ...SUMS }
  for (const row of rows) {
    if (row.what === 'call') Object.assign(sums, { calls: sums.calls + 1, minutes: sums.minutes + row.amount })
    else sums.sales++
    if (row.what === 'sale' && row.currency === 'GBP') sums.amount += row.amount
  }
  return sums
}

/** Reads all rows that count, each with its day in London time. */
const everything = (clientId: number) =>
  sql<WorkEvent>(
    `SELECT 'call' AS what, user_id::int AS person, (timestamp AT TIME ZONE 'Europe/London')::date::text AS day, minutes AS amount, '' AS currency
       FROM note WHERE client_id = $1 AND call AND NOT retired
     UNION ALL SELECT 'sale', seller_id::int, day::text, amount::int, currency FROM counted_sale WHERE client_id = $1 AND NOT retired`,
    [clientId],
  )

const row = fc.record({
  what: fc.constantFrom('call', 'sale'),
  who: fc.nat(3),
  /** Instants around the end of a day, month and year, and around clock changes. */
  at: fc.constantFrom(
    '2026-03-31T22:59:59Z',
    '2026-03-31T23:00:00Z',
    '2026-03-30T23:30:00Z',
    '2026-03-29T00:59:59Z',
    '2026-03-01T00:00:00Z',
    '2026-01-01T00:00:00Z',
    '2025-12-31T23:59:59Z',
    '2025-07-31T23:30:00Z',
    '2022-06-01T10:00:00Z',
  ),
  amount: fc.nat(900),
  currency: fc.constantFrom('GBP', 'GBP', 'EUR'),
  result: fc.constantFrom(3, 5, 31, 40, 49),
  retired: fc.constantFrom(false, false, false, true),
})

test('the top sellers, and monthly and yearly figures for the company and each person, equal a recount of every row', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 20, maxLength: 60 }), async (rows) => {
      const client = await portal.client()
      const boss = client.as(await client.user({ roles: ['ROLE_STAFF', 'ROLE_SALES_ADMIN'] }))
      const people = await sql<{ id: number }>(
        `INSERT INTO staff (client_id, username, name) SELECT $1, $2 || i, 'Seller ' || i FROM generate_series(1, 4) i RETURNING id`,
        [client.id, `recount.${client.id}.`],
      )
      const [lead] = await sql<{ id: number }>(
        "INSERT INTO contact (client_id, company_name) VALUES ($1, 'x') RETURNING id",
        [client.id],
      )
      for (const r of rows) {
        const who = people[r.who]?.id
        if (r.what === 'call')
          await sql(
            'INSERT INTO note (client_id, contact_id, user_id, last_result_id, minutes, timestamp, retired) VALUES ($1, $2, $3, $4, $5, $6, $7)',
            [client.id, lead?.id, who, r.result, r.amount % 60, r.at, r.retired],
          )
        else
          await sql(
            `INSERT INTO counted_sale (client_id, day, seller_id, amount, currency, what, retired) VALUES ($1, ($2::timestamptz AT TIME ZONE 'Europe/London')::date, $3, $4, $5, 'x', $6)`,
            [client.id, r.at, who, r.amount, r.currency, r.retired],
          )
      }
      if (rows.length % 2) await portal.runSchedule('sales.fold')
      const done = await everything(client.id)
      const within = (begin: string) => done.filter((d) => d.day.startsWith(begin))
      const of = (all: readonly WorkEvent[], id: number) => sumsOf(all.filter((d) => d.person === id))
      const ids = people.map((p) => Number(p.id))
      // biome-ignore lint/suspicious/noExplicitAny: a body
      const get = async (path: string): Promise<any> => (await boss.get(`/api/sales/${path}?date=${DATE}`)).body
      for (const [span, begin] of [
        ['day', DATE],
        ['month', DATE.slice(0, 7)],
        ['year', DATE.slice(0, 4)],
      ] as const) {
        const { users } = await get(`top_users/${span}`)
        const wanted = ids
          .map((id) => ({ id, ...of(within(begin), id) }))
          .filter((u) => u.sales > 0)
          .map(({ id, sales, amount }) => [id, sales, amount])
        // biome-ignore lint/suspicious/noExplicitAny: a body
        const shown = users.map((u: any) => [u.id, u.sales, u.amount])
        expect(shown.toSorted(byId)).toEqual(wanted.toSorted(byId))
        // biome-ignore lint/suspicious/noExplicitAny: a body
        const amounts = users.map((u: any) => u.amount)
        expect(amounts).toEqual(amounts.toSorted((a: number, b: number) => b - a))
      }
      for (const { month, ...sums } of (await get('company/month')).months)
        expect([month, sums]).toEqual([month, sumsOf(within(month.slice(0, 7)))])
      const bySpan = async (path: string, spans: 'months' | 'years', name: 'month' | 'year', letters: number) => {
        const { users } = await get(path)
        for (const id of ids) {
          // biome-ignore lint/suspicious/noExplicitAny: a body
          const own = users.find((u: any) => u.id === id)[spans]
          for (const { [name]: at, ...sums } of own)
            expect([at, sums]).toEqual([at, of(within(at.slice(0, letters)), id)])
        }
      }
      await bySpan('users/month', 'months', 'month', 7)
      await bySpan('users/year', 'years', 'year', 4)
    }),
    { numRuns: scaleRunCount(5) },
  )
})

const byId = ([a = 0]: readonly number[], [b = 0]: readonly number[]) => a - b
