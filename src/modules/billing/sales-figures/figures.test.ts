import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { londonDate } from '#kernel/time.ts'
import { dateRangeFilter, mondayOf, recentMondays } from '#kernel/weeks.ts'
import { LEGACY_OUTCOMES, QUOTE_SENT_RESULT, SKIPPED_RESULT } from '#test/support/former-outcomes.ts'
import { type TestApi, testPortal } from '#test/support/portal.ts'
import { scaleRunCount } from '#test/support/scope.ts'
import {
  PAST_WEEKS_SHOWN,
  SALES_FIGURES_URL,
  type SalesFigures,
  type WeeklyCallCount,
  type WeeklyQuoteCount,
} from './figures.ts'

const portal = await testPortal()
const sql = <T>(text: string, values: readonly unknown[] = []) =>
  portal.db.tx('system', (tx) => tx.rows<T>(text, values))

interface Person {
  readonly staff: number
  readonly as: TestApi
}

/** Creates a provider with a lead administrator and two sellers, the first of whom reports to the second. */
async function desk() {
  const client = await portal.client()
  const person = async (roles: string[]) => {
    const user = await client.user({ roles })
    const [row] = await sql<{ id: number }>('SELECT id FROM staff WHERE client_id = $1 AND user_id = $2', [
      client.id,
      user.id,
    ])
    return { user, staff: Number(row?.id), as: client.as(user) }
  }
  const manager = await person(['ROLE_STAFF', 'ROLE_LEADS_ADMIN'])
  const [ann, bob] = [await person(['ROLE_STAFF']), await person(['ROLE_STAFF'])]
  await sql('UPDATE user_account SET manager_id = $1 WHERE id = $2', [bob.user.id, ann.user.id])
  const [lead] = await sql<{ id: number }>(
    "INSERT INTO contact (client_id, company_name) VALUES ($1, 'Acme') RETURNING id",
    [client.id],
  )
  const [customer] = await sql<{ id: number }>(
    "INSERT INTO customer (client_id, email) VALUES ($1, 'a@acme.example') RETURNING id",
    [client.id],
  )
  return { client, manager, ann, bob, lead: Number(lead?.id), customer: Number(customer?.id) }
}
type Desk = Awaited<ReturnType<typeof desk>>

const read = async ({ as }: Person) => {
  const { status, body } = await as.get(SALES_FIGURES_URL)
  expect(status).toBe(200)
  return body as SalesFigures
}

/** Ages of records in hours: most are within the weeks shown, and some are older. */
const ago = fc.integer({ min: 0, max: 24 * 7 * (PAST_WEEKS_SHOWN + 3) })
const who = fc.constantFrom(0, 1, 2, 3)
const note = fc.record({
  who,
  ago,
  result: fc.constantFrom(null, 2, 31, 47, 43, 49, 40, 5),
  minutes: fc.nat(20),
  retired: fc.boolean(),
})
const offer = fc.record({
  who,
  sent: fc.option(ago),
  decided: fc.option(ago),
  status: fc.integer({ min: 1, max: 6 }),
  total: fc.nat(1_000_000),
  currency: fc.constantFrom('GBP', 'EUR'),
})
const CALLS: ReadonlySet<number> = new Set([
  ...LEGACY_OUTCOMES.map((o) => o.result).filter((r) => r !== SKIPPED_RESULT),
  QUOTE_SENT_RESULT,
])

type Row = { person: number | null; key: string | number; at: Temporal.Instant; amount: number }
/** Counts every row independently: `person week key` → count and sum. */
function recount(rows: readonly Row[], from: Temporal.PlainDate) {
  const found = new Map<string, [number, number]>()
  for (const { person, key, at, amount } of rows) {
    const monday = mondayOf(londonDate(at))
    if (Temporal.PlainDate.compare(monday, from) < 0) continue
    const cell = `${person} ${monday.toString()} ${key}`
    const [n, sum] = found.get(cell) ?? [0, 0]
    found.set(cell, [n + 1, sum + amount])
  }
  return Object.fromEntries(found)
}
const offered = (all: readonly WeeklyQuoteCount[]) =>
  Object.fromEntries(all.map((o) => [`${o.person} ${o.week} ${o.currency}`, [o.count, o.pence]]))
