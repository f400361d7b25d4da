import { expect, test } from 'vitest'
import { testPortal } from '#test/support/portal.ts'

const portal = await testPortal()

/** Creates a lead that has bought a yearly plan with the renewal date `renewsOn`. */
async function bought(renewsOn: string) {
  const client = await portal.client()
  const [boss, ann, bob] = [
    client.as(await client.user({ roles: ['ROLE_STAFF', 'ROLE_SALES_ADMIN'] })),
    client.as(await client.user({ roles: ['ROLE_STAFF'] })),
    client.as(await client.user({ roles: ['ROLE_STAFF'] })),
  ]
  const lead = (await ann.post('/api/crm/contacts', { companyName: 'Acme' })).body['@id']
  const sell = async (day: string, more: object = {}) =>
    (await ann.post('/api/sales/sales/create', { day, amount: 1000, what: 'Pack', contact: lead, ...more })).body
  const former = await sell('2025-02-01')
  await portal.db.tx('system', (tx) =>
    tx.rows(`UPDATE counted_sale SET renews_on = $2, renewal = 'open' WHERE id = $1`, [former.id, renewsOn]),
  )
  const renewal = async () => {
    const { body } = await ann.get(former['@id'])
    return [body.renewal, body.renewedBy]
  }
  return { boss, ann, bob, former, sell, renewal }
}

test('only a sale to the same lead near the renewal date renews an earlier sale', async () => {
  const { boss, sell, renewal } = await bought('2026-02-01')
  await sell('2025-10-01')
  expect(await renewal()).toEqual(['open', null])
  const again = await sell('2026-01-20')
  expect(await renewal()).toEqual(['renewed', again['@id']])
  // A sale that is retired or moved to another day is no longer treated as a renewal.
  await boss.post(`${again['@id']}/retire`, { reason: 'Returned' })
  expect(await renewal()).toEqual(['open', null])
  await boss.post(`${again['@id']}/restore`)
  expect(await renewal()).toEqual(['renewed', again['@id']])
  await boss.put(again['@id'], { day: '2025-09-01' })
  expect(await renewal()).toEqual(['open', null])
})

test('marking a renewal as lost needs a reason and the seller or a manager, and a later sale still counts as the renewal', async () => {
  const { ann, bob, former, sell, renewal } = await bought('2026-02-01')
  const lose = (as: typeof ann, reason: string) => as.post(`${former['@id']}/lose`, { reason })
  expect((await lose(bob, 'x')).status).toBe(403)
  expect((await lose(ann, '')).status).toBe(422)
  expect((await lose(ann, 'Went elsewhere')).body).toMatchObject({ renewal: 'lost', renewalReason: 'Went elsewhere' })
  expect((await lose(ann, 'again')).status).toBe(409)
  expect((await ann.post(`${former['@id']}/hope`)).body).toMatchObject({ renewal: 'open', renewalReason: '' })
  expect((await ann.post(`${former['@id']}/hope`)).status).toBe(409)
  await lose(ann, 'Went elsewhere')
  const again = await sell('2026-03-01')
  expect(await renewal()).toEqual(['renewed', again['@id']])
})
