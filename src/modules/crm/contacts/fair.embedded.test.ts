import { expect, test } from 'vitest'
import { testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const CALLERS = 50
const CALLS = 2

test('of fifty who call at once nobody finishes a second lead before everybody has finished one', async () => {
  const client = await portal.client()
  const callers = await Promise.all(
    Array.from({ length: CALLERS }, async () =>
      client.as(await client.user({ roles: ['ROLE_STAFF', 'ROLE_LEADS_ADMIN'] })),
    ),
  )
  const leads = await portal.db.tx('system', (tx) =>
    tx.rows<{ id: number }>(
      `INSERT INTO contact (client_id, company_name)
       SELECT $1, 'Lead ' || n FROM generate_series(1, $2::int) n RETURNING id::int`,
      [client.id, CALLERS * (CALLS + 1)],
    ),
  )
  // Who they are is known: finding that out comes before one's turn is asked for, and takes one longer than another.
  await Promise.all(callers.map((as) => as.get('/api/security/user_check')))
  /** Who was answered, in the order of the answers. */
  const answered: number[] = []
  const call = async (caller: number) => {
    // Its first is far back in the queue: nobody is given it meanwhile.
    let lead = leads.at(-1 - caller)?.id
    for (let n = 0; n < CALLS; n++) {
      const body = { result: '/api/crm/last_results/47' }
      const answer = await callers[caller]?.post(`/api/crm/contacts/${lead}/outcomes`, body)
      lead = answer?.body.next.id
      answered.push(caller)
    }
  }
  await Promise.all(callers.keys().map(call))
  expect(answered).toHaveLength(CALLERS * CALLS)
  expect(new Set(answered.slice(0, CALLERS)).size).toBe(CALLERS)
})