const called = (all: readonly WeeklyCallCount[]) =>
  Object.fromEntries(all.map((o) => [`${o.person} ${o.week} ${o.result}`, [o.count, o.minutes]]))

async function write(
  d: Desk,
  notes: readonly (typeof note extends fc.Arbitrary<infer T> ? T : never)[],
  offers: readonly (typeof offer extends fc.Arbitrary<infer T> ? T : never)[],
) {
  const now = portal.engine.clock.now()
  const people = [d.manager.staff, d.ann.staff, d.bob.staff, null]
  const at = (hours: number) => now.subtract({ hours })
  for (const n of notes)
    await sql(
      'INSERT INTO note (client_id, contact_id, user_id, last_result_id, minutes, retired, timestamp) VALUES ($1, $2, $3, $4, $5, $6, $7)',
      [d.client.id, d.lead, people[n.who], n.result, n.minutes, n.retired, at(n.ago).toString()],
    )
  for (const [i, o] of offers.entries())
    await sql(
      'INSERT INTO quote (client_id, number, revision, customer_id, owner_id, status_id, total, currency, sent_at, decided_at, tax_percent) VALUES ($1, $2, 1, $3, $4, $5, $6, $7, $8, $9, 20)',
      [
        d.client.id,
        i + 1,
        d.customer,
        people[o.who],
        o.status,
        o.total,
        o.currency,
        o.sent === null ? null : at(o.sent).toString(),
        o.decided === null ? null : at(o.decided).toString(),
      ],
    )
  const calls = notes
    .filter((n) => !n.retired && n.result !== null && CALLS.has(n.result))
    .map((n): Row => ({ person: people[n.who] ?? null, key: n.result ?? 0, at: at(n.ago), amount: n.minutes }))
  const money = (o: (typeof offers)[number], hours: number): Row => ({
    person: people[o.who] ?? null,
    key: o.currency,
    at: at(hours),
    amount: o.total,
  })
  return {
    calls,
    sent: offers.flatMap((o) => (o.sent === null ? [] : [money(o, o.sent)])),
    accepted: offers.flatMap((o) => (o.decided === null || o.status !== 3 ? [] : [money(o, o.decided)])),
  }
}

