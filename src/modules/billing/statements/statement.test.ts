import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { moveClock } from '#server/engine/clock.ts'
import { extractResponseText } from '#test/pdf/words.ts'
import { type InvoiceWorld, makeInvoiceWorld } from '#test/support/invoices.ts'
import { buildCustomerStatementDocument, type CustomerStatement } from './statement.ts'

let w: InvoiceWorld
beforeAll(async () => {
  w = await makeInvoiceWorld()
})
afterEach(() => moveClock(w.portal.engine, 0))

const CUSTOMERS = '/api/financial/customers'
const pay = async (customer: string, invoice: string, more: Record<string, unknown> = {}) => {
  const made = await w.finance.post('/api/financial/charges', {
    customer,
    invoice,
    method: 'bank',
    amount: 24_000,
    receivedAt: '2026-11-27T10:00:00Z',
    ...more,
  })
  expect([made.status, made.text]).toEqual([201, expect.anything()])
}
const read = async (customer: string, query = ''): Promise<CustomerStatement> =>
  (await w.api.get(`${customer}/statement${query}`)).body
const idOf = (iri: string) => Number(iri.split('/').at(-1))
const emails = (customer: string) =>
  w.sql<{ recipient: string; subject: string; attachments: string[] }>(
    `SELECT m.recipient, m.subject, m.attachments FROM message m WHERE m.client_id = $1 AND m.template = 'statement'
       AND m.about IN (SELECT '/api/financial/statement_emails/' || s.id FROM statement_email s WHERE s.client_id = $1 AND s.customer_id = $2) ORDER BY m.id`,
    [w.sellers.id, idOf(customer)],
  )

/** Creates a customer that was invoiced in EUR, paid, and is now invoiced in GBP. */
async function inTwoCurrencies() {
  const customer = await w.newCustomer({ currency: 'EUR' })
  const euro = await w.invoice({ customer, exchangeRate: 0.85 })
  const issued = await w.finance.post(`${euro['@id']}/issue`, {})
  expect([issued.status, issued.text]).toEqual([200, expect.anything()])
  await pay(customer, euro['@id'], { currency: 'EUR' })
  expect((await w.api.put(customer, { currency: 'GBP' })).status).toBe(200)
  const pounds = await w.issued({ customer })
  return { customer, euro: issued.body, pounds }
}

describe("a customer's statement", () => {
  test('a customer with entries in two currencies has one statement per currency, in the API and as a PDF', async () => {
    const { customer, euro, pounds } = await inTwoCurrencies()
    const own = await read(customer)
    expect(own).toMatchObject({ currency: 'GBP', currencies: ['GBP', 'EUR'], opening: 0, closing: 24_000 })
    expect(own.lines.map((l) => l.description)).toEqual([`Invoice ${pounds.number}`])
    const other = await read(customer, '?currency=EUR')
    expect(other).toMatchObject({ currency: 'EUR', closing: 0 })
    expect(other.lines.map((l) => l.amount)).toEqual(expect.arrayContaining([24_000, -24_000]))
    const words = await extractResponseText(await w.api.get(`${customer}/statement/pdf?currency=EUR`))
    expect(words).toContain('€240.00')
    expect(words).not.toContain(pounds.number)
    expect(words).toContain(euro.number)
    expect((await w.api.get(`${customer}/statement?currency=XXX`)).status).toBe(400)
  })

  test('a payment is described by its method and date, and an invoice by its number', async () => {
    const customer = await w.newCustomer()
    const { '@id': invoice, number } = await w.issued({ customer })
    await pay(customer, invoice, { amount: 10_000, reference: 'ACME 12' })
    await pay(customer, invoice, { amount: 14_000, method: 'other' })
    const [by, ...rest] = await w.finance
      .get(`/api/financial/charges?customer=${customer}`)
      .then(({ body }) => body['hydra:member'])
    await w.finance.post(`${by['@id']}/refund`, { amount: 100, reason: 'Overpaid' })
    expect(rest).toHaveLength(1)
    const said = (await read(customer)).lines.map((l) => l.description)
    expect(said).toEqual(
      expect.arrayContaining([`Invoice ${number}`, 'Bank transfer, 27 Nov (ACME 12)', 'Payment, 27 Nov']),
    )
    expect(said.join()).not.toMatch(/[Pp]ayment \d/)
  })

  test('a statement on the screen is a table with separate columns for amount and balance', () => {
    const sheet = buildCustomerStatementDocument({
      currency: 'GBP',
      currencies: ['GBP'],
      from: '2026-11-01',
      to: '2026-11-30',
      opening: 33_540,
      lines: [{ day: '2026-11-02', description: 'Invoice INV-00021', amount: 39_000, balance: 72_540 }],
      closing: 72_540,
      overdue: 0,
      supplier: { name: 'Us', address: '', companyNumber: '', vatNumber: '', telephone: '', email: '' },
      buyer: { name: 'Them', contactName: '', address: [], vatNumber: '', email: '' },
    })
    expect(sheet.isTable).toBe(true)
    expect(sheet.columns).toEqual(['Description', 'Date', 'Amount', 'Balance'])
    expect(sheet.rows[1]?.cells).toEqual(['Invoice INV-00021', '02/11/2026', '£390.00', '£725.40'])
  })
})

