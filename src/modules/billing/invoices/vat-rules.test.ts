import { beforeAll, describe, expect, test } from 'vitest'
import { buildInvoiceDocument } from '#modules/billing/invoices/paper.ts'
import { extractResponseText } from '#test/pdf/words.ts'
import { type InvoiceWorld, makeInvoiceWorld } from '#test/support/invoices.ts'
import { renderQueuedEmails } from '#test/support/letters.ts'

let w: InvoiceWorld
beforeAll(async () => {
  w = await makeInvoiceWorld()
})

const said = ({ body }: { body: { 'hydra:description'?: string } }) => body['hydra:description'] ?? ''
const LINE = { description: 'Site visit', quantity: 1, unitAmount: 50_000 }
const draftFor = (customer: string, values: Record<string, unknown> = {}) =>
  w.invoice({ customer, lines: [LINE], ...values })
const problemsOf = async (iri: string, query = '') =>
  (await w.finance.get(`${iri}/preview${query}`)).body.problems.map((p: { message: string }) => p.message).join(' ')
const issue = (iri: string, body: Record<string, unknown> = {}) => w.finance.post(`${iri}/issue`, body)

describe('addresses on a VAT invoice', () => {
  test('a VAT invoice above £250 is issued only to an address with street and postcode', async () => {
    const half = await w.newCustomer({ address1: '', postcode: '', city: 'Sheffield', county: 'South Yorkshire' })
    const { '@id': iri } = await draftFor(half)
    expect(await problemsOf(iri)).toContain('street and postcode')
    const refused = await issue(iri)
    expect([refused.status, said(refused)]).toEqual([422, expect.stringContaining('street and postcode')])
    await w.api.patch(half, { address1: '9 Forge Street' })
    expect(await problemsOf(iri)).toContain('needs the customer’s full address, with postcode')
    await w.api.patch(half, { postcode: 'S1 2AB' })
    expect((await issue(iri)).body.state).toBe('open')
  })

  test('a VAT invoice up to £250 needs no customer address', async () => {
    const half = await w.newCustomer({ address1: '', postcode: '', city: '' })
    const { '@id': iri } = await draftFor(half, { lines: [{ ...LINE, unitAmount: 20_000 }] })
    expect((await issue(iri)).status).toBe(200)
  })

  test('an address abroad needs a street and town, but no postcode', async () => {
    const abroad = await w.newCustomer({ address1: '', city: 'Dubai', postcode: '', country: 'AE' })
    const { '@id': iri } = await draftFor(abroad)
    expect(await problemsOf(iri)).toContain('needs the customer’s full address, with street.')
    await w.api.patch(abroad, { address1: '1 Creek Road' })
    expect((await issue(iri)).status).toBe(200)
  })

  test("a VAT invoice needs the seller's street and postcode", async () => {
    const { '@id': iri } = await draftFor(await w.newCustomer())
    const set = (postcode: string) => w.sql('UPDATE client SET postcode = $2 WHERE id = $1', [w.sellers.id, postcode])
    await set('')
    const answer = await issue(iri)
    await set('LS1 1AA')
    expect([answer.status, said(answer)]).toEqual([422, expect.stringContaining('your company’s postcode')])
  })

  test('the customer completes the address on acceptance, and the invoice is then issued to that address', async () => {
    const half = await w.newCustomer({ address1: '', postcode: '', city: 'Sheffield' })
    const signature = { name: 'Ann Carter', method: 'typed' }
    const sold = async (billingAddress?: object) => {
      const { quote, token } = await w.sent({ customer: half, additionalItems: [LINE] })
      const at = `/api/financial/acceptances/${token}`
      const { asksAddress } = (await w.portal.anonymous.get(at)).body
      const answer = await w.portal.anonymous.post(`${at}/accept`, { signature, billingAddress })
      const { body } = await w.api.get(`/api/financial/invoices?quote=${quote.id}`)
      const [made] = body['hydra:member']
      return { asksAddress, status: answer.status, state: made.state, iri: made['@id'] }
    }
    const without = await sold()
    expect(without).toMatchObject({ asksAddress: { postcode: true }, status: 200, state: 'draft' })
    expect(await problemsOf(without.iri)).toContain('street and postcode')
    const odd = await sold({ address1: 7, postcode: 'x'.repeat(5000) })
    expect(odd).toMatchObject({ status: 200, state: 'draft' })
    const complete = { address1: '9 Forge Street', city: 'Sheffield', postcode: 'S1 2AB' }
    expect(await sold(complete)).toMatchObject({ status: 200, state: 'open' })
    // A complete address is not requested, and the holder of a link can't change it.
    const later = await sold({ ...complete, address1: '1 Elsewhere' })
    expect(later).toMatchObject({ asksAddress: null, state: 'open' })
    expect((await w.api.get(half)).body).toMatchObject(complete)
  })
})

