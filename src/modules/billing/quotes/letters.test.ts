import { beforeAll, describe, expect, test } from 'vitest'
import { makeQuoteWorld, type QuoteWorld } from '#test/support/quotes.ts'

let w: QuoteWorld
beforeAll(async () => {
  w = await makeQuoteWorld()
})

const byMail = () => ({ plans: [{ plan: w.plan }], sendEmail: true })

describe('delivery status of quote e-mails', () => {
  test("a quote's delivery status is visible only to users who can read the quote", async () => {
    const { quote } = await w.sent(byMail())
    await w.portal.drain()
    const at = `${quote['@id']}/letters`
    const { status, body } = await w.api.get(at)
    expect(status).toBe(200)
    // No mail server is configured in this test, so nothing was sent.
    expect(body['hydra:member']).toEqual([
      expect.objectContaining({ recipient: w.email, template: 'quote', state: 'kept', error: null }),
    ])
    expect((await w.otherStaff.get(at)).status).toBe(404)
    expect((await w.outsider.get(at)).status).toBe(403)
    expect((await w.portal.anonymous.get(at)).status).toBe(401)
  })

  test('e-mails about a quote are listed latest first, without e-mails about other quotes', async () => {
    const { quote } = await w.sent(byMail())
    const { quote: another } = await w.sent(byMail())
    await w.portal.drain()
    expect((await w.api.post(`${quote['@id']}/remind`, {})).status).toBe(200)
    await w.portal.drain()
    const { body } = await w.api.get(`${quote['@id']}/letters`)
    expect(body['hydra:totalItems']).toBe(2)
    expect((await w.api.get(`${another['@id']}/letters`)).body['hydra:totalItems']).toBe(1)
  })

  test('ten simultaneous requests to e-mail a quote again send it once, unless the request asks for another copy', async () => {
    const { quote } = await w.sent(byMail())
    const remind = (input: { readonly again?: boolean } = {}) => w.api.post(`${quote['@id']}/remind`, input)
    const answers = await Promise.all(Array.from({ length: 10 }, () => remind()))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 409)])
    expect((await remind()).body.code).toBe('already_there')
    expect((await remind({ again: true })).status).toBe(200)
    await w.portal.drain()
    expect((await w.api.get(`${quote['@id']}/letters`)).body['hydra:totalItems']).toBe(3)
  })
})
