import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { SECRET_LINK_PLACEHOLDER } from '#kernel/system-email.ts'
import { moveClock } from '#server/engine/clock.ts'
import { extractResponseText } from '#test/pdf/words.ts'
import { makeInvoiceWorld } from '#test/support/invoices.ts'
import { createCustomer, enterCardAtGateway, issueTestInvoice, saveTestCard } from '#test/support/payments.ts'
import { type TestApi, type TestPortal, testPortal } from '#test/support/portal.ts'
import { makeSalesWorld } from '#test/support/sales.ts'
import { startFakeStripe } from '#test/support/stripe.ts'
import { invoicePaymentSecretLink } from './routes.server.ts'

const [GOOD, DECLINED] = ['4242424242424242', '4000000000000341']

const portal = await testPortal()
let stripe: Awaited<ReturnType<typeof startFakeStripe>>
let atStripe: TestPortal
beforeAll(async () => {
  stripe = await startFakeStripe()
  atStripe = await portal.with(stripe.settings)
  return () => stripe.close()
})
afterEach(() => moveClock(portal.engine, 0))

const moneyAt = async (at: TestPortal): Promise<TestApi> =>
  at.provider.as(await at.provider.user({ roles: ['ROLE_STAFF', 'ROLE_FINANCE'] }))

/** Creates an invoice for £50 with a payment link. Returns the actions available to the holder of the link. */
async function link(at: TestPortal = portal, of?: string) {
  const money = await moneyAt(at)
  const customer = of ?? (await createCustomer(money))
  const invoice = await issueTestInvoice(money, customer, 5000)
  const { url } = (await money.post(`${invoice['@id']}/pay-link`, {})).body
  const page = `/api/financial/payments/${String(url).split('/').at(-1)}`
  const setUp = async () => (await at.anonymous.post(`${page}/card`, {})).body
  const pay = (card: string, more: object = {}) => at.anonymous.post(`${page}/pay`, { card, amountDue: 5000, ...more })
  const enter = async (number: string) => enterCardAtGateway(at, (await setUp()).url, number)
  const cards = async () =>
    (await money.get(`/api/financial/cards?customer=${customer.split('/').at(-1)}&order[id]=asc`)).body[
      'hydra:member'
    ].map((one: { default: boolean; retired: boolean }) => (one.retired ? 'removed' : one.default ? 'default' : 'kept'))
  return { money, customer, invoice, page, setUp, enter, pay, cards }
}
type Linked = Awaited<ReturnType<typeof link>>

describe('cards entered on payment links', () => {
  test('a card entered on a payment link is not saved unless requested', async () => {
    const l = await link()
    const card = await l.enter(GOOD)
    const answer = await l.pay(card)
    expect([answer.status, answer.body.state]).toEqual([200, 'paid'])
    expect(await l.cards()).toEqual(['removed'])
    // The payment service has removed the card too, so the card can't be used to pay again.
    const again = await link(portal, l.customer)
    expect((await again.pay(card)).status).toBe(422)
  })

  test('a card entered on a payment link is saved on request and becomes the default', async () => {
    const l = await link()
    await saveTestCard(portal, l.money, l.customer, '5555555555554444')
    expect((await l.pay(await l.enter(GOOD), { keep: true })).body.state).toBe('paid')
    expect(await l.cards()).toEqual(['kept', 'default'])
  })

  test('a card entered on a payment link replaces no other card unless requested', async () => {
    const l = await link()
    await saveTestCard(portal, l.money, l.customer, '5555555555554444')
    expect((await l.pay(await l.enter(GOOD))).body.state).toBe('paid')
    expect(await l.cards()).toEqual(['default', 'removed'])
  })

  test('a declined card is not saved, even if saving was requested', async () => {
    const l = await link()
    expect((await l.pay(await l.enter(DECLINED), { keep: true })).status).toBe(422)
    expect(await l.cards()).toEqual(['removed'])
  })

  test('a card entered without a payment is detached automatically', async () => {
    const l = await link()
    const token = await l.enter(GOOD)
    const id = Number(l.customer.split('/').at(-1))
    // Simulates a server that stopped right after the card was accepted.
    await portal.db.tx('system', (tx) =>
      tx.rows(
        `INSERT INTO card (client_id, customer_id, gateway, gateway_id, brand, last4, exp_month, exp_year, expires_on, kept)
         VALUES (0, $1, 'test', $2, 'visa', '4242', 12, 2049, '2049-12-31', 'ifPaid')`,
        [id, token],
      ),
    )
    const [kept] = (await l.money.get(`/api/financial/cards?customer=${id}`)).body['hydra:member']
    expect((await l.money.post(`${kept['@id']}/make-default`)).status).toBe(409)
    const charge = { customer: l.customer, invoice: l.invoice['@id'], card: kept['@id'], amount: 5000 }
    expect((await l.money.post('/api/financial/charges', charge)).status).toBe(422)
    await portal.runSchedule('cards-entered')
    expect(await l.cards()).toEqual(['kept'])
    await moveClock(portal.engine, 1)
    await portal.runSchedule('cards-entered')
    expect(await l.cards()).toEqual(['removed'])
  })
})