describe('VAT numbers', () => {
  test("a customer's VAT number is stored normalised with the date of its check, and refused with wrong check digits", async () => {
    const buyer = await w.newCustomer({ vatNumber: 'gb123456782' })
    const { body } = await w.api.get(buyer)
    expect([body.vatNumber, body.vatNumberCheckedOn]).toEqual(['GB 123 4567 82', expect.stringMatching(/^\d{4}-/)])
    for (const answer of [
      await w.api.patch(buyer, { vatNumber: 'GB 123 4567 89' }),
      await w.api.put(buyer, { vatNumber: 'nonsense' }),
      await w.api.post('/api/financial/customers', { email: 'a@b.example', vatNumber: 'DE123456789', country: 'DE' }),
    ])
      expect([answer.status, answer.body.violations[0].propertyPath]).toEqual([422, 'vatNumber'])
    await w.api.patch(buyer, { country: 'AE', vatNumber: '100 2003 003' })
    expect((await w.api.get(buyer)).body.vatNumberCheckedOn).toBeNull()
  })

  test("the seller's VAT number is stored normalised with the date of its check, and refused with wrong check digits", async () => {
    const boss = w.sellers.as(await w.sellers.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
    const refused = await boss.put(w.sellers.iri, { vatNumber: 'GB 123 4567 89' })
    expect([refused.status, refused.body.violations[0].propertyPath]).toEqual([422, 'vatNumber'])
    const { body } = await boss.put(w.sellers.iri, { vatNumber: 'GB123456727' })
    expect([body.vatNumber, body.vatNumberCheckedOn]).toEqual(['GB 123 4567 27', expect.stringMatching(/^\d{4}-/)])
  })

  test("a reverse-charge invoice is not issued if the customer's stored VAT number is invalid", async () => {
    const buyer = await w.newCustomer()
    const { '@id': iri } = await draftFor(buyer, { lines: [{ ...LINE, taxCode: 'reverse' }] })
    expect(await problemsOf(iri)).toContain('requires the customer’s VAT number')
    await w.sql("UPDATE customer SET vat_number = 'nonsense' WHERE id = $1", [buyer.split('/').at(-1)])
    expect((await w.api.get(buyer)).body.vatNumber).toBe('nonsense')
    expect((await w.api.patch(buyer, { poNumber: 'PO 1', vatNumber: 'nonsense' })).status).toBe(200)
    expect(await problemsOf(iri)).toContain('requires a correct VAT number')
    expect((await issue(iri)).status).toBe(422)
    await w.api.patch(buyer, { vatNumber: 'GB 987 6543 53' })
    expect((await issue(iri)).status).toBe(200)
  })

  test("a VAT invoice is not issued if the seller's stored VAT number is invalid", async () => {
    const { '@id': iri } = await draftFor(await w.newCustomer())
    const set = (vat: string) => w.sql('UPDATE client SET vat_number = $2 WHERE id = $1', [w.sellers.id, vat])
    await set('GB 123 4567 89')
    const answer = await issue(iri)
    await set('GB 123 4567 82')
    expect([answer.status, said(answer)]).toEqual([422, expect.stringContaining('check digits')])
  })
})

describe('the reverse charge', () => {
  const VAT = { vatNumber: 'GB 987 6543 53' }
  const lines = [
    { ...LINE, unitAmount: 10_000, taxCode: 'reverse' },
    { ...LINE, unitAmount: 2010, taxCode: 'reverse', reverseCode: 'reduced' },
  ]
  const pdf = async (iri: string) => extractResponseText(await w.finance.get(`${iri}/pdf`))

  test('a reverse-charge invoice states, outside its total, the rate and amount of VAT that the customer accounts for', async () => {
    const made = await w.issued({ customer: await w.newCustomer(VAT), lines })
    expect(made).toMatchObject({ net: 12_010, tax: 0, total: 12_010, amountDue: 12_010 })
    expect(made.lines.map((l: { reversePercent: number }) => l.reversePercent)).toEqual([20, 5])
    expect(made.totals.reverseCharge).toEqual([
      { percent: 20, net: 10_000, tax: 2000 },
      { percent: 5, net: 2010, tax: 101 },
    ])
    expect(made.totals.taxByRate).toEqual([{ code: 'reverse', percent: 0, net: 12_010, tax: 0 }])
    const words = await pdf(made['@id'])
    expect(words).toContain('accounts to HMRC for VAT of £20.00, 20% on £100.00')
    expect(words).toContain('accounts to HMRC for VAT of £1.01, 5% on £20.10')
    expect(await w.entries(made.id)).toEqual({ receivable: 12_010, sales: -12_010 })
    const note = await w.finance.post('/api/financial/credit_notes', {
      invoice: made['@id'],
      reason: 'Not done',
      lines: [{ line: made.lines[1]['@id'], quantity: 1 }],
    })
    expect([note.status, note.body.totals.reverseCharge]).toEqual([201, [{ percent: 5, net: 2010, tax: 101 }]])
    expect(await pdf(note.body['@id'])).toContain('accounts to HMRC for VAT of £1.01, 5% on £20.10')
  })

  test('a reverse-charge invoice to a customer abroad states no UK rate', async () => {
    const abroad = await w.newCustomer({ country: 'DE', vatNumber: 'DE136695976', city: 'Ulm' })
    const made = await w.issued({ customer: abroad, lines })
    expect(made.lines.map((l: { reversePercent: null }) => l.reversePercent)).toEqual([null, null])
    expect(made.totals.reverseCharge).toBeUndefined()
    expect(await pdf(made['@id'])).toContain('the customer accounts for the VAT on £120.10')
  })
})

test('the lines of a discounted invoice add up to its subtotal, from which the discount is deducted once', async () => {
  const made = await w.issued({
    percentOff: 50,
    lines: [
      { ...LINE, unitAmount: 2900 },
      { ...LINE, unitAmount: 38_000, discountable: false },
    ],
  })
  expect(made).toMatchObject({ subtotal: 40_900, discount: 1450, net: 39_450, tax: 7890, total: 47_340 })
  const { columns, rows, sums, totals } = buildInvoiceDocument(made)
  expect(columns.at(-1)).toBe('Before discount')
  expect(rows.map(({ cells, under }) => [cells.at(-1), under])).toEqual([
    ['£29.00', 'Discount £14.50, £14.50 after discount'],
    ['£380.00', ''],
  ])
  expect([...sums, ...totals].map(([, value]) => value)).toEqual(['£409.00', '−£14.50', '£394.50', '£78.90', '£473.40'])
})

describe('tax points', () => {
  const daysAgo = (days: number) => Temporal.Now.plainDateISO('Europe/London').subtract({ days }).toString()
  const today = daysAgo(0)
  const issuedFor = async (supplied: string) => {
    const { '@id': iri } = await draftFor(await w.newCustomer())
    const { warnings } = (await w.finance.get(`${iri}/preview?taxPoint=${supplied}`)).body
    const { taxPoint, suppliedOn } = (await issue(iri, { taxPoint: supplied })).body
    return { taxPoint, suppliedOn, warnings: warnings.map((one: { message: string }) => one.message).join() }
  }

  test('an invoice issued within 14 days of the supply has its own date as the tax point, and a later one the date of the supply', async () => {
    expect(await issuedFor(daysAgo(14))).toEqual({ taxPoint: today, suppliedOn: daysAgo(14), warnings: '' })
    expect(await issuedFor(daysAgo(15))).toEqual({ taxPoint: daysAgo(15), suppliedOn: null, warnings: '' })
    expect((await issuedFor(daysAgo(31))).warnings).toContain('31 days after the supply')
  })

  test('the tax point is the date of the supply if the seller has opted out of the 14-day rule', async () => {
    const boss = w.sellers.as(await w.sellers.user({ roles: ['ROLE_STAFF', 'ROLE_BILLING_ADMIN'] }))
    const { status, body } = await boss.post('/api/financial/invoice_settings', { basicTaxPoint: true })
    expect(status).toBe(201)
    expect(await issuedFor(daysAgo(3))).toEqual({ taxPoint: daysAgo(3), suppliedOn: null, warnings: '' })
    await boss.put(body['@id'], { basicTaxPoint: false })
  })
})

test('finance staff see each payment received before an invoice, minus the amount already owed', async () => {
  const customer = await w.newCustomer()
  const { body } = await w.api.get(customer)
  await w.issued({ customer, lines: [{ ...LINE, unitAmount: 10_000 }] })
  const paymentReceivedDate = new Date().toISOString()
  const paid = await w.finance.post(`${customer}/balance`, { change: -20_000, paymentReceivedDate })
  expect(paid.status).toBe(200)
  const url = '/api/financial/ledger/deposits'
  expect((await w.api.get(url)).status).toBe(403)
  const { lines } = (await w.finance.get(url)).body
  expect(lines.filter((one: { customer: string }) => one.customer === customer)).toMatchObject([
    { company: body.billingName, currency: 'GBP', amount: 8000 },
  ])
})

test("a quote's signature is stored with its link, the link's creator and addressee, and a digest of the quote", async () => {
  const { quote, token } = await w.sent()
  const signature = { name: 'Ann Carter', method: 'typed', link: 7, linkAuthor: 'Forged', digest: 'x' }
  await w.portal.anonymous.post(`/api/financial/acceptances/${token}/accept`, { signature })
  const signed = (await w.api.get(quote['@id'])).body.signature
  expect(signed).toMatchObject({
    name: 'Ann Carter',
    linkAuthor: 'sam',
    linkAddressee: '',
    link: Number(token.split('-')[1]),
  })
  expect(signed.digest).toMatch(/^[0-9a-f]{64}$/)
  const emailed = await w.draft({ plans: [{ plan: w.plan }], emailTo: 'ann@acme.example' })
  await w.api.post(`${emailed['@id']}/send`, {})
  const [mail] = (await renderQueuedEmails(w.portal, w.person.clientId)).filter((one) =>
    one.subject.includes(emailed.reference),
  )
  const [, link] = /\/quote\/(\S+)/.exec(mail?.body ?? '') ?? []
  await w.portal.anonymous.post(`/api/financial/acceptances/${link}/accept`, { signature })
  const other = (await w.api.get(emailed['@id'])).body.signature
  expect(other).toMatchObject({ linkAuthor: 'sam', linkAddressee: 'ann@acme.example' })
  expect(other.digest).not.toBe(signed.digest)
})

test("every invoice in a month uses that month's exchange rate and names its source", async () => {
  const customer = await w.newCustomer({ currency: 'USD' })
  const month = Temporal.Now.plainDateISO('Europe/London').toString()
  const rates = '/api/financial/exchange_rates'
  expect((await w.api.post(rates, { currency: 'USD', month, rate: 1.3 })).status).toBe(403)
  const rate = await w.finance.post(rates, { currency: 'USD', month, rate: 1.3, source: 'hmrc' })
  expect([rate.status, rate.body.month]).toEqual([201, `${month.slice(0, 7)}-01`])
  expect((await w.finance.post(rates, { currency: 'USD', month, rate: 1.4 })).status).toBe(422)
  expect((await w.finance.post(rates, { currency: 'GBP', month, rate: 1 })).status).toBe(422)
  const next = Temporal.PlainDate.from(month).add({ months: 1 }).toString()
  const future = await w.finance.post(rates, { currency: 'USD', month: next, rate: 1.3, source: 'hmrc' })
  expect([future.status, said(future)]).toEqual([422, expect.stringContaining('has not begun')])
  const ahead = await w.finance.post(rates, { currency: 'USD', month: next, rate: 1.3 })
  expect(ahead.status).toBe(201)
  expect((await w.finance.patch(ahead.body['@id'], { source: 'hmrc' })).status).toBe(422)
  const { '@id': iri } = await draftFor(customer)
  for (const answer of [await w.api.put(iri, { exchangeRate: 1.29 }), await w.api.patch(iri, { exchangeRate: 1.29 })])
    expect([answer.status, said(answer)]).toEqual([422, expect.stringContaining('1.3 (HMRC’s monthly rate)')])
  expect((await issue(iri)).body).toMatchObject({ exchangeRate: 1.3, sterlingTax: 7692 })
  expect((await w.finance.patch(rate.body['@id'], { rate: 1.31 })).status).toBe(409)
  // If a month has no rate, the rate entered on its first invoice becomes the month's rate.
  const euros = await w.newCustomer({ currency: 'EUR' })
  await issue((await draftFor(euros, { exchangeRate: 1.2 }))['@id'])
  const { body } = await w.api.get(`${rates}?currency=EUR`)
  expect(body['hydra:member']).toMatchObject([{ rate: 1.2, source: 'invoice' }])
})

test('a VAT rate used on an issued invoice can be superseded but not changed', async () => {
  const values = { name: 'Standard', code: 'standard', percent: 20, from: '2011-01-04' }
  const rate = await w.make('/api/financial/tax_rates', values)
  const reduced = await w.make('/api/financial/tax_rates', { ...values, name: 'Reduced', code: 'reduced', percent: 5 })
  await w.issued()
  for (const change of [{ percent: 21 }, { from: '2012-01-01' }, { code: 'reduced' }]) {
    expect([change, (await w.api.patch(rate, change)).status]).toEqual([change, 409])
    expect([change, (await w.api.put(rate, change)).status]).toEqual([change, 409])
  }
  expect((await w.api.patch(rate, { name: 'Standard rate' })).status).toBe(200)
  await w.make('/api/financial/tax_rates', { ...values, percent: 22, from: '2099-01-01' })
  expect((await w.api.get(reduced)).status).toBe(200)
})

test('payment terms of more than 60 days need a recorded agreement', async () => {
  const buyer = await w.newCustomer({ paymentDays: 60 })
  const later = Temporal.Now.plainDateISO('Europe/London').add({ days: 62 }).toString()
  const refused = await w.api.patch(buyer, { paymentDays: 61 })
  expect([refused.status, said(refused)]).toEqual([422, expect.stringContaining('need an agreement')])
  expect((await w.api.post('/api/financial/invoices', { customer: buyer, lines: [LINE], dueOn: later })).status).toBe(
    422,
  )
  const issued = await w.issued({ customer: buyer })
  for (const answer of [
    await w.finance.patch(issued['@id'], { dueOn: later }),
    await w.finance.put(issued['@id'], { dueOn: later }),
  ])
    expect([answer.status, said(answer)]).toEqual([422, expect.stringContaining('need an agreement')])
  const agreed = { paymentDays: 90, longTermsAgreed: 'E-mail from Ann Carter, 3 March 2026' }
  expect((await w.api.patch(buyer, agreed)).body).toMatchObject(agreed)
  expect((await w.api.patch(buyer, { longTermsAgreed: '' })).status).toBe(422)
  expect((await w.issued({ customer: buyer, dueOn: later })).dueOn).toBe(later)
  expect((await w.finance.patch(issued['@id'], { dueOn: later })).body.dueOn).toBe(later)
  const settings = await w.api.get('/api/financial/invoice_settings')
  const [own] = settings.body['hydra:member']
  expect((await w.api.patch(own['@id'], { paymentDays: 61 })).status).toBe(422)
})

test("changing a line's VAT type applies the rate of the new type", async () => {
  const made = await w.invoice({ lines: [{ ...LINE, taxCode: 'reduced' }] })
  const [line] = made.lines
  expect(line.taxPercent).toBe(5)
  const { body } = await w.api.put(made['@id'], { lines: [{ ...line, taxCode: 'standard' }] })
  expect([body.lines[0].taxCode, body.lines[0].taxPercent]).toEqual(['standard', 20])
})
