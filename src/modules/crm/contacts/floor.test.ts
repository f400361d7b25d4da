import { expect, test } from 'vitest'
import type { Actor } from '#kernel/roles.ts'
import type { SqlConn } from '#server/db/db.ts'
import { type TestApi, testPortal } from '#test/support/portal.ts'
import { leaseLeadFromQueue } from './queue.server.ts'

// Fifty people call from one list at the same time. No lead is leased twice, no count is lost and no more leads are
// read than necessary.

const portal = await testPortal()
const CONTACTS = '/api/crm/contacts'
const CALLERS = 50
const ROUNDS = 3
// Outcomes used in the test. Outcome 18 is excluded, because it would return the lead to the team immediately.
const RESULTS = [47, 31, 4, 43, 5, 30, 48, 3, 32]

async function makeFloor(people: number, leads: number) {
  const client = await portal.client()
  const callers = await Promise.all(
    Array.from({ length: people }, () => client.user({ roles: ['ROLE_STAFF', 'ROLE_LEADS_ADMIN'] })),
  )
  await portal.db.tx('system', (tx) =>
    tx.rows(
      `INSERT INTO contact (client_id, company_name, callback_date)
       SELECT $1, 'Lead ' || i, portal_now() - make_interval(mins => i) FROM generate_series(1, $2::int) i`,
      [client.id, leads],
    ),
  )
  return { client, callers }
}

test('fifty simultaneous callers never get the same lead, and the lead counts equal a recount afterwards', async () => {
  const { client, callers } = await makeFloor(CALLERS, CALLERS * (ROUNDS + 2))
  const given: number[] = []
  const call = async (as: TestApi, n: number) => {
    let { next } = (await as.get(`${CONTACTS}/next?retired=false`)).body
    for (let round = 0; round < ROUNDS; round++) {
      given.push(next.id)
      const result = `/api/crm/last_results/${RESULTS[(n + round) % RESULTS.length]}`
      const answer = await as.post(`${CONTACTS}/${next.id}/outcomes?retired=false`, { result, minutes: 2 })
      expect(answer.status).toBe(200)
      next = answer.body.next
    }
    given.push(next.id)
  }
  await Promise.all(callers.map((caller, n) => call(client.as(caller), n)))
  expect(given).toHaveLength(CALLERS * (ROUNDS + 1))
  expect(new Set(given).size).toBe(given.length)

  const recount = await portal.db.tx('system', (tx) =>
    tx.rows<{ category: string; n: number }>(
      `SELECT category, count(*)::int AS n FROM contact c WHERE client_id = $1 AND NOT retired
         AND NOT EXISTS (SELECT FROM staff s WHERE s.client_id = c.client_id AND s.id = c.owner_id AND s.tray) GROUP BY 1`,
      [client.id],
    ),
  )
  for (const fold of [false, true]) {
    if (fold) await portal.runSchedule('crm.counts')
    const { body } = await client.as(callers[0] as (typeof callers)[number]).get(`${CONTACTS}/counts`)
    const told = Object.entries(body).filter(
      ([key, n]) => /^[A-Z]+$/.test(key) && !['ALL', 'IR35'].includes(key) && n !== 0,
    )
    expect(Object.fromEntries(told)).toEqual(Object.fromEntries(recount.map(({ category, n }) => [category, n])))
  }
})

/** Node of a query plan, used to count the rows that PostgreSQL has read, including those it has filtered out. */
interface Node {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Node[]
}
const looks = (node: Node): number =>
  (node['Relation Name'] === 'contact'
    ? node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0))
    : 0) + (node.Plans ?? []).reduce((sum, inner) => sum + looks(inner), 0)

test("the query for the next lead scans neither all unassigned leads nor all colleagues' leads", async () => {
  const { client, callers } = await makeFloor(3, 3000)
  const [me, , away] = callers as [(typeof callers)[0], (typeof callers)[0], (typeof callers)[0]]
  await portal.db.tx('system', (tx) =>
    tx.rows("UPDATE staff SET away_until = '2099-01-01' WHERE client_id = $1 AND user_id = $2", [client.id, away.id]),
  )
  await portal.db.tx('owner', (tx) => tx.rows('ANALYZE contact, staff'))
  const actor: Actor = {
    userId: me.id,
    clientId: client.id,
    username: me.username,
    name: 'Ann',
    roles: ['ROLE_STAFF'],
    scopes: [],
  }
  const looked = await portal.db.tx({ clientId: client.id, userId: me.id }, async (tx) => {
    const sums: number[] = []
    const explained: SqlConn = {
      rows: (text, values) => tx.rows(text, values),
      arrays: async ({ text }, values) => {
        const [row] = await tx.rows<{ 'QUERY PLAN': [{ Plan: Node }] }>(
          `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
          values,
        )
        if (row) sums.push(looks(row['QUERY PLAN'][0].Plan))
        return []
      },
    }
    for (const query of [{}, { retired: 'false' }, { 'order[callbackDate]': 'asc' }])
      await leaseLeadFromQueue(explained, actor, query)
    return sums
  })
  expect(looked).toHaveLength(3)
  expect(Math.max(...looked)).toBeLessThan(20)
})