describe('Stripe cards entered on payment links', () => {
  test('a card is attached to the Stripe customer only by a payment, and remains attached only on request', async () => {
    for (const keep of [true, false]) {
      const l = await link(atStripe)
      const before = stripe.attached().length
      const card = stripe.confirm((await l.setUp()).clientSecret, 'visa', '4242')
      expect(stripe.attached()).toHaveLength(before)
      expect((await l.pay(card, { keep })).body.state).toBe('paid')
      expect(stripe.attached()).toHaveLength(before + (keep ? 1 : 0))
      expect(await l.cards()).toEqual([keep ? 'default' : 'removed'])
    }
  })

  test('the holder of a payment link can set up at most twenty payments an hour', async () => {
    const l = await link()
    const statuses = []
    for (let n = 0; n < 21; n++) statuses.push((await portal.anonymous.post(`${l.page}/card`, {})).status)
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429])
    expect((await portal.anonymous.post(`${(await link()).page}/card`, {})).status).toBe(200)
  })

  test('the card of an uncertain payment is not detached until the outcome is known', async () => {
    const l = await link(atStripe)
    const card = stripe.confirm((await l.setUp()).clientSecret, 'visa', '4242')
    stripe.lose(/confirm$/)
    expect((await l.pay(card, { keep: true })).body.underWay).toBe(true)
    stripe.mend()
    expect(await l.cards()).toEqual(['kept'])
    await portal.db.tx('system', (tx) =>
      tx.rows("UPDATE charge SET updated_at = updated_at - interval '1 hour' WHERE invoice_id = $1", [l.invoice.id]),
    )
    await portal.db.tx('system', (tx) =>
      tx.rows("UPDATE card SET created_at = created_at - interval '1 hour' WHERE gateway_id = $1", [card]),
    )
    await atStripe.runSchedule('payments-follow-up')
    await atStripe.runSchedule('cards-entered')
    expect(await l.cards()).toEqual(['default'])
  })
})

describe('payment links of invoices on which nothing is due', () => {
  const FORM = { holder: 'Payer Ltd', sortCode: '10-88-00', accountNumber: '00012345', authorised: true }

  test.each([
    ['void', async ({ money, invoice }: Linked) => money.post(`${invoice['@id']}/void`, { reason: 'x' })],
    [
      'credited in full',
      async ({ money, invoice }: Linked) =>
        money.post('/api/financial/credit_notes', { invoice: invoice['@id'], reason: 'x', to: 'balance' }),
    ],
    ['written off', async ({ money, invoice }: Linked) => money.post(`${invoice['@id']}/write-off`, { reason: 'x' })],
  ])('the link of an invoice that was %s accepts no card and no Direct Debit', async (_, settle) => {
    const l = await link()
    const card = await l.enter(GOOD)
    await portal.db.tx('system', (tx) =>
      tx.rows("UPDATE payment_settings SET debit_name = 'PROVIDER LTD' WHERE client_id = 0"),
    )
    expect((await settle(l)).status).toBeLessThan(300)
    expect((await portal.anonymous.get(l.page)).body).toMatchObject({ debit: null, mandate: null, payments: [] })
    expect((await l.pay(card)).status).toBe(409)
    const set = await portal.anonymous.post(`${l.page}/card`, {})
    expect([set.status, set.body.code]).toEqual([409, 'wrong_state'])
    expect((await portal.anonymous.post(`${l.page}/mandate`, FORM)).status).toBe(409)
    expect((await portal.anonymous.get(`${l.page}/receipt`)).status).toBe(409)
    expect(await l.cards()).toEqual(['removed'])
    expect((await l.money.get(`${l.customer}/charges`)).body['hydra:member']).toEqual([])
  })

  test('of two simultaneous payments through one link, one is charged', async () => {
    const l = await link()
    const cards = [await l.enter(GOOD), await l.enter(GOOD)]
    const both = await Promise.all(cards.map((card) => l.pay(card)))
    // The second payment is refused while the first is in progress (429), or once nothing is due (409).
    const [paid, refused] = both.map(({ status }) => status).toSorted()
    expect(paid).toBe(200)
    expect([409, 429]).toContain(refused)
    expect((await l.money.get(l.customer)).body.accountBalance).toBe(0)
  })

  test('a receipt leaves out a payment that was refunded in full', async () => {
    const l = await link()
    await l.pay(await l.enter(GOOD))
    const [paid] = (await l.money.get(`${l.invoice['@id']}/charges`)).body['hydra:member']
    expect((await portal.anonymous.get(`${l.page}/receipt`)).status).toBe(200)
    await l.money.post(`${paid['@id']}/refund`, { amount: 5000, reason: 'x' })
    expect((await portal.anonymous.get(l.page)).body.payments).toEqual([])
    expect((await portal.anonymous.get(`${l.page}/receipt`)).status).toBe(409)
  })
})

