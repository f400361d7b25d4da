import { expect, test } from 'vitest'
import { makeInvoiceWorld } from '#test/support/invoices.ts'

const w = await makeInvoiceWorld()

test('ten simultaneous requests to e-mail an invoice again send it once, unless the request asks for another copy', async () => {
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
  // The first e-mail is the one sent on issue.
  expect(await letters()).toBe(2)
  expect((await send({ again: true })).status).toBe(200)
  expect(await letters()).toBe(3)
})
