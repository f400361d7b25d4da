import { beforeAll, describe, expect, test } from 'vitest'
import { formatUkDate } from '#kernel/time.ts'
import { makeQuoteWorld, type QuoteWorld } from '#test/support/quotes.ts'

let w: QuoteWorld
beforeAll(async () => {
  w = await makeQuoteWorld()
})

const signature = { name: 'Ann Carter', method: 'typed' }
const accept = (token: string) => w.portal.anonymous.post(`/api/financial/acceptances/${token}/accept`, { signature })
const sentences = ({ body }: { body: { 'hydra:description'?: string } }) => body['hydra:description'] ?? ''
const anotherCustomer = (more: Record<string, unknown> = {}) =>
  w.make('/api/financial/customers', { email: 'other@buyer.example', ...more })

describe("a quote's terms", () => {
  test('a quote can be neither sent nor saved with an expiry date more than a year away', async () => {
    const made = await w.draft({ plans: [{ plan: w.plan }] })
    const far = await w.api.post(`${made['@id']}/send`, { expiresAt: '2990-12-31T23:59:59Z' })
    expect([far.status, sentences(far)]).toEqual([422, 'expiresAt: Please choose a date within the next year'])
    expect((await w.api.put(made['@id'], { expiresAt: '2990-12-31T23:59:59Z' })).status).toBe(422)
  })

  test("a quote's billing start must lie between today and two years from now", async () => {
    for (const day of ['0001-01-01', '2020-01-01', '9999-12-31']) {
      const seconds = Math.floor(Date.parse(`${day}T12:00:00Z`) / 1000)
      const refused = await w.api.post('/api/financial/quotes', {
        customer: w.customer,
        plans: [{ plan: w.plan }],
        billingCycleAnchor: seconds,
      })
      expect([day, refused.status]).toEqual([day, 422])
    }
  })

  test('a printed quote states when billing starts and what is charged until then', async () => {
    const billingCycleAnchor = Math.floor((Date.now() + 40 * 86_400_000) / 1000)
    const begins = async (more: object) => {
      const made = await w.draft({ plans: [{ plan: w.plan }], ...more })
      await w.api.post(`${made['@id']}/send`, {})
      const { link } = (await w.api.post(`${made['@id']}/link`, {})).body
      return (await w.portal.anonymous.get(`/api/financial/acceptances/${link.split('/quote/')[1]}`)).body.paper.begins
    }
    const day = formatUkDate(Temporal.Instant.fromEpochMilliseconds(billingCycleAnchor * 1000))
    expect(await begins({ billingCycleAnchor, prorate: true })).toBe(
      `Regular billing starts on ${day}. The days from acceptance until that date are charged pro rata.`,
    )
    expect(await begins({ billingCycleAnchor, prorate: false })).toBe(
      `Regular billing starts on ${day}. The days until that date are free of charge.`,
    )
    expect(await begins({})).toBeNull()
  })

  test("a quote whose total has changed since it was saved can't be sent until it has been previewed again", async () => {
    const coupon = await w.make('/api/financial/coupons', { name: 'Ten, then fifty', percentOff: 10 })
    const made = await w.draft({ plans: [{ plan: w.plan }], coupon })
    expect(made.total).toBe(4860)
    await w.api.put(coupon, { percentOff: 50 })
    const unseen = await w.api.post(`${made['@id']}/send`, {})
    expect([unseen.status, unseen.body.code]).toEqual([409, 'preview_outdated'])
    expect(sentences(unseen)).toBe(
      'The total of this quote has changed from £48.60 to £27.00, so the quote was not sent. Check the preview and send it again.',
    )
    const preview = (await w.api.get(`${made['@id']}/preview`)).body
    expect(preview).toMatchObject({ total: 2700, fingerprint: expect.any(String) })
    const sent = await w.api.post(`${made['@id']}/send`, { fingerprint: preview.fingerprint })
    expect([sent.status, sent.body.total]).toEqual([200, 2700])
  })

  test("a quote that a colleague has changed since its preview isn't sent", async () => {
    const made = await w.draft({ plans: [{ plan: w.plan }] })
    const { fingerprint } = (await w.api.get(`${made['@id']}/preview`)).body
    await w.sellers.as(w.colleague).put(made['@id'], { message: 'Twice as much as you asked for' })
    const unseen = await w.api.post(`${made['@id']}/send`, { fingerprint })
    expect([unseen.status, unseen.body.code]).toEqual([409, 'preview_outdated'])
  })

  test("a quote must be in the customer's currency, and changing a draft's currency also changes its lines", async () => {
    const euros = await anotherCustomer({ currency: 'EUR' })
    const refused = await w.api.post('/api/financial/quotes', {
      customer: euros,
      currency: 'GBP',
      plans: [{ plan: w.plan }],
    })
    expect([refused.status, sentences(refused)]).toEqual([
      422,
      'currency: This customer is billed in EUR. Create the quote in EUR, or change the customer’s currency first',
    ])
    const items = [{ description: 'A day on site', unitAmount: 40_000 }]
    const made = await w.draft({ additionalItems: items })
    const moved = await w.api.put(made['@id'], { customer: euros, currency: 'EUR' })
    expect([moved.status, moved.body.currency, moved.body.additionalItems?.[0].currency]).toEqual([200, 'EUR', 'EUR'])
    const pounds = await w.make('/api/financial/coupons', { name: 'Five pounds', amountOff: 500 })
    expect((await w.api.put(euros, { coupon: pounds })).status).toBe(422)
  })

  test("quotes can't be created for or accepted by retired customers", async () => {
    const gone = await anotherCustomer()
    const made = await w.draft({ customer: gone, plans: [{ plan: w.plan }] })
    const open = await w.sent({ customer: gone, plans: [{ plan: w.plan }] })
    const held = await w.api.put(gone, { retired: true })
    expect([held.status, sentences(held)]).toEqual([
      409,
      `${open.quote.reference} is still open for this customer. Cancel that quote first.`,
    ])
    await w.api.post(`${open.quote['@id']}/cancel`, { reason: 'They have closed' })
    expect((await w.api.put(gone, { retired: true })).status).toBe(200)
    expect((await w.api.post(`${made['@id']}/send`, {})).status).toBe(422)
    expect((await w.api.post('/api/financial/quotes', { customer: gone, plans: [{ plan: w.plan }] })).status).toBe(422)
    expect((await w.api.post(`${open.quote['@id']}/copy`, { customer: gone })).status).toBe(422)
  })

  test('a quote is never sent to the placeholder address of a customer without an e-mail address', async () => {
    const made = await w.draft({ plans: [{ plan: w.plan }] })
    const refused = await w.api.post(`${made['@id']}/send`, { emailTo: 'no' })
    expect(refused.status).toBe(422)
    expect((await w.api.post('/api/financial/customers', { email: 'no' })).status).toBe(422)
  })

  test('accepting a quote e-mails the signed quote, unless e-mail is turned off', async () => {
    const quiet = await w.sent()
    await accept(quiet.token)
    await w.portal.drain()
    const letters = (reference: string) =>
      w.sql<{ attachments: string[] }>('SELECT attachments FROM message WHERE recipient = $1 AND subject LIKE $2', [
        w.email,
        `Thank you%${reference}%`,
      ])
    expect(await letters(quiet.quote.reference)).toEqual([])
    const told = await w.sent({ plans: [{ plan: w.plan }], sendEmail: true })
    await accept(told.token)
    const thanks = () => w.portal.drain().then(() => letters(told.quote.reference))
    await expect.poll(thanks).toEqual([{ attachments: [`${told.quote.reference}.pdf`] }])
  })

  test('the database rejects changes to the content of a sent quote', async () => {
    const { quote } = await w.sent()
    const touch = (what: string) => w.sql(`UPDATE quote SET ${what} WHERE id = $1`, [quote.id])
    for (const what of [
      'total = 1',
      "message = 'x'",
      'customer_id = customer_id + 1',
      "terms = 'x'",
      'tax_percent = 0',
    ])
      await expect(touch(what), what).rejects.toThrow('sent quote')
    await expect(w.sql('UPDATE quote_line SET unit_amount = 1 WHERE quote_id = $1', [quote.id])).rejects.toThrow(
      'sent quote',
    )
    await expect(w.sql('DELETE FROM quote_line WHERE quote_id = $1', [quote.id])).rejects.toThrow('sent quote')
    await expect(w.sql('DELETE FROM quote WHERE id = $1', [quote.id])).rejects.toThrow('sent quote')
    await expect(touch('status_id = 1')).rejects.toThrow('sent quote')
  })
})