describe('payment links on documents', () => {
  test('the payment page shows the lines, the PDF and, after payment, a receipt', async () => {
    const l = await link()
    const { url } = (await l.money.post(`${l.invoice['@id']}/pay-link`, {})).body
    const page = `/api/financial/payments/${String(url).split('/').at(-1)}`
    const read = async (path = '') => portal.anonymous.get(`${page}${path}`)
    const { body } = await read()
    expect(body).toMatchObject({ total: 5000, payments: [], card: true })
    expect(body.lines.reduce((sum: number, line: { net: number }) => sum + line.net, 0)).toBe(body.net)
    expect(await extractResponseText(await read('/pdf'))).toContain(body.number)
    expect((await read('/receipt')).status).toBe(409)
    await l.pay(await l.enter(GOOD))
    const paid = (await read()).body
    expect(paid.payments).toEqual([{ day: expect.any(String), method: expect.stringContaining('4242'), amount: 5000 }])
    const receipt = await extractResponseText(await read('/receipt'))
    for (const words of [`Receipt ${body.number}`, '£50.00', '4242']) expect(receipt).toContain(words)
  })

  test("an invoice's e-mail and PDF have the same payment link, stored only as a hash and a sealed secret", async () => {
    const l = await link()
    await portal.drain()
    const { url } = (await l.money.post(`${l.invoice['@id']}/pay-link`, {})).body
    // A long link may be broken across lines.
    const printed = (await extractResponseText(await l.money.get(`${l.invoice['@id']}/pdf`))).replaceAll(/\s/g, '')
    expect(printed).toContain(String(url).split('/').at(-1))
    // The e-mail is stored without the secret, which is added on sending.
    const [mail] = await portal.db.tx('system', (tx) =>
      tx.rows<{ body: string }>(
        "SELECT body FROM message WHERE client_id = $1 AND about = $2 AND template = 'invoice'",
        [portal.provider.id, l.invoice['@id']],
      ),
    )
    expect(mail?.body).toContain(`Pay online: ${SECRET_LINK_PLACEHOLDER}`)
    expect(await invoicePaymentSecretLink.make(portal.engine, portal.provider.id, { invoice: l.invoice.id })).toBe(url)
    const secret = String(url).split('-').slice(2).join('-')
    const rows = await portal.db.tx('system', (tx) =>
      tx.rows<{ text: string }>('SELECT p::text AS text FROM pay_link p WHERE client_id = $1', [portal.provider.id]),
    )
    expect(rows.filter(({ text }) => text.includes(secret))).toEqual([])
    await l.pay(await l.enter(GOOD))
    expect(await extractResponseText(await l.money.get(`${l.invoice['@id']}/pdf`))).not.toContain('Pay online')
  })
})

describe('payment after acceptance', () => {
  test("the thank-you page links to the invoice's payment page and shows the bank details", async () => {
    const w = await makeSalesWorld()
    const { token } = await w.sent()
    const at = `/api/financial/acceptances/${token}`
    const pay = (number: string) => w.portal.anonymous.post(`${at}/pay`, { number })
    expect([(await w.portal.anonymous.get(at)).body.payment, (await pay('INV-00001')).status]).toEqual([null, 409])
    await w.api.put(w.customer, { address1: '1 High Street', city: 'York', postcode: 'YO1 1AA' })
    await w.accept(token)
    const { made, payment } = (await w.portal.anonymous.get(at)).body
    expect(payment).toEqual({ card: true, bank: [] })
    const [{ number, total }] = made.invoices
    const { status, body } = await pay(number)
    expect(status).toBe(200)
    const page = await w.portal.anonymous.get(`/api/financial/payments/${String(body.url).split('/').at(-1)}`)
    expect(page.body).toMatchObject({ number, amountDue: total, card: true })
    expect((await pay('INV-99999')).status).toBe(409)
  })

  test('the preview of an invoice warns if neither card payments nor bank details are set up', async () => {
    const w = await makeInvoiceWorld()
    const { '@id': iri } = await w.invoice()
    const warnings = async () => (await w.api.get(`${iri}/preview`)).body.warnings
    expect(await warnings()).toEqual([])
    await w.sql('UPDATE payment_settings SET takes_cards = false WHERE client_id = $1', [w.sellers.id])
    expect(await warnings()).toEqual([
      { propertyPath: 'supplier', message: expect.stringContaining('Neither card payments nor bank details') },
    ])
  })
})
