import { expect, test } from 'vitest'
import { effortOf, LONGEST_HOLD } from '#test/support/effort.ts'
import { testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const LEADS = 800

test('who is the same as a lead is found once, however many leads there are that nobody has counted yet', async () => {
  const client = await portal.client()
  await portal.db.tx('system', (tx) =>
    tx.rows(
      `INSERT INTO contact (client_id, company_name)
       SELECT $1, (ARRAY['Harbour', 'Fenland', 'Saltmarsh', 'Oakfield'])[1 + n % 4] || ' Joinery ' || n || ' Ltd' FROM generate_series(1, $2::int) n`,
      [client.id, LEADS],
    ),
  )
  const caller = client.as(await client.user({ roles: ['ROLE_STAFF'] }))
  const ask = () => caller.get('/api/crm/contacts/dupes?companyName=Harbour%20Joinery%20Ltd&phone=01632%20960123')
  expect((await ask()).body['hydra:member'].length).toBeGreaterThan(0)
  expect(await effortOf(ask)).toBeLessThan(LONGEST_HOLD)
})