describe('statements by e-mail', () => {
  test('a statement is e-mailed once with one PDF per currency, and its delivery status is listed', async () => {
    const { customer } = await inTwoCurrencies()
    const { email } = (await w.api.get(customer)).body
    const sent = await w.api.post(`${customer}/send-statement`, {})
    expect([sent.status, sent.text]).toEqual([200, expect.anything()])
    expect((await w.api.post(`${customer}/send-statement`, {})).body.code).toBe('already_there')
    await w.portal.drain()
    const [mail, ...more] = await emails(customer)
    expect(more).toEqual([])
    expect(mail).toMatchObject({ recipient: email, attachments: ['Statement-in-GBP.pdf', 'Statement-in-EUR.pdf'] })
    const list = (await w.api.get(`/api/financial/statement_emails?customer=${customer}`)).body['hydra:member']
    expect(list).toMatchObject([{ recipient: email, state: 'kept', error: null }])
    expect((await w.api.post(`${customer}/send-statement`, { again: true })).status).toBe(200)
    await w.portal.drain()
    expect(await emails(customer)).toHaveLength(2)
  })

  test('a customer without transactions or an address gets no statement', async () => {
    const none = await w.api.post(`${await w.newCustomer()}/send-statement`, {})
    expect([none.status, none.body['hydra:description']]).toEqual([
      409,
      'There are no transactions on this account, so there is no statement to send.',
    ])
    expect((await w.otherStaff.post(`${await w.newCustomer()}/send-statement`, {})).status).toBe(404)
  })

  test('a month-end batch e-mails each customer with a balance once, and reports the others', async () => {
    const [owing, paid, none] = [await w.newCustomer(), await w.newCustomer(), await w.newCustomer()]
    await w.issued({ customer: owing })
    const settled = await w.issued({ customer: paid })
    await pay(paid, settled['@id'])
    const due = (await w.api.get(`${CUSTOMERS}?unsettled=true&itemsPerPage=500`)).body['hydra:member'].map(
      (c: { '@id': string }) => c['@id'],
    )
    expect([due.includes(owing), due.includes(paid), due.includes(none)]).toEqual([true, false, false])
    const ids = [owing, none].map(idOf)
    const bulk = () => w.api.post(`${CUSTOMERS}/bulk`, { action: 'sendStatement', ids, input: {} })
    const first = await bulk()
    expect([first.status, first.body.done, first.body.refused.length]).toEqual([200, [idOf(owing)], 1])
    const second = await bulk()
    expect([second.body.done, second.body.refused.map((r: { code: string }) => r.code)]).toEqual([
      [],
      expect.arrayContaining(['already_there']),
    ])
    await w.portal.drain()
    expect(await emails(owing)).toHaveLength(1)
    expect(await emails(none)).toEqual([])
  })
})
