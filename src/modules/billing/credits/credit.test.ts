import { beforeAll, expect, test } from 'vitest'
import { extractResponseText } from '#test/pdf/words.ts'
import { type InvoiceWorld, makeInvoiceWorld } from '#test/support/invoices.ts'

let w: InvoiceWorld
beforeAll(async () => {
  w = await makeInvoiceWorld()
})

const NOTES = '/api/financial/credit_notes'
const credit = (of: { '@id': string }, more: Record<string, unknown> = {}) =>
  w.finance.post(NOTES, { invoice: of['@id'], reason: 'Not delivered', ...more })
const anew = async (values: Record<string, unknown> = {}) => w.issued({ customer: await w.newCustomer(), ...values })

test('a full credit covers the uncredited remainder of an invoice, and credit notes have their own number series', async () => {
  const issued = await anew()
  const { status, body } = await credit(issued)
  expect(status).toBe(201)
  expect(body).toMatchObject({ net: 20_000, tax: 4000, total: 24_000, number: expect.stringMatching(/^CN-\d{5}$/) })
  expect((await w.api.get(issued['@id'])).body).toMatchObject({ state: 'paid', amountCredited: 24_000, amountDue: 0 })
  expect(await w.entries(issued.id)).toEqual({})
  expect((await credit(issued)).status).toBe(409)
})

test("the VAT on three partial credits adds up to the invoice's VAT, to the penny", async () => {
  await w.sql(
    "INSERT INTO tax_rate (client_id, name, code, percent, from_date) VALUES ($1, 'Then', 'standard', 17.5, '2000-01-01')",
    [w.sellers.id],
  )
  const issued = await anew({ lines: [{ description: 'Mask', quantity: 3, unitAmount: 101 }] })
  await w.sql('DELETE FROM tax_rate WHERE client_id = $1 AND percent = 17.5', [w.sellers.id])
  expect(issued.tax).toBe(53)
  const line = issued.lines[0]['@id']
  const taxes: number[] = []
  for (const quantity of [1, 1, 1]) taxes.push((await credit(issued, { lines: [{ line, quantity }] })).body.tax)
  expect(taxes.reduce((a, b) => a + b)).toBe(53)
  expect(await w.entries(issued.id)).toEqual({})
  expect((await credit(issued, { lines: [{ line, quantity: 1 }] })).status).toBe(422)
})

test("an invoice prints a line's discount in a separate column, and credits take the discount into account", async () => {
  const visits = { description: 'Site visit', quantity: 3, unitAmount: 2499, discountPercent: 12.5 }
  const lines = [visits, { description: 'Folder', unitAmount: 1000 }]
  const issued = await anew({ lines, percentOff: 10 })
  expect(issued).toMatchObject({ subtotal: 7560, discount: 756, net: 6804, tax: 1361, total: 8165 })
  expect(issued.lines).toMatchObject([
    { amount: 6560, discount: 656, net: 5904 },
    { amount: 1000, net: 900 },
  ])
  const words = await extractResponseText(await w.api.get(`${issued['@id']}/pdf`))
  expect(words).toContain('Unit price Discount VAT Subtotal')
  expect(words).toMatch(/3 £24\.99 12\.5% 20% £65\.60/)
  expect(await extractResponseText(await w.api.get(`${(await anew())['@id']}/pdf`))).not.toContain('Discount')
  const notes = []
  for (const quantity of [1, 1, 1])
    notes.push((await credit(issued, { lines: [{ line: issued.lines[0]['@id'], quantity }] })).body)
  expect(notes.map(({ net }) => net)).toEqual([1968, 1968, 1968])
  const account = (await w.api.get(`${issued.customer['@id']}/statement`)).body
  expect(account.closing).toBe(1080)
  const made = await w.invoice({ lines })
  const refusals = [101, -1, 12.34567]
  for (const discountPercent of refusals) {
    const refused = await w.api.put(made['@id'], { lines: [{ ...visits, discountPercent }] })
    expect([refused.status, refused.body['hydra:description']]).toEqual([
      422,
      expect.stringContaining('lines[0].discountPercent: '),
    ])
  }
  const { fingerprint } = (await w.api.get(`${made['@id']}/preview`)).body
  await w.api.put(made['@id'], { lines: [{ ...visits, discountPercent: 0, unitAmount: 2187 }, lines[1]] })
  expect((await w.finance.post(`${made['@id']}/issue`, { fingerprint })).status).toBe(409)
})

test('credits never exceed the uncredited remainder of a line or invoice, even if made simultaneously', async () => {
  const issued = await anew()
  const line = issued.lines[0]['@id']
  const refusals: Record<string, unknown>[] = [
    { lines: [{ line, quantity: 3 }] },
    { lines: [{ line, net: 20_001 }] },
    { lines: [{ line, net: 0 }] },
    { lines: [{ line, net: -1 }] },
    { lines: [{ line, net: 100, quantity: 1 }] },
    { lines: [{ line }, { line }] },
    { reason: '' },
  ]
  for (const more of refusals) expect([more, (await credit(issued, more)).status]).toEqual([more, 422])
  const other = await anew()
  expect((await credit(issued, { lines: [{ line: other.lines[0]['@id'] }] })).status).toBe(422)
  const ten = await Promise.all(Array.from({ length: 10 }, () => credit(issued, { lines: [{ line, net: 6000 }] })))
  expect(ten.filter((a) => a.status === 201)).toHaveLength(3)
  expect((await w.api.get(issued['@id'])).body.amountCredited).toBe(21_600)
})