describe('sales figures', () => {
  test("sales figures equal a recount of the calls and quotes that the user may see: all, the team's or their own", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(note, { maxLength: 25 }), fc.array(offer, { maxLength: 15 }), async (notes, offers) => {
        const d = await desk()
        const rows = await write(d, notes, offers)
        const seen: [Person, (number | null)[]][] = [
          [d.manager, [d.manager.staff, d.ann.staff, d.bob.staff, null]],
          [d.bob, [d.ann.staff, d.bob.staff]],
          [d.ann, [d.ann.staff]],
        ]
        for (const [person, theirs] of seen) {
          const found = await read(person)
          const from = Temporal.PlainDate.from(found.weeks[0] ?? '')
          const those = (all: readonly Row[]) =>
            recount(
              all.filter((r) => theirs.includes(r.person)),
              from,
            )
          expect(called(found.calls)).toEqual(those(rows.calls))
          expect(offered(found.sent)).toEqual(those(rows.sent))
          expect(offered(found.accepted)).toEqual(those(rows.accepted))
          expect(found.people.map((p) => p.id).toSorted()).toEqual(theirs.filter((id) => id !== null).toSorted())
        }
      }),
      { numRuns: scaleRunCount(12) },
    )
  })

  test('each sales figure links to a list with the same number of records', async () => {
    const d = await desk()
    const some = fc.sample(note, { numRuns: 60, seed: 7 })
    const offers = fc.sample(offer, { numRuns: 30, seed: 8 })
    await write(d, some, offers)
    const found = await read(d.manager)
    const total = async (url: string, query: Record<string, string>) =>
      (await d.manager.as.get(`${url}?${new URLSearchParams({ ...query, itemsPerPage: '1' })}`)).body[
        'hydra:totalItems'
      ]
    const week = (field: string, monday: string) => {
      const from = Temporal.PlainDate.from(monday)
      return dateRangeFilter(field, from, from.add({ weeks: 1 }))
    }
    expect(found.calls.length).toBeGreaterThan(5)
    for (const f of found.calls)
      if (f.person !== null) {
        const query = { user: String(f.person), lastResult: String(f.result), retired: 'false' }
        expect(await total('/api/crm/calls', { ...query, ...week('createdAt', f.week) })).toBe(f.count)
      }
    for (const f of found.accepted)
      if (f.person !== null) {
        const query = { owner: String(f.person), state: 'accepted', ...week('decidedAt', f.week) }
        const all = found.accepted.filter((o) => o.person === f.person && o.week === f.week)
        expect(await total('/api/financial/quotes', query)).toBe(all.reduce((n, o) => n + o.count, 0))
      }
  })

  test("today's calls in the sales figures are counted by the date in London", async () => {
    const d = await desk()
    const today = londonDate(portal.engine.clock.now())
    const start = today.toZonedDateTime('Europe/London').toInstant()
    for (const at of [start, start.subtract({ seconds: 1 }), start.add({ seconds: 1 })])
      await sql(
        'INSERT INTO note (client_id, contact_id, user_id, last_result_id, timestamp) VALUES ($1, $2, $3, 31, $4)',
        [d.client.id, d.lead, d.ann.staff, at.toString()],
      )
    const found = await read(d.ann)
    expect(found.callsToday).toEqual([{ person: d.ann.staff, count: 2 }])
    expect(found.today).toBe(today.toString())
    expect(found.weeks).toEqual(recentMondays(today, PAST_WEEKS_SHOWN).map(String))
  })

  test('sales figures are accessible only to sales staff of the company', async () => {
    const d = await desk()
    await write(d, fc.sample(note, { numRuns: 20, seed: 3 }), [])
    const other = await portal.client()
    const stranger = other.as(await other.user({ roles: ['ROLE_STAFF', 'ROLE_LEADS_ADMIN'] }))
    const { body } = await stranger.get(SALES_FIGURES_URL)
    expect([body.calls, body.sent, body.accepted]).toEqual([[], [], []])
    // A new seller sees only their own figures, which are empty.
    const user = await d.client.user({ roles: ['ROLE_STAFF'] })
    expect((await d.client.as(user).get(SALES_FIGURES_URL)).body).toMatchObject({
      people: [{ user: user.id }],
      calls: [],
      callsToday: [],
    })
    for (const role of ['ROLE_CLIENT_ADMIN', 'ROLE_EMPLOYEE', 'ROLE_RESELLER'])
      expect((await other.as(await other.user({ roles: [role] })).get(SALES_FIGURES_URL)).status).toBe(403)
    expect((await portal.anonymous.get(SALES_FIGURES_URL)).status).toBe(401)
  })

  test('every outcome except skipping counts as a call, as does a quote sent during one', async () => {
    const d = await desk()
    for (const result of [...LEGACY_OUTCOMES.map((o) => o.result), QUOTE_SENT_RESULT])
      await sql('INSERT INTO note (client_id, contact_id, user_id, last_result_id) VALUES ($1, $2, $3, $4)', [
        d.client.id,
        d.lead,
        d.ann.staff,
        result,
      ])
    const found = await read(d.ann)
    expect(found.calls.map((f) => f.result).toSorted((a, b) => a - b)).toEqual([...CALLS].toSorted((a, b) => a - b))
  })
})