describe('quote coupons', () => {
  const used = async (coupon: string) => (await w.api.get(coupon)).body.timesRedeemed
  const once = (more: Record<string, unknown> = {}) =>
    w.make('/api/financial/coupons', { name: 'Half, once', percentOff: 50, ...more })
  const offered = async (customer: string, coupon: string) =>
    w.api.post(`${(await w.draft({ customer, coupon, plans: [{ plan: w.plan }], sendEmail: false }))['@id']}/send`, {})

  test("a customer's one-off coupon discounts one quote and counts as used on acceptance", async () => {
    const coupon = await once()
    const buyer = await anotherCustomer({ coupon })
    const { quote, token } = await w.sent({ customer: buyer, coupon, plans: [{ plan: w.plan }] })
    const twice = await w.api.post('/api/financial/quotes', { customer: buyer, coupon, plans: [{ plan: w.plan }] })
    expect([twice.status, sentences(twice)]).toEqual([
      422,
      `coupon: The coupon “Half, once” can be used only once by this customer and is already on quote ${quote.reference}. Choose another coupon, or cancel that quote.`,
    ])
    expect((await accept(token)).status).toBe(200)
    expect((await w.api.get(buyer)).body.coupon).toBe(null)
    expect(await used(coupon)).toBe(1)
  })

  test('a coupon reserved by a quote is released when the quote is declined, cancelled, replaced or expired', async () => {
    const coupon = await once({ maxRedemptions: 1 })
    const buyer = await anotherCustomer()
    const first = await w.sent({ customer: buyer, coupon, plans: [{ plan: w.plan }] })
    expect(
      (await w.api.post('/api/financial/quotes', { customer: buyer, coupon, plans: [{ plan: w.plan }] })).status,
    ).toBe(422)
    await w.portal.anonymous.post(`/api/financial/acceptances/${first.token}/decline`, {})
    expect(await used(coupon)).toBe(0)
    const second = await offered(buyer, coupon)
    expect([second.status, await used(coupon)]).toEqual([200, 1])
    const revised = (await w.api.post(`${second.body['@id']}/revise`, {})).body
    expect((await w.api.post(`${revised['@id']}/send`, {})).status).toBe(200)
    expect(await used(coupon)).toBe(1)
    await w.sql("UPDATE quote SET expires_at = now() - interval '1 minute' WHERE id = $1", [revised.id])
    await w.portal.runSchedule('quotes-expire')
    expect(await used(coupon)).toBe(0)
    const until = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10)
    expect((await w.api.post(`${revised['@id']}/extend`, { until, reason: 'They asked' })).status).toBe(200)
    expect(await used(coupon)).toBe(1)
    await w.api.post(`${revised['@id']}/cancel`, { reason: 'Enough' })
    expect(await used(coupon)).toBe(0)
  })

  test('a coupon reserved by a quote counts as used once, even if the quote is signed repeatedly', async () => {
    const coupon = await w.make('/api/financial/coupons', { name: 'Ten', percentOff: 10, maxRedemptions: 1 })
    const drafts = await Promise.all([1, 2].map(() => w.draft({ plans: [{ plan: w.plan }], coupon, sendEmail: false })))
    const sent = await Promise.all(drafts.map((q) => w.api.post(`${q['@id']}/send`, {})))
    expect(sent.map((s) => s.status).sort()).toEqual([200, 422])
    const open = sent.find((s) => s.status === 200)?.body
    const { body } = await w.api.post(`${open['@id']}/link`, {})
    const token = String(body.link).split('/').at(-1) as string
    expect([await used(coupon), open.total]).toEqual([1, 4860])
    await Promise.all([accept(token), accept(token)])
    expect(await used(coupon)).toBe(1)
    const [row] = (await w.api.get(`/api/financial/coupon_redemptions?coupon=${coupon}`)).body['hydra:member']
    expect(row).toMatchObject({ state: 'used', quote: { '@id': open['@id'] } })
  })

  test('a coupon removed from a customer and assigned again counts as used once', async () => {
    const coupon = await once({ duration: 'forever' })
    const buyer = await anotherCustomer({ coupon })
    await w.api.put(buyer, { coupon: null })
    expect(await used(coupon)).toBe(0)
    await w.api.put(buyer, { coupon })
    await w.api.get(`/api/financial/coupons/detach/${buyer.split('/').at(-1)}`)
    await w.api.put(buyer, { coupon })
    expect(await used(coupon)).toBe(1)
    expect((await offered(buyer, coupon)).body.total).toBe(2700)
    expect(await used(coupon)).toBe(1)
  })
})

