import { beforeAll, describe, expect, test } from 'vitest'
import { findLedgerInconsistencies } from '#modules/billing/ledger/command.server.ts'
import { moveClock } from '#server/engine/clock.ts'
import { extractResponseText } from '#test/pdf/words.ts'
import { type InvoiceWorld, makeInvoiceWorld } from '#test/support/invoices.ts'

let w: InvoiceWorld
beforeAll(async () => {
  w = await makeInvoiceWorld()
})

const said = ({ body }: { body: { 'hydra:description'?: string } }) => body['hydra:description'] ?? ''
const idOf = (iri: string) => Number(iri.split('/').at(-1))

describe('a draft invoice', () => {
  test('a draft invoice has catalogue prices and VAT by line, calculated by the server, but no number', async () => {
    const made = await w.invoice({
      lines: [
        { plan: w.plan, quantity: 2, unitAmount: 1 },
        { description: 'Half a day', quantity: 0.5, unitAmount: 33_333, taxCode: 'reduced' },
        { description: 'A booklet', quantity: 1, unitAmount: 500, taxCode: 'zero' },
      ],
    })
    expect(made).toMatchObject({ state: 'draft', number: '', net: 26_167, tax: 2633, total: 28_800, amountDue: 0 })
    expect(made.lines.map((l: Record<string, unknown>) => [l.net, l.tax, l.taxCode, l.taxPercent])).toEqual([
      [9000, 1800, 'standard', 20],
      [16_667, 833, 'reduced', 5],
      [500, 0, 'zero', 0],
    ])
    expect(made.supplier.vatNumber).toBe('GB 123 4567 82')
    expect(made.buyer.address).toEqual(['1 Mill Lane', 'Leeds', 'LS1 1AA'])
  })

  test("a draft invoice uses an item's catalogue price, even if the request contains another", async () => {
    const made = await w.invoice({ lines: [{ plan: w.plan, quantity: 1 }] })
    const lines = made.lines.map((l: object) => ({ ...l, unitAmount: 1 }))
    const { body } = await w.api.put(made['@id'], { lines })
    expect(body.lines[0].unitAmount).toBe(4500)
  })

  test('errors in a draft invoice are reported on their fields', async () => {
    const post = (values: object) => w.api.post('/api/financial/invoices', { customer: w.customer, ...values })
    const line = { description: 'X', quantity: 1, unitAmount: 100 }
    expect(said(await post({ lines: [{ ...line, from: '2026-02-01' }] }))).toContain('lines[0].to')
    expect(said(await post({ lines: [line], percentOff: 10, amountOff: 100 }))).toContain('amountOff')
    expect(said(await post({ lines: [line], currency: 'EUR' }))).toContain('currency')
    expect((await post({ lines: [{ ...line, quantity: 0 }] })).status).toBe(422)
    expect((await post({ lines: [{ ...line, quantity: 1e15 }] })).status).toBe(422)
    expect((await post({ lines: [{ ...line, unitAmount: 'NaN' }] })).status).toBe(400)
  })

  test("a draft invoice can be deleted, but an issued one can't", async () => {
    const made = await w.invoice()
    expect((await w.api.delete(made['@id'])).status).toBe(204)
    const issued = await w.issued()
    expect((await w.api.delete(issued['@id'])).status).toBe(409)
    expect((await w.api.get(issued['@id'])).status).toBe(200)
  })

  test('a draft invoice has no VAT if the seller is not registered for VAT', async () => {
    const change = (vat: string) => w.sql('UPDATE client SET vat_number = $2 WHERE id = $1', [w.sellers.id, vat])
    await change('')
    const made = await w.invoice()
    await change('GB 123 4567 82')
    expect([made.tax, made.lines[0].taxCode]).toEqual([0, 'outside'])
  })
})

