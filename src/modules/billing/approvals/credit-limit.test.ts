import { describe, expect, test } from 'vitest'
import { createCustomer, expectBalanced, issueTestInvoice } from '#test/support/payments.ts'
import { type TestApi, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const { provider } = portal
const person = async (...roles: string[]) => provider.as(await provider.user({ roles: ['ROLE_STAFF', ...roles] }))
/** Creates finance staff without earlier decisions, because the limit adds up each person's decisions. */
const finance = () => person('ROLE_FINANCE')
const staff = await person()
const second = await finance()

const goodwill = (api: TestApi, customer: string, pence: number) =>
  api.post(`${customer}/balance`, { change: -pence, reason: 'Goodwill' })
const requestsOf = async (customer: string) =>
  (await second.get(`/api/financial/finance_requests?customer=${customer.split('/').at(-1)}`)).body['hydra:member']

describe('credit notes for an amount still due', () => {
  const NOTES = '/api/financial/credit_notes'
  const credit = (api: TestApi, invoice: { '@id': string }, more = {}) =>
    api.post(NOTES, { invoice: invoice['@id'], reason: 'Not delivered', ...more })
  const ask = (api: TestApi, invoice: { '@id': string }, more = {}) =>
    api.post(`${invoice['@id']}/ask-credit`, { reason: 'Not delivered', ...more })

  test('a credit note for an amount still due counts towards the limit as a void does, in full or in part', async () => {
    const [teller, customer] = [await finance(), await createCustomer(staff)]
    const [half, other] = [
      await issueTestInvoice(second, customer, 60_000),
      await issueTestInvoice(second, await createCustomer(staff), 30_000),
    ]
    expect((await credit(teller, half)).body.code).toBe('approval_needed')
    const { lines } = (await second.get(half['@id'])).body
    const part = (net: number) => credit(teller, half, { lines: [{ line: lines[0]['@id'], net }] })
    expect((await part(30_000)).status).toBe(201)
    expect((await part(20_001)).body.code).toBe('approval_needed')
    expect((await credit(teller, other)).body.code).toBe('approval_needed')
    expect((await teller.post(`${other['@id']}/void`, { reason: 'x' })).body.code).toBe('approval_needed')
    expect((await part(20_000)).status).toBe(201)
    expect((await goodwill(await finance(), customer, 1)).body.code).toBe('approval_needed')
  })

  test('a credit note above the limit is issued, exactly as requested, after a second person approves the request', async () => {
    const [teller, customer] = [await finance(), await createCustomer(staff)]
    const invoice = await issueTestInvoice(second, customer, 90_000)
    const { lines } = (await second.get(invoice['@id'])).body
    const part = { lines: [{ line: lines[0]['@id'], net: 60_000 }] }
    expect((await ask(staff, invoice, part)).status).toBe(403)
    expect((await ask(teller, invoice, { lines: [{ line: lines[0]['@id'], net: 40_000 }] })).status).toBe(409)
    for (const wrong of [{ lines: 'x' }, { lines: [{ line: '/x', net: 60_000 }] }, { to: 'refund' }])
      expect((await ask(teller, invoice, wrong)).status).toBe(422)
    expect((await ask(teller, invoice, part)).body.state).toBe('open')
    expect((await ask(teller, invoice, part)).status).toBe(409)
    const [request] = await requestsOf(customer)
    expect(request).toMatchObject({ kind: 'credit', amount: 60_000, invoice: { number: invoice.number } })
    expect((await teller.post(`${request['@id']}/approve`)).status).toBe(403)
    expect((await second.get(invoice['@id'])).body.amountCredited).toBe(0)
    expect((await second.post(`${request['@id']}/approve`)).body).toMatchObject({ state: 'approved' })
    const { body } = await second.get(`${NOTES}?invoice=${invoice['@id'].split('/').at(-1)}`)
    expect(body['hydra:member']).toMatchObject([{ total: 60_000, reason: 'Not delivered', to: 'balance' }])
    expect((await second.get(invoice['@id'])).body).toMatchObject({ amountCredited: 60_000, amountDue: 30_000 })
    await expectBalanced(portal, customer)
    // A decision by two people does not count towards either person's own limit.
    expect((await credit(teller, invoice)).status).toBe(201)
    expect((await credit(teller, await issueTestInvoice(second, customer, 20_001))).body.code).toBe('approval_needed')
  })

  test('a credit note above the limit is not issued if its total has changed since the request or the request is declined', async () => {
    const [teller, customer] = [await finance(), await createCustomer(staff)]
    const [changed, declined] = [
      await issueTestInvoice(second, customer, 90_000),
      await issueTestInvoice(second, customer, 80_000),
    ]
    await ask(teller, changed)
    await ask(teller, declined)
    const { lines } = (await second.get(changed['@id'])).body
    expect((await credit(teller, changed, { lines: [{ line: lines[0]['@id'], net: 1 }] })).status).toBe(201)
    const [late, early] = await requestsOf(customer)
    expect((await second.post(`${early['@id']}/approve`)).body.code).toBe('due_changed')
    expect((await second.post(`${late['@id']}/reject`, { reason: 'Delivered' })).status).toBe(200)
    for (const { '@id': at } of [changed, declined]) expect((await second.get(at)).body.amountCredited).toBeLessThan(2)
  })

  test("an approved request named in a credit note's body does not count as approval of the credit note", async () => {
    const [teller, customer] = [await finance(), await createCustomer(staff)]
    const invoice = await issueTestInvoice(second, customer, 60_000)
    await ask(teller, invoice)
    const [request] = await requestsOf(customer)
    const forged = await credit(teller, invoice, { financeRequest: request['@id'] })
    expect(forged.body.code).toBe('approval_needed')
  })
})
