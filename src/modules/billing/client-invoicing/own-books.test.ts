import { beforeAll, describe, expect, test } from 'vitest'
import { extractResponseText } from '#test/pdf/words.ts'
import {
  createInvoicingCustomer,
  INVOICING_CUSTOMER_ADDRESS,
  type InvoicingClientWorld,
  makeInvoicingClientWorld,
} from '#test/support/own-books.ts'
import { grantPacks, type TestApi, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const [INVOICES, QUOTES, SETTINGS] = ['invoices', 'quotes', 'invoice_settings'].map((p) => `/api/financial/${p}`) as [
  string,
  string,
  string,
]
const SITE = { description: 'Bricks laid', quantity: 2, unitAmount: 10_000 }
let w: InvoicingClientWorld
beforeAll(async () => {
  w = await makeInvoicingClientWorld()
})

const settle = async (of: InvoicingClientWorld, values: Record<string, unknown>) => {
  const made = await of.books.post(SETTINGS, values)
  expect([made.status, made.text]).toEqual([201, expect.anything()])
  return made.body['@id'] as string
}

describe('a client that invoices for itself', () => {
  test("a client's invoices are accessible only to its own invoicing staff", async () => {
    const invoice = await w.make(INVOICES, { customer: await createInvoicingCustomer(w), lines: [SITE] })
    const other = await makeInvoicingClientWorld()
    const staff = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_FINANCE'] }))
    const status = async (api: TestApi) => [(await api.get(invoice)).status, (await api.get(INVOICES)).status]
    expect(await status(w.books)).toEqual([200, 200])
    for (const api of [w.employee, w.admin]) expect(await status(api)).toEqual([403, 403])
    // Each client has separate books, so neither another client nor the provider's staff can see this invoice.
    for (const api of [other.books, staff]) {
      expect(await status(api)).toEqual([404, 200])
      expect((await api.get(`${INVOICES}?itemsPerPage=100`)).body['hydra:member']).not.toContainEqual(
        expect.objectContaining({ '@id': invoice }),
      )
      expect((await api.post(`${invoice}/issue`, {})).status).toBe(404)
    }
    expect((await w.books.get(`${INVOICES}?itemsPerPage=100`)).body['hydra:totalItems']).toBe(1)
  })

  test('client invoicing requires the invoicing pack and becomes read-only once the pack lapses', async () => {
    const of = await makeInvoicingClientWorld()
    const made = await of.make(INVOICES, { customer: await createInvoicingCustomer(of), lines: [SITE] })
    await portal.db.tx('system', (tx) => grantPacks(tx, of.client.id, [], ['invoicing']))
    const colleague = async () => of.client.as(await of.client.user({ roles: ['ROLE_INVOICING_FINANCE'] }))
    const lapsed = await colleague()
    expect((await lapsed.get(made)).status).toBe(200)
    expect((await lapsed.get(`${made}/pdf`)).status).toBe(200)
    const refused = [
      await lapsed.put(made, { notes: 'x' }),
      await lapsed.post(`${made}/issue`, {}),
      await lapsed.post(INVOICES, { lines: [] }),
    ]
    expect(refused.map((a) => [a.status, a.body.code])).toEqual(Array(3).fill([403, 'pack_lapsed']))
    await portal.db.tx('system', (tx) => grantPacks(tx, of.client.id, []))
    expect((await (await colleague()).get(INVOICES)).status).toBe(403)
  })

  test("a client's prefix and first invoice number can't be changed after its first invoice", async () => {
    const of = await makeInvoicingClientWorld()
    const settings = await settle(of, { prefix: 'KB/', firstNumber: 207, creditPrefix: 'KBC/', paymentDays: 30 })
    const customer = await createInvoicingCustomer(of)
    expect((await of.books.get(customer)).body.paymentDays).toBe(30)
    expect((await of.books.put(settings, { firstNumber: 208 })).status).toBe(200)
    const numbers = []
    for (const _ of [1, 2]) numbers.push((await of.issued({ customer, lines: [SITE] })).number)
    expect(numbers).toEqual(['KB/00208', 'KB/00209'])
    for (const change of [{ prefix: 'X' }, { firstNumber: 1 }])
      expect((await of.books.put(settings, change)).status).toBe(409)
    expect((await of.books.put(settings, { creditPrefix: 'KC/' })).status).toBe(200)
    const invoice = (await of.books.get(`${INVOICES}?number=KB/00208`)).body['hydra:member'][0]
    const credit = await of.books.post('/api/financial/credit_notes', { invoice: invoice['@id'], reason: 'Too many' })
    expect([credit.status, credit.body.number]).toEqual([201, 'KC/00001'])
    expect((await of.books.put(settings, { creditPrefix: 'Z' })).status).toBe(409)
    expect((await of.books.post(SETTINGS, {})).status).toBe(409)
  })

  test('a client that saves invoice settings after its first invoices continues their number series', async () => {
    const of = await makeInvoicingClientWorld()
    const customer = await createInvoicingCustomer(of)
    expect((await of.issued({ customer, lines: [SITE] })).number).toBe('INV-00001')
    for (const other of [{ prefix: 'KB/' }, { firstNumber: 100 }])
      expect((await of.books.post(SETTINGS, other)).status).toBe(409)
    await settle(of, { legalName: 'Kiln Bricks (York) Ltd' })
    expect((await of.issued({ customer, lines: [SITE] })).number).toBe('INV-00002')
  })

  test("a discount above a client's limit needs a second person's approval, and a client with only one user gets an error that explains what to do", async () => {
    const of = await makeInvoicingClientWorld()
    const half = await of.make('/api/financial/coupons', { name: 'Half', percentOff: 50, duration: 'once' })
    const draft = async () =>
      (
        await of.books.get(
          await of.make(QUOTES, {
            customer: await createInvoicingCustomer(of),
            sendEmail: false,
            coupon: half,
            additionalItems: [SITE],
          }),
        )
      ).body
    const send = (q: { '@id': string }) => of.books.post(`${q['@id']}/send`, {})
    expect((await send(await draft())).status).toBe(200)
    expect((await of.books.post('/api/financial/quote_settings', {})).status).toBe(201)
    const made = await draft()
    const alone = await send(made)
    expect([alone.status, alone.body.code]).toEqual([409, 'no_second_person'])
    expect(alone.body['hydra:description']).toContain(
      'Give another user the right “Invoicing and finance”, or raise the limit in the quote settings: a higher limit applies from the next day.',
    )
    expect((await of.books.post(`${made['@id']}/ask-approval`, { reason: 'x' })).body.code).toBe('no_second_person')
    const second = of.client.as(await of.client.user({ roles: ['ROLE_INVOICING_FINANCE'] }))
    expect((await send(made)).body.code).toBe('approval_needed')
    expect((await of.books.post(`${made['@id']}/ask-approval`, { reason: 'Three sites' })).status).toBe(200)
    const [one] = (await second.get('/api/financial/discount_approvals?state=waiting')).body['hydra:member']
    expect((await of.books.post(`${one['@id']}/approve`, {})).status).toBe(403)
    expect((await second.post(`${one['@id']}/approve`, {})).status).toBe(200)
    expect((await send(made)).status).toBe(200)
    const shown = async (api: TestApi) =>
      JSON.stringify((await api.get('/api/portal/navigations')).body).includes('/invoice/approvals')
    expect([await shown(second), await shown(of.employee)]).toEqual([true, false])
  })

  test.each([
    ['prefix', 'A B'],
    ['firstNumber', 0],
    ['sortCode', '12345'],
    ['accountNumber', 'x'],
    ['iban', '12'],
    ['paymentDays', 400],
    ['creditPrefix', 'INV-'],
  ])('invoice settings with %s set to %s are rejected', async (name, value) => {
    const said = await w.books.post(SETTINGS, { [name]: value })
    expect([said.status, said.body.violations?.map((v: { propertyPath: string }) => v.propertyPath)]).toEqual([
      422,
      [name],
    ])
  })

  test('a client charges no VAT until it is registered, and then its default rate', async () => {
    const of = await makeInvoicingClientWorld()
    await settle(of, { taxCode: 'reduced', legalName: 'Kiln Bricks (York) Limited' })
    const rates = (await of.books.get('/api/financial/tax_rates?itemsPerPage=100')).body['hydra:member']
    expect(rates).toHaveLength(6)
    const customer = await createInvoicingCustomer(of)
    const free = await of.issued({ customer, lines: [SITE] })
    expect([free.tax, free.total, free.lines[0].taxCode, free.supplier.name]).toEqual([
      0,
      20_000,
      'outside',
      'Kiln Bricks (York) Limited',
    ])
    await of.admin.put(of.client.iri, { vatNumber: 'GB 987 6543 53' })
    const charged = await of.issued({ customer, lines: [SITE] })
    expect([charged.tax, charged.lines[0].taxCode]).toEqual([1000, 'reduced'])
  })

  test("a client's documents show its bank details, and its e-mails name it as the sender", async () => {
    const of = await makeInvoicingClientWorld()
    await settle(of, { accountName: 'Kiln Bricks', sortCode: '01-02-03', accountNumber: '12345678' })
    const issued = await of.issued({ customer: await createInvoicingCustomer(of), lines: [SITE] })
    const words = await extractResponseText(await of.books.get(`${issued['@id']}/pdf`))
    expect(words).toContain('Sort code 01-02-03')
    expect(words).toContain('Account number 12345678')
    await portal.drain()
    const [letter] = await of.sql(
      'SELECT from_name, reply_to, subject, attachments FROM message WHERE client_id = $1 ORDER BY id DESC LIMIT 1',
      [of.client.id],
    )
    const { company } = (await of.admin.get(of.client.iri)).body
    expect(letter).toEqual({
      from_name: company.replaceAll(/\.(?=\S)/g, ' '),
      reply_to: 'office@kiln.example',
      subject: `Your invoice ${issued.number} from ${company}`,
      attachments: [`${issued.number}.pdf`],
    })
  })

  test("an invoice isn't issued if its e-mail would exceed the client's daily limit", async () => {
    const of = await makeInvoicingClientWorld()
    await of.sql('UPDATE client SET letters_per_day = 1 WHERE id = $1', [of.client.id])
    const customer = await createInvoicingCustomer(of)
    await of.issued({ customer, lines: [SITE] })
    const second = await of.make(INVOICES, { customer, lines: [SITE] })
    const refused = await of.books.post(`${second}/issue`, {})
    expect([refused.status, (await of.books.get(second)).body.state]).toEqual([429, 'draft'])
  })
})

describe("a client's quote", () => {
  const sent = async (of: InvoicingClientWorld, lines: Record<string, unknown>) => {
    const quote = await of.make(QUOTES, { customer: await createInvoicingCustomer(of), ...lines })
    const answer = await of.books.post(`${quote}/send`, {})
    expect([answer.status, answer.text]).toEqual([200, expect.anything()])
    const { body } = await of.books.post(`${quote}/link`, {})
    return { quote, token: String(body.link).split('/').at(-1) as string }
  }
  const signature = { signature: { method: 'typed', name: 'Ann Builder' } }

  test("a client's quote accepted in several windows creates one invoice, whose payment can be recorded manually", async () => {
    const of = await makeInvoicingClientWorld()
    const { quote, token } = await sent(of, { additionalItems: [SITE] })
    const at = `/api/financial/acceptances/${token}`
    const answers = await Promise.all([1, 2, 3].map(() => portal.anonymous.post(`${at}/accept`, signature)))
    expect(answers.map((a) => a.status)).toEqual([200, 200, 200])
    const { 'hydra:member': made } = (await of.books.get(`${INVOICES}?quote=${quote}`)).body
    expect(made).toMatchObject([{ state: 'open', total: 20_000, number: 'INV-00001' }])
    await portal.drain()
    // The author is notified in their own tenant, with a link to the quote.
    const notices = (await of.books.get('/api/portal/notices/inbox')).body['hydra:member']
    expect(notices).toMatchObject([{ path: `/invoice/quote/view/${quote.split('/').at(-1)}` }])

    const pay = {
      customer: made[0].customer['@id'],
      invoice: made[0]['@id'],
      method: 'bank',
      amount: 20_000,
      amountDue: 20_000,
      receivedAt: new Date().toISOString(),
    }
    const paid = await of.books.post('/api/financial/charges', pay)
    expect([paid.status, paid.text]).toEqual([201, expect.anything()])
    expect((await of.books.get(made[0]['@id'])).body).toMatchObject({ state: 'paid', amountDue: 0 })
    const sums = await of.sql<{ account: string; sum: string }>(
      'SELECT account, sum(amount) AS sum FROM ledger_entry WHERE client_id = $1 GROUP BY account ORDER BY account',
      [of.client.id],
    )
    expect(sums.filter(({ sum }) => Number(sum)).map(({ account, sum }) => [account, Number(sum)])).toEqual([
      ['bank', 20_000],
      ['sales', -20_000],
    ])
    const statement = await of.books.get(`${made[0].customer['@id']}/statement`)
    expect([statement.status, statement.body.closing]).toEqual([200, 0])
  })

  test("a client's quote has no owner among the provider's staff", async () => {
    const { quote } = await sent(w, { additionalItems: [SITE] })
    expect((await w.books.get(quote)).body.owner).toBeNull()
    expect(await w.sql('SELECT FROM staff WHERE client_id = $1', [w.client.id])).toEqual([])
  })
})

describe('the provider’s payment service', () => {
  test("the provider's payment service takes no payments for a client", async () => {
    const of = await makeInvoicingClientWorld()
    const customer = await createInvoicingCustomer(of)
    await settle(of, { accountNumber: '12345678', sortCode: '010203' })
    const { '@id': invoice } = await of.issued({ customer, lines: [SITE] })
    for (const path of ['/api/financial/cards', '/api/financial/cards/setup'])
      expect((await of.books.post(path, { customer, card: 'tok_1' })).status).toBe(403)
    const card = { customer, invoice, card: null, method: 'card', amount: 20_000 }
    expect((await of.books.post('/api/financial/charges', card)).status).toBe(409)

    const { url } = (await of.books.post(`${invoice}/pay-link`, {})).body
    const page = `/api/financial/payments/${String(url).split('/').at(-1)}`
    const shown = (await portal.anonymous.get(page)).body
    expect([shown.card, shown.bank]).toEqual([
      false,
      ['Sort\u00a0code\u00a0010203', 'Account\u00a0number\u00a012345678'],
    ])
    expect((await portal.anonymous.post(`${page}/card`, {})).status).toBe(409)
    expect((await portal.anonymous.post(`${page}/pay`, { card: 'tok_1', amountDue: 20_000 })).status).toBe(409)
    expect(await of.sql('SELECT FROM charge WHERE client_id = $1', [of.client.id])).toEqual([])
  })

  test("clients can't link customers to portal clients or create the applications that give access to packs", async () => {
    const of = await makeInvoicingClientWorld()
    const customer = await createInvoicingCustomer(of, {
      client: of.client.iri,
      metadata: { company_name: 'We', client_id: of.client.id },
    })
    expect((await of.books.put(customer, { client: of.client.iri })).status).toBe(200)
    expect((await of.books.get(customer)).body.client).toBeNull()
    const product = await of.make('/api/financial/products', { name: 'Everything' })
    const application = { name: 'Safety', code: 'safety', product }
    expect((await of.books.post('/api/financial/applications', application)).status).toBe(403)
    for (const path of ['customers/batch', 'customers/from', 'test_clock', 'webhook_events'])
      expect((await of.books.post(`/api/financial/${path}`, {})).status, path).toBeGreaterThanOrEqual(403)
  })
})

test("the provider's own invoices and quotes print its bank details", async () => {
  const boss = portal.provider.as(
    await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_FINANCE', 'ROLE_BILLING_ADMIN'] }),
  )
  const [known] = (await boss.get(SETTINGS)).body['hydra:member']
  const bank = { accountNumber: '87654321', sortCode: '04-05-06' }
  const kept = known ? await boss.put(known['@id'], bank) : await boss.post(SETTINGS, bank)
  expect([kept.status, kept.text]).toEqual([known ? 200 : 201, expect.anything()])
  const customer = await boss.post('/api/financial/customers', {
    email: `p.${process.pid}@buyer.example`,
    metadata: { company_name: 'A buyer' },
    ...INVOICING_CUSTOMER_ADDRESS,
  })
  const draft = await boss.post(INVOICES, { customer: customer.body['@id'], lines: [SITE] })
  expect(draft.body.supplier.bank).toMatchObject(bank)
  await boss.put(kept.body['@id'], { accountNumber: '', sortCode: '' })
})