describe('issuing an invoice', () => {
  test('issuing an invoice assigns the next number, posts the invoice to the ledger and locks it', async () => {
    const buyer = await w.newCustomer()
    const issued = await w.issued({ customer: buyer })
    expect(issued).toMatchObject({ state: 'open', total: 24_000, amountDue: 24_000 })
    expect(issued.number).toMatch(/^INV-\d{5}$/)
    expect(Temporal.PlainDate.from(issued.date).add({ days: 14 }).toString()).toBe(issued.dueOn)
    expect(await w.entries(issued.id)).toEqual({ receivable: 24_000, sales: -20_000, vat: -4000 })
    expect(await w.balance(buyer)).toBe(24_000)
    expect((await w.finance.post(`${issued['@id']}/issue`, {})).status).toBe(409)
  })

  test('only finance staff can issue invoices', async () => {
    const { '@id': iri } = await w.invoice()
    expect((await w.api.post(`${iri}/issue`, {})).status).toBe(403)
    expect((await w.outsider.post(`${iri}/issue`, {})).status).toBe(403)
    expect((await w.otherStaff.get(iri)).status).toBe(404)
  })

  test('no endpoint can change an issued invoice, except its note, purchase order and due date', async () => {
    const issued = await w.issued()
    const iri = issued['@id']
    const later = Temporal.PlainDate.from(issued.dueOn).add({ days: 7 }).toString()
    const changed = await w.finance.put(iri, { notes: 'Thank you', poNumber: 'PO 7', dueOn: later })
    expect([changed.status, changed.body.notes, changed.body.dueOn]).toEqual([200, 'Thank you', later])
    expect((await w.finance.put(iri, { dueOn: issued.dueOn })).status).toBe(409)
    expect((await w.finance.put(iri, { dueOn: null })).status).toBe(409)
    expect((await w.api.put(iri, { dueOn: '2030-01-01' })).status).toBe(403)
    // Sending the record back unchanged is accepted.
    expect((await w.finance.put(iri, changed.body)).status).toBe(200)
    for (const change of [{ currency: 'EUR' }, { percentOff: 5 }, { lines: [] }, { customer: await w.newCustomer() }]) {
      expect([change, (await w.finance.put(iri, change)).status]).toEqual([change, 409])
      expect([change, (await w.finance.patch(iri, change)).status]).toEqual([change, 409])
    }
  })

  test("an issued invoice can't be changed by SQL", async () => {
    const { id } = await w.issued()
    const refused = (sql: string) => expect(w.sql(sql, [w.sellers.id, id])).rejects.toThrow(/stand/)
    await refused('UPDATE invoice SET total = 1, net = 1, tax = 0, subtotal = 1 WHERE client_id = $1 AND id = $2')
    await refused("UPDATE invoice SET state = 'draft', number = '' WHERE client_id = $1 AND id = $2")
    await refused('UPDATE invoice SET due_on = due_on - 1 WHERE client_id = $1 AND id = $2')
    await refused('DELETE FROM invoice WHERE client_id = $1 AND id = $2')
    await refused('UPDATE invoice_line SET net = 1, amount = 1 WHERE client_id = $1 AND invoice_id = $2')
    await refused('DELETE FROM invoice_line WHERE client_id = $1 AND invoice_id = $2')
    await refused(
      "INSERT INTO invoice_line (client_id, invoice_id, description, quantity, unit_amount) VALUES ($1, $2, 'x', 1, 1)",
    )
  })

  test('the database rejects an issued invoice that is not posted to the ledger or does not add up', async () => {
    const { id } = await w.invoice()
    const issue = (more: string) =>
      w.sql(
        `UPDATE invoice SET state = 'open', number = 'INV-X', date = '2026-01-01', tax_point = '2026-01-01', due_on = '2026-01-01',
           issued_at = portal_now(), amount_due = total ${more} WHERE client_id = $1 AND id = $2`,
        [w.sellers.id, id],
      )
    await expect(issue('')).rejects.toThrow('posted')
    await expect(issue(', subtotal = subtotal + 5, net = net + 5, total = total + 5')).rejects.toThrow(
      /violates check constraint/,
    )
  })

  test('issuing an invoice with missing mandatory details is rejected and uses no number', async () => {
    const nameless = await w.newCustomer({ billingName: '', metadata: {} })
    const addressless = await w.newCustomer({ address1: '', city: '', postcode: '' })
    const cases: [Record<string, unknown>, string][] = [
      [{ lines: [] }, 'at least one line'],
      [{ customer: nameless }, 'name'],
      [{ customer: addressless, lines: [{ description: 'X', quantity: 1, unitAmount: 25_000 }] }, 'address'],
      [{ lines: [{ description: 'X', quantity: 1, unitAmount: 100, taxCode: 'reverse' }] }, 'VAT number'],
      [{ lines: [{ description: 'X', quantity: 1, unitAmount: -100 }] }, 'negative'],
    ]
    const before = await w.issued()
    for (const [values, words] of cases) {
      const { '@id': iri } = await w.invoice(values)
      const answer = await w.finance.post(`${iri}/issue`, {})
      expect([words, answer.status, said(answer)]).toEqual([words, 422, expect.stringContaining(words)])
    }
    const after = await w.issued()
    expect(idOf(`/${after.number.slice(4)}`)).toBe(idOf(`/${before.number.slice(4)}`) + 1)
  })

  test('a VAT invoice is not issued without the seller’s address', async () => {
    const { '@id': iri } = await w.invoice()
    const setAddress = (...address: string[]) =>
      w.sql('UPDATE client SET address1 = $2, city = $3, postcode = $4 WHERE id = $1', [w.sellers.id, ...address])
    await setAddress('', '', '')
    const answer = await w.finance.post(`${iri}/issue`, {})
    await setAddress('14 Wharf Street', 'Leeds', 'LS1 1AA')
    expect([answer.status, said(answer)]).toEqual([
      422,
      expect.stringContaining('needs your company’s name and address'),
    ])
    expect((await w.finance.post(`${iri}/issue`, {})).status).toBe(200)
  })

  test('fifty simultaneous attempts to issue invoices leave no gap in the numbers, even if some are rejected', async () => {
    const drafts = await Promise.all(
      Array.from({ length: 50 }, async (_, n) => {
        const customer = await w.newCustomer()
        return w.invoice(n % 5 === 4 ? { customer, lines: [] } : { customer })
      }),
    )
    const answers = await Promise.all(drafts.map((d) => w.finance.post(`${d['@id']}/issue`, {})))
    expect(answers.filter((a) => a.status === 200)).toHaveLength(40)
    expect(answers.filter((a) => a.status === 422)).toHaveLength(10)
    const numbers = (
      await w.sql<{ number: string }>(
        "SELECT number FROM invoice WHERE client_id = $1 AND number <> '' ORDER BY number",
        [w.sellers.id],
      )
    ).map((r) => Number(r.number.slice(4)))
    expect(numbers).toEqual(numbers.map((_, n) => n + 1))
  })

  test('several simultaneous requests issue an invoice only once', async () => {
    const { '@id': iri, id } = await w.invoice({ customer: await w.newCustomer() })
    const answers = await Promise.all(Array.from({ length: 5 }, () => w.finance.post(`${iri}/issue`, {})))
    expect(answers.map((a) => a.status).toSorted()).toEqual([200, 409, 409, 409, 409])
    expect((await w.entries(id)).receivable).toBe(24_000)
  })

  test('issuing an invoice queues the e-mail with its PDF, but never to an invalid address', async () => {
    const to = `invoices.${process.pid}@buyer.example`
    const issued = await w.issued({ customer: await w.newCustomer({ invoiceEmail: to }) })
    const silent = await w.issued({ customer: await w.newCustomer() })
    await w.sql("UPDATE customer SET email = 'no' WHERE client_id = $1 AND id = $2", [
      w.sellers.id,
      idOf(silent.customer['@id']),
    ])
    const mute = await w.invoice({ customer: silent.customer['@id'] })
    await w.finance.post(`${mute['@id']}/issue`, {})
    await w.portal.drain()
    const { body } = await w.api.get(`${issued['@id']}/letters`)
    expect(body['hydra:member']).toEqual([expect.objectContaining({ recipient: to, template: 'invoice' })])
    // Without a mail server, nothing was sent.
    expect([body['hydra:member'][0].state, (await w.api.get(issued['@id'])).body.sentAt]).toEqual(['kept', null])
    expect((await w.api.get(`${mute['@id']}/letters`)).body['hydra:totalItems']).toBe(0)
    const [no] = await w.sql<{ n: number }>(
      "SELECT count(*)::int AS n FROM message WHERE client_id = $1 AND recipient = 'no'",
      [w.sellers.id],
    )
    expect(no?.n).toBe(0)
  })

  test('an issued invoice is e-mailed even if its pro forma was sent earlier', async () => {
    const to = `pro.forma.${process.pid}@buyer.example`
    const made = await w.invoice({ customer: await w.newCustomer({ invoiceEmail: to }) })
    expect((await w.api.post(`${made['@id']}/send`, {})).status).toBe(200)
    await w.portal.drain()
    expect((await w.api.get(made['@id'])).body.sentAt).toBeNull()
    await w.finance.post(`${made['@id']}/issue`, {})
    await w.portal.drain()
    const letters = (await w.api.get(`${made['@id']}/letters`)).body['hydra:member']
    expect(letters.map((l: { template: string }) => l.template)).toEqual(['invoice', 'pro-forma'])
  })

  test("an invoice that changed since its preview can't be issued", async () => {
    const made = await w.invoice({ lines: [{ description: 'X', quantity: 1, unitAmount: 1000 }] })
    const preview = await w.api.get(`${made['@id']}/preview`)
    expect(preview.body).toMatchObject({ total: 1200, problems: [] })
    expect(preview.body.entries).toEqual([
      { account: 'receivable', amount: 1200, taxCode: null },
      { account: 'sales', amount: -1000, taxCode: 'standard' },
      { account: 'vat', amount: -200, taxCode: 'standard' },
    ])
    // The preview has saved nothing and used no number.
    expect((await w.api.get(made['@id'])).body).toEqual(made)
    await w.api.put(made['@id'], { poNumber: 'PO 9' })
    const { fingerprint } = preview.body
    const refused = await w.finance.post(`${made['@id']}/issue`, { fingerprint })
    expect([refused.status, refused.body.code]).toEqual([409, 'preview_outdated'])
    const again = (await w.api.get(`${made['@id']}/preview`)).body
    expect((await w.finance.post(`${made['@id']}/issue`, { fingerprint: again.fingerprint })).status).toBe(200)
  })

  test('an invoice in another currency states its VAT in sterling', async () => {
    const customer = await w.newCustomer({ currency: 'EUR' })
    const { '@id': iri } = await w.invoice({ customer })
    expect(said(await w.finance.post(`${iri}/issue`, {}))).toContain('exchangeRate')
    await w.api.put(iri, { exchangeRate: 1.25 })
    const { body } = await w.finance.post(`${iri}/issue`, {})
    expect([body.tax, body.sterlingTax]).toEqual([4000, 3200])
    // The next invoice in the same month has the same rate.
    const next = await w.issued({ customer })
    expect(next.exchangeRate).toBe(1.25)
  })

  test("the customer's credit is applied to an invoice when it is issued", async () => {
    const customer = await w.newCustomer()
    await w.finance.post(`${customer}/balance`, { change: -10_000, reason: 'Paid ahead' })
    const issued = await w.issued({ customer })
    expect(issued).toMatchObject({ state: 'open', amountPaid: 10_000, amountDue: 14_000 })
    expect(await w.balance(customer)).toBe(14_000)
  })
})

