import { expect, test } from 'vitest'
import { makeInvoiceWorld } from '#test/support/invoices.ts'

const w = await makeInvoiceWorld()

test('an invoice whose e-mail is requested ten times at once is e-mailed once, and again only if that is stated', async () => {
  const issued = await w.issued({ customer: await w.newCustomer({ invoiceEmail: 'accounts@buyer.example' }) })
  const send = (input: { readonly again?: boolean } = {}) => w.api.post(`${issued['@id']}/send`, input)
  const answers = await Promise.all(Array.from({ length: 10 }, () => send()))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 409)])
  const refused = await send()
  expect(refused.body.code).toBe('already_there')
  const letters = async () => {
    await w.portal.drain()
    return (await w.api.get(`${issued['@id']}/letters`)).body['hydra:totalItems']
  }
  // The first is the e-mail of its issue.
  expect(await letters()).toBe(2)
  expect((await send({ again: true })).status).toBe(200)
  expect(await letters()).toBe(3)
})