describe('plans and items on quotes', () => {
  test("plans of products that are retired, not on sale or lapsed can't be sold", async () => {
    for (const off of [
      { retired: true },
      { livemode: false },
      { appStatus: { status: 0, retired: false, hasLapsed: false } },
      { appStatus: { status: 1, retired: true, hasLapsed: false } },
      { appStatus: { status: 1, retired: false, hasLapsed: true } },
    ]) {
      const product = await w.make('/api/financial/products', { name: 'Old pack' })
      const plan = await w.make('/api/financial/plans', { name: 'Old pack', product, amount: 1000 })
      const made = await w.draft({ plans: [{ plan }] })
      expect((await w.api.put(product, off)).status).toBe(200)
      const refused = await w.api.post('/api/financial/quotes', { customer: w.customer, plans: [{ plan }] })
      expect([off, refused.status]).toEqual([off, 422])
      const sent = await w.api.post(`${made['@id']}/send`, {})
      expect([sent.status, sentences(sent)]).toEqual([
        422,
        'plans[0].plan: “Old pack” is no longer sold. Remove the line or choose something else.',
      ])
    }
  })

  test('invalid application statuses are rejected', async () => {
    const product = await w.make('/api/financial/products', { name: 'Pack' })
    for (const appStatus of ['nonsense', { status: 'x' }, [], { status: 1, retired: 'yes' }])
      expect([appStatus, (await w.api.put(product, { appStatus })).status]).toEqual([appStatus, 422])
  })
})