describe('a printed invoice', () => {
  test('a printed invoice contains everything that VAT Notice 700, section 16.3, requires', async () => {
    const issued = await w.issued({
      percentOff: 10,
      poNumber: 'PO-77',
      lines: [
        { description: 'Site visit', quantity: 2, unitAmount: 10_000 },
        { description: 'A booklet', quantity: 3, unitAmount: 500, taxCode: 'zero' },
      ],
    })
    const words = await extractResponseText(await w.api.get(`${issued['@id']}/pdf`))
    for (const one of [
      `VAT invoice ${issued.number}`,
      'GB 123 4567 82',
      '14 Wharf Street',
      'Acme Roofing Ltd',
      '1 Mill Lane',
      'PO-77',
      'Site visit',
      '£100.00',
      'Discount 10%',
      'Total excluding VAT £193.50',
      'VAT 20% on £180.00 £36.00',
      'VAT 0% on £13.50 £0.00',
      'Total including VAT £229.50',
    ])
      expect(words).toContain(one)
  })

  test('a draft invoice is printed as a pro forma without a number', async () => {
    const made = await w.invoice()
    const words = await extractResponseText(await w.api.get(`${made['@id']}/pdf`))
    expect(words).toContain('Pro forma invoice')
    expect(words).toContain('This is not a VAT invoice')
    expect(words).not.toContain('INV-')
  })
})