test('by default, the paid part of a credited invoice becomes customer credit and is applied to the next invoice', async () => {
  const customer = await w.newCustomer()
  await w.finance.post(`${customer}/balance`, { change: -24_000, reason: 'Paid ahead' })
  const paid = await w.issued({ customer })
  expect(paid.state).toBe('paid')
  await credit(paid, { lines: [{ line: paid.lines[0]['@id'], quantity: 1 }] })
  expect(await w.balance(customer)).toBe(-12_000)
  expect(await w.issued({ customer })).toMatchObject({ amountPaid: 12_000, amountDue: 12_000 })
})

test('if the paid part of a credited invoice is refunded, it is not applied to the next invoice', async () => {
  const customer = await w.newCustomer()
  const issued = await w.issued({ customer })
  const payment = {
    customer,
    invoice: issued['@id'],
    method: 'bank',
    amount: 24_000,
    receivedAt: new Date().toISOString(),
  }
  const paid = await w.finance.post('/api/financial/charges', payment)
  expect([paid.status, paid.text]).toEqual([201, expect.anything()])
  const line = issued.lines[0]['@id']
  const { status, body } = await credit(issued, { to: 'refund', lines: [{ line, quantity: 1 }] })
  expect([status, body.amountRefunded, body.amountRefunding]).toEqual([201, 0, 12_000])
  const next = await w.issued({ customer })
  expect([next.amountPaid, next.amountDue]).toEqual([0, 24_000])
  await w.portal.drain()
  expect(await w.balance(customer)).toBe(24_000)
  expect((await w.api.get(issued['@id'])).body).toMatchObject({
    state: 'paid',
    amountPaid: 12_000,
    amountCredited: 12_000,
  })
  // An invoice paid from customer credit has no payment to refund, so the credit note is rejected and nothing is
  // credited.
  const other = await anew({ customer })
  await w.finance.post(`${customer}/balance`, { change: -24_000, reason: 'By cheque' })
  await w.finance.post(`${other['@id']}/use-credit`, {})
  const refused = await credit(other, { to: 'refund' })
  expect([refused.status, (await w.api.get(other['@id'])).body.amountCredited]).toEqual([409, 0])
})

test('a refund is rejected if nothing was paid', async () => {
  const refused = await credit(await anew(), { to: 'refund' })
  expect([refused.status, refused.body['hydra:description']]).toEqual([
    422,
    expect.stringContaining('there is nothing to refund'),
  ])
})

test('crediting a written-off invoice reverses the bad debt and marks the invoice as paid', async () => {
  const issued = await anew()
  await w.finance.post(`${issued['@id']}/write-off`, { reason: 'Gone' })
  expect((await credit(issued)).status).toBe(201)
  expect(await w.entries(issued.id)).toEqual({})
  expect((await w.api.get(issued['@id'])).body).toMatchObject({ state: 'paid', amountWrittenOff: 0 })
})

test('only finance staff can create credit notes, and only for issued invoices that are not void', async () => {
  const issued = await anew()
  expect((await w.api.post(NOTES, { invoice: issued['@id'], reason: 'x' })).status).toBe(403)
  expect((await w.otherStaff.post(NOTES, { invoice: issued['@id'], reason: 'x' })).status).toBe(403)
  expect((await credit(await w.invoice())).status).toBe(409)
  await w.finance.post(`${issued['@id']}/void`, { reason: 'x' })
  expect((await credit(issued)).status).toBe(409)
})

test("a credit note can't be changed through any endpoint", async () => {
  const { body } = await credit(await anew())
  expect((await w.finance.put(body['@id'], { reason: 'Another' })).status).toBe(405)
  expect((await w.finance.delete(body['@id'])).status).toBe(405)
  // Even the database owner can't change a credit note.
  const asOwner = (sql: string) =>
    expect(w.portal.db.tx('owner', (tx) => tx.rows(sql, [w.sellers.id, body.id]))).rejects.toThrow('never changed')
  await asOwner('UPDATE credit_note SET total = 1 WHERE client_id = $1 AND id = $2')
  await asOwner('DELETE FROM credit_note_line WHERE client_id = $1 AND credit_note_id = $2')
})

test('the database rejects a credit that exceeds its line or has no credit note', async () => {
  const issued = await anew()
  await expect(
    w.sql('UPDATE invoice SET amount_credited = 100, amount_due = amount_due - 100 WHERE client_id = $1 AND id = $2', [
      w.sellers.id,
      issued.id,
    ]),
  ).rejects.toThrow('credited by credit notes')
  const { body: note } = await credit(issued)
  await expect(
    w.sql(
      "INSERT INTO credit_note_line (client_id, credit_note_id, line_id, description, net, tax) VALUES ($1, $2, $3, 'x', 1, 0)",
      [w.sellers.id, note.id, issued.lines[0].id],
    ),
  ).rejects.toThrow('no more of a line')
})

test('a credit note is e-mailed to the customer with its PDF', async () => {
  const issued = await anew()
  const { body } = await credit(issued)
  const words = await extractResponseText(await w.api.get(`${body['@id']}/pdf`))
  for (const one of [`Credit note ${body.number}`, issued.number, 'Not delivered', '£240.00'])
    expect(words).toContain(one)
  await w.portal.drain()
  const [letter] = await w.sql<{ subject: string }>(
    "SELECT subject FROM message WHERE client_id = $1 AND about = $2 AND template = 'credit-note'",
    [w.sellers.id, body['@id']],
  )
  expect(letter?.subject).toContain(body.number)
})
