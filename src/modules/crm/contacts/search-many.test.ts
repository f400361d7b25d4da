import { beforeAll, describe, expect, test, vi } from 'vitest'
import { type TestApi, testPortal } from '#test/support/portal.ts'

/*
 * Uses more leads than are counted in one query or scanned in list order. Every search strategy must find the same
 * leads.
 */

const portal = await testPortal()
const CONTACTS = '/api/crm/contacts'
const LEADS = 3400
/** A word that occurs in every third lead. */
const EVERYWHERE = 'scattered'
/** A word that occurs only in leads at the end of the list order. */
const LAST = 'behind'
let as: TestApi
let all: { id: number; words: string }[]

beforeAll(async () => {
  const client = await portal.client()
  as = client.as(await client.user({ roles: ['ROLE_STAFF'] }))
  all = await portal.db.tx('system', (tx) =>
    tx.rows<{ id: number; words: string }>(
      `INSERT INTO contact (client_id, company_name, city, callback_date)
       SELECT $1, 'Lead ' || i || CASE WHEN i % 3 = 0 THEN ' ${EVERYWHERE}' ELSE '' END, CASE WHEN i > ${LEADS - 1200} THEN '${LAST}' ELSE 'before' END,
         timestamptz '2026-01-01' + make_interval(mins => i) FROM generate_series(1, ${LEADS}) i RETURNING id, lower(company_name || ' ' || city) AS words`,
      [client.id],
    ),
  )
  // Updates the planner's statistics, as an import does.
  await portal.db.tx('owner', (tx) => tx.rows('ANALYZE contact, contact_search'))
})

const page = async (query: string) => {
  const { status, body } = await as.get(`${CONTACTS}?retired=false&${query}`)
  expect(status).toBe(200)
  return { ids: body['hydra:member'].map((m: { id: number }) => m.id), total: body['hydra:totalItems'] }
}
const having = (...words: string[]) =>
  all.filter((one) => words.every((word) => one.words.includes(word))).map(({ id }) => id)

describe.each([
  ['run for the first time', ''],
  ['run again', ''],
  ['in descending order', 'order[id]=desc'],
])('a search %s', (_, order) => {
  test.each([[[EVERYWHERE]], [[LAST]], [[EVERYWHERE, LAST]], [['lead', 'before']], [['lead', '33']], [['nowhere']]])(
    'a lead search for %o finds every matching lead, on every page',
    async (words) => {
      const found = having(...words)
      if (order) found.reverse()
      const q = `q=${words.join('+')}&${order}`
      for (const n of [1, 2, 12, 40])
        expect(await page(`${q}&page=${n}`)).toEqual({ ids: found.slice(30 * (n - 1), 30 * n), total: found.length })
      expect(await page(`${q}&itemsPerPage=0`)).toEqual({ ids: [], total: found.length })
    },
  )
})

test('search totals that are counted quickly include added leads and exclude retired ones immediately', async () => {
  // A slow count is reused for a while, so the time of the count must not depend on the load of the machine.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
  const { total } = await page(`q=${EVERYWHERE}`)
  const { body } = await as.post(CONTACTS, { companyName: `One more, ${EVERYWHERE}` })
  expect((await page(`q=${EVERYWHERE}`)).total).toBe(total + 1)
  await as.put(`${CONTACTS}/${body.id}`, { retired: true })
  expect((await page(`q=${EVERYWHERE}`)).total).toBe(total)
  clock.mockRestore()
})