describe('quote VAT', () => {
  let seller: QuoteWorld['api']
  let standard: string
  beforeAll(async () => {
    w = await makeQuoteWorld()
    seller = w.sellers.as(await w.sellers.user({ roles: ['ROLE_STAFF'] }))
    standard = await w.make('/api/financial/tax_rates', { name: 'Standard', percent: 20 })
    await w.make('/api/financial/tax_rates', { name: 'Zero', percent: 0 })
  })
  const taxed = async (taxRate: string | null = standard) => {
    const product = await w.make('/api/financial/products', { name: 'Pack' })
    return w.make('/api/financial/plans', { name: 'Pack', product, amount: 1000, taxRate })
  }
  const quoted = (line: Record<string, unknown>, api = w.api, more = {}) =>
    api.post('/api/financial/quotes', { customer: w.customer, plans: [line], ...more })

  test("only users who may set prices can charge VAT that differs from the plan's, and only at the provider's rates", async () => {
    const plan = await taxed()
    expect((await quoted({ plan, taxPercent: 13.37 })).status).toBe(422)
    expect((await quoted({ plan }, w.api, { taxPercent: 13.37 })).status).toBe(422)
    const refused = await quoted({ plan, taxPercent: 0 }, seller)
    expect([refused.status, sentences(refused)]).toEqual([
      422,
      'plans[0].taxPercent: The VAT on “Pack” is 20%. To charge another rate, you need permission to set prices',
    ])
    expect((await quoted({ plan, taxPercent: 20 }, seller)).status).toBe(201)
    expect((await quoted({ plan, taxPercent: 0 })).status).toBe(201)
  })

  test('a VAT change made after the draft was saved is reported before the quote is sent', async () => {
    const taxRate = await w.make('/api/financial/tax_rates', { name: 'Changing', percent: 17.5 })
    const plan = await taxed(taxRate)
    const made = (await quoted({ plan }, seller)).body
    expect(made.plans[0].taxPercent).toBe(17.5)
    await w.api.put(taxRate, { percent: 5 })
    const sent = await seller.post(`${made['@id']}/send`, {})
    expect([sent.status, sentences(sent)]).toEqual([
      422,
      'plans[0].taxPercent: The VAT on “Pack” is now 5% instead of 17.5%. Use the new rate or remove the line.',
    ])
  })

  test("plans whose VAT rate isn't in force yet or has been retired can't be sold", async () => {
    const later = await w.make('/api/financial/tax_rates', { name: 'Scheduled', percent: 22, from: '2099-01-01' })
    const refused = await quoted({ plan: await taxed(later) })
    expect([refused.status, sentences(refused)]).toEqual([
      422,
      'plans[0].plan: The VAT rate of “Pack” applies from 01/01/2099. Choose a current rate',
    ])
    const gone = await w.make('/api/financial/tax_rates', { name: 'Gone', percent: 15 })
    const plan = await taxed(gone)
    await w.api.put(gone, { retired: true })
    expect((await quoted({ plan })).status).toBe(422)
  })

  test("changing a plan's VAT creates a new price version", async () => {
    const plan = await taxed()
    await w.api.put(plan, { taxRate: null })
    const prices = (await w.api.get(`/api/financial/prices?plan=${plan}`)).body['hydra:member']
    expect(prices.map((p: { version: number; taxRate: unknown }) => [p.version, p.taxRate])).toEqual([
      [2, null],
      [1, expect.objectContaining({ '@id': standard })],
    ])
  })
})
