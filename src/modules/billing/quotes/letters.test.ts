import { beforeAll, describe, expect, test } from 'vitest'
import { type QuoteWorld, quoteWorld } from '#test/support/quotes.ts'

let w: QuoteWorld
beforeAll(async () => {
  w = await quoteWorld()
})

const byMail = () => ({ plans: [{ plan: w.plan }], sendEmail: true })

describe('what became of the e-mails about a quote', () => {
  test('is told to whoever may read the quote, and to nobody else', async () => {
    const { quote } = await w.sent(byMail())
    await w.portal.drain()
    const at = `${quote['@id']}/letters`
    const { status, body } = await w.api.get(at)
    expect(status).toBe(200)
    // No mail server is set up here: nothing says that it was sent.
    expect(body['hydra:member']).toEqual([
      expect.objectContaining({ recipient: w.email, template: 'quote', state: 'kept', error: null }),
    ])
    expect((await w.otherStaff.get(at)).status).toBe(404)
    expect((await w.outsider.get(at)).status).toBe(403)
    expect((await w.portal.anonymous.get(at)).status).toBe(401)
  })

  test('names each letter by itself, the latest first, and only those about it', async () => {
    const { quote } = await w.sent(byMail())
    const { quote: another } = await w.sent(byMail())
    await w.portal.drain()
    expect((await w.api.post(`${quote['@id']}/remind`, {})).status).toBe(200)
    await w.portal.drain()
    const { body } = await w.api.get(`${quote['@id']}/letters`)
    expect(body['hydra:totalItems']).toBe(2)
    expect((await w.api.get(`${another['@id']}/letters`)).body['hydra:totalItems']).toBe(1)
  })
})
