import { expect, test } from 'vitest'
import { type TestApi, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const staff = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF'] }))
const finance = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_FINANCE'] }))

interface BalanceChangeInput {
  readonly change: number
  readonly reason?: string
  readonly paymentReceivedDate?: string
  readonly keepBoth?: boolean
}
/** Converts the input to customer fields. */
const asFields = ({ change, reason, ...more }: BalanceChangeInput) => ({
  accountBalanceChange: change,
  ...(reason === undefined ? {} : { accountBalanceReason: reason }),
  ...more,
})

test("only finance staff can change a customer's balance, through any endpoint, and only with a reason", async () => {
  const made = (await staff.post('/api/financial/customers', { email: 'd@d.example' })).body
  const rows = async () =>
    (await staff.get(`/api/financial/balance_changes?customer=${made.id}`)).body['hydra:member'] as readonly object[]
  const doors = (who: TestApi) => [
    (body: BalanceChangeInput) => who.put(made['@id'], asFields(body)),
    (body: BalanceChangeInput) =>
      who.patch(made['@id'], asFields(body), { 'content-type': 'application/merge-patch+json' }),
    (body: BalanceChangeInput) => who.post(`${made['@id']}/balance`, { ...body }),
    (body: BalanceChangeInput) => who.post('/api/financial/customers', { email: 'e@e.example', ...asFields(body) }),
  ]
  for (const door of doors(staff)) expect((await door({ change: -500, reason: 'Theirs' })).status).toBe(403)
  expect((await staff.put(made['@id'], { paymentReceivedDate: '2026-03-01T10:00:00Z' })).status).toBe(403)
  const ahead = new Date(Date.now() + 86_400_000).toISOString()
  for (const door of doors(finance)) {
    expect((await door({ change: -500 })).status).toBe(422)
    expect((await door({ change: -500, reason: ' ' })).status).toBe(422)
    const early = await door({ change: -500, paymentReceivedDate: ahead })
    expect([early.status, early.body.violations[0].propertyPath]).toEqual([422, 'paymentReceivedDate'])
    // An amount owed is not a payment.
    const owed = await door({ change: 500, paymentReceivedDate: '2026-03-01T10:00:00Z' })
    expect([owed.status, owed.body.violations[0].propertyPath]).toEqual([422, 'paymentReceivedDate'])
  }
  expect(await rows()).toEqual([])
  // A repeated request is rejected, unless the user confirms that the change is intended.
  let balance = 0
  for (const [at, door] of doors(finance).slice(0, 3).entries()) {
    const body = { change: -500 - at, reason: `Goodwill ${at}` }
    balance += body.change
    expect((await door(body)).body.accountBalance).toBe(balance)
    const again = await door(body)
    expect([again.status, again.body.code]).toEqual([409, 'already_there'])
    expect(again.body.existing).toMatch(/^[/]api[/]financial[/]balance_changes[/]\d+$/)
    balance += body.change
    expect((await door({ ...body, keepBoth: true })).body.accountBalance).toBe(balance)
  }
  expect(await rows()).toHaveLength(6)
  expect((await rows())[0]).toMatchObject({ amount: -502, reason: 'Goodwill 2', balance })
  expect((await finance.post('/api/financial/balance_changes', { customer: made['@id'], amount: 5 })).status).toBe(405)
  // A new customer's opening balance is also recorded as a balance change.
  const begun = await doors(finance)[3]?.({ change: 700, reason: 'From the old books' })
  expect(begun?.body.accountBalance).toBe(700)
  const [line] = (await staff.get(`/api/financial/balance_changes?customer=${begun?.body.id}`)).body['hydra:member']
  expect(line).toMatchObject({ amount: 700, balance: 700 })
})

test("provider staff who work as a client’s finance user can't change the e-mail address for invoices", async () => {
  const client = await portal.client({ packs: ['invoicing'] })
  const books = await client.user({ roles: ['ROLE_INVOICING_FINANCE'] })
  const visit = await staff.get(`/api/security/user/switch?username=${books.username}&client=${client.id}`)
  const visitor = portal.bearing(visit.body.token)
  await visitor.post('/api/security/user/write', { reason: 'They asked for help' })
  const buyer = { email: 'buyer@acme.example', billingName: 'Acme' }
  const { body } = await client.as(books).post('/api/financial/customers', buyer)
  for (const answer of [
    await visitor.patch(body['@id'], { email: 'mine@evil.example' }),
    await visitor.put(body['@id'], { ...body, invoiceEmail: 'mine@evil.example' }),
  ])
    expect([answer.status, answer.body.code]).toEqual([403, 'in_person'])
  expect((await visitor.put(body['@id'], { ...body, poNumber: 'PO-7' })).body.poNumber).toBe('PO-7')
})