describe('an issued invoice', () => {
  test('voiding an invoice reverses all its ledger entries and keeps its number', async () => {
    const issued = await w.issued({ customer: await w.newCustomer() })
    const { status, body } = await w.finance.post(`${issued['@id']}/void`, { reason: 'Wrong customer' })
    expect([status, body.state, body.number, body.amountDue]).toEqual([200, 'void', issued.number, 0])
    expect(await w.entries(issued.id)).toEqual({})
    expect((await w.finance.put(issued['@id'], { notes: 'x' })).status).toBe(409)
    expect((await w.finance.post(`${issued['@id']}/void`, { reason: 'Again' })).status).toBe(409)
  })

  test('a written-off invoice is posted as bad debt and is due again once reinstated', async () => {
    const customer = await w.newCustomer()
    const issued = await w.issued({ customer })
    const act = (action: string, body = {}) => w.finance.post(`${issued['@id']}/${action}`, body)
    expect((await act('write-off', { reason: 'Insolvent' })).body).toMatchObject({
      state: 'uncollectible',
      amountDue: 0,
    })
    expect(await w.entries(issued.id)).toEqual({ badDebt: 24_000, sales: -20_000, vat: -4000 })
    expect(await w.balance(customer)).toBe(0)
    expect((await act('reopen')).body).toMatchObject({ state: 'open', amountDue: 24_000, amountWrittenOff: 0 })
    expect((await act('write-off', { reason: 'Insolvent after all' })).body.state).toBe('uncollectible')
    expect(await w.balance(customer)).toBe(0)
  })

  test('deferred income is earned day by day', async () => {
    const today = Temporal.Now.plainDateISO('Europe/London')
    const from = today.toString()
    const to = today.add({ days: 9 }).toString()
    const issued = await w.issued({
      customer: await w.newCustomer(),
      lines: [{ description: 'Ten days', quantity: 1, unitAmount: 1000, from, to }],
    })
    expect(await w.entries(issued.id)).toEqual({ receivable: 1200, sales: -100, deferred: -900, vat: -200 })
    await w.finance.post('/api/financial/credit_notes', {
      invoice: issued['@id'],
      reason: 'Half',
      lines: [{ line: issued.lines[0]['@id'], net: 500 }],
    })
    expect(await w.entries(issued.id)).toEqual({ receivable: 600, sales: -50, deferred: -450, vat: -100 })
    const [held] = (await w.finance.get('/api/financial/deferred_incomes')).body['hydra:member']
    expect(held).toMatchObject({ net: 500, earned: 50 })
  })
})

test('repeating the income job recognises each past day only once, and the ledger matches the invoice lines', async () => {
  const today = Temporal.Now.plainDateISO('Europe/London')
  const days = { from: today.toString(), to: today.add({ days: 9 }).toString() }
  const issued = await w.issued({
    customer: await w.newCustomer(),
    lines: [{ description: 'Ten days', quantity: 1, unitAmount: 1000, ...days }],
  })
  const held = () => w.finance.get(`/api/financial/deferred_incomes?invoice=${issued.id}`)
  await moveClock(w.portal.engine, 3)
  try {
    await w.portal.runSchedule('invoices-earn')
    await w.portal.runSchedule('invoices-earn')
  } finally {
    await moveClock(w.portal.engine, 0)
  }
  expect((await held()).body['hydra:member'][0]).toMatchObject({ net: 1000, earned: 400 })
  expect(await findLedgerInconsistencies(w.portal.engine, w.sellers.id)).toEqual([])
})

describe("a customer's invoices and statement", () => {
  test("a customer with an amount due can't be retired", async () => {
    const customer = await w.newCustomer()
    const issued = await w.issued({ customer })
    const refused = await w.api.put(customer, { retired: true })
    expect([refused.status, said(refused)]).toEqual([
      409,
      expect.stringContaining(`£240.00 is still due on ${issued.number}`),
    ])
    await w.finance.post(`${issued['@id']}/write-off`, { reason: 'Gone' })
    expect((await w.api.put(customer, { retired: true })).status).toBe(200)
  })

  test("a customer's invoices are listed latest first, and the statement shows each transaction with the balance after it", async () => {
    const customer = await w.newCustomer()
    const first = await w.issued({ customer })
    const second = await w.issued({ customer })
    await w.finance.post(`${customer}/balance`, { change: -24_000, reason: 'Bank transfer' })
    const list = (await w.api.get(`${customer}/invoices`)).body
    expect(list['hydra:member'].map((i: { number: string }) => i.number)).toEqual([second.number, first.number])
    expect((await w.otherStaff.get(`${customer}/invoices`)).status).toBe(404)
    const { body } = await w.api.get(`${customer}/statement`)
    expect(body.lines.map((l: { balance: number }) => l.balance)).toEqual([24_000, 48_000, 24_000])
    expect([body.opening, body.closing]).toEqual([0, await w.balance(customer)])
    const words = await extractResponseText(await w.api.get(`${customer}/statement/pdf`))
    expect(words).toContain(`Invoice ${first.number}`)
    expect((await w.otherStaff.get(`${customer}/statement`)).status).toBe(404)
  })
})
