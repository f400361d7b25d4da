import { beforeAll, describe, expect, test } from 'vitest'
import { verifyClientEvidence } from '#server/evidence/verify.ts'
import { withForgery } from '#test/support/forging.ts'
import { type InvoiceWorld, makeInvoiceWorld } from '#test/support/invoices.ts'
import { saveTestCard } from '#test/support/payments.ts'

const F = '/api/financial'
let w: InvoiceWorld
let ids: Readonly<Record<'paid' | 'open' | 'quote' | 'sent' | 'refund' | 'note' | 'approval', number>>

const ok = <T extends { status: number; text: string }>(answer: T): T => {
  if (answer.status >= 300) throw new Error(answer.text)
  return answer
}
const verify = async () =>
  (await verifyClientEvidence(w.portal.engine, w.sellers.id)).findings.map(({ named, untrue }) => `${named}: ${untrue}`)
/** Returns the findings of the verification while a forgery by the database's owner is in place. */
const forged = (sql: string) => withForgery(w.portal, w.sellers.id, (tx) => tx.script(sql), verify)

beforeAll(async () => {
  w = await makeInvoiceWorld()
  const second = w.sellers.as(await w.sellers.user({ roles: ['ROLE_STAFF', 'ROLE_FINANCE'] }))
  const paid = await w.issued()
  const [open, credited] = [await w.issued(), await w.issued()]
  const payment = { customer: w.customer, invoice: paid['@id'], method: 'bank', amount: paid.total }
  ok(await w.finance.post(`${F}/charges`, { ...payment, receivedAt: new Date().toISOString() }))
  const note = ok(await w.finance.post(`${F}/credit_notes`, { invoice: credited['@id'], reason: 'Not done' })).body
  const card = await saveTestCard(w.portal, w.finance, w.customer, '4242424242424242')
  const charge = ok(await w.finance.post(`${F}/charges`, { customer: w.customer, card, amount: 5000 })).body
  await w.sql('UPDATE payment_settings SET refund_limit = 1000 WHERE client_id = $1', [w.sellers.id])
  const refund = ok(await w.finance.post(`${charge['@id']}/refund`, { amount: 2000, reason: 'Too much' })).body
  const [waiting] = (await second.get(`${F}/refunds?state=waiting`)).body['hydra:member']
  ok(await second.post(`${waiting['@id']}/approve`, {}))
  const half = await w.make(`${F}/coupons`, { name: 'Half', percentOff: 50, duration: 'once' })
  await w.sql('UPDATE quote_settings SET discount_limit_percent = 10 WHERE client_id = $1', [w.sellers.id])
  const draft = await w.draft({ plans: [{ plan: w.plan }], coupon: half, sendEmail: false })
  ok(await w.api.post(`${draft['@id']}/ask-approval`, { reason: 'Three sites' }))
  const [asked] = (await second.get(`${F}/discount_approvals?state=waiting`)).body['hydra:member']
  ok(await second.post(`${asked['@id']}/approve`, {}))
  const { quote, token } = await w.sent({ plans: [{ plan: w.plan }] })
  const signature = { name: 'Ann Carter', method: 'typed' }
  ok(await w.portal.anonymous.post(`${F}/acceptances/${token}/accept`, { signature }))
  const { quote: sent } = await w.sent({ plans: [{ plan: w.plan }] })
  ids = {
    paid: paid.id,
    open: open.id,
    quote: quote.id,
    sent: sent.id,
    refund: refund.id ?? waiting.id,
    note: note.id,
    approval: asked.id,
  }
})

test('invoices, payments, refunds and approvals made through the API cause no findings', async () => {
  expect(await verify()).toEqual([])
})

test('merging leads moves a quote, and undoing the merge moves it back, without a finding', async () => {
  const lead = async (name: string) =>
    (await w.api.get(await w.make('/api/crm/contacts', { name, companyName: name, phone: '01632 960700' }))).body
  const [from, into] = [await lead('One'), await lead('Two')]
  const customer = await w.make(`${F}/customers`, { email: 'one@acme.example', contact: from['@id'] })
  const { quote } = await w.sent({ customer, contact: from['@id'], plans: [{ plan: w.plan }] })
  const pair = { survivor: into['@id'], merged: from['@id'] }
  const { fingerprint } = (await w.api.get(`${into['@id']}/merge-preview?other=${from.id}`)).body
  const merged = ok(await w.api.post('/api/crm/merges', { ...pair, fingerprint }))
  expect((await w.api.get(`${F}/quotes?contact=${into.id}`)).body['hydra:member']).toMatchObject([{ id: quote.id }])
  expect(await verify()).toEqual([])
  ok(await w.api.post(`${merged.body['@id']}/undo`, {}))
  expect(await verify()).toEqual([])
})

describe("a forgery by the database's owner", () => {
  const at = (table: string, set: string, which: keyof typeof ids) => () =>
    `UPDATE ${table} SET ${set} WHERE client_id = ${w.sellers.id} AND id = ${ids[which]}`
  const ofEntry = (set: string) => () =>
    `UPDATE ledger_entry SET ${set} WHERE client_id = ${w.sellers.id} AND id = (SELECT min(id) FROM ledger_entry WHERE client_id = ${w.sellers.id} AND account = 'vat')`

  test.each<[string, () => string, RegExp]>([
    ['the number of an issued invoice', at('invoice', "number = 'INV-99999'", 'paid'), /^invoice .*: its number is/],
    ['the date of an issued invoice', at('invoice', "date = '2020-01-01'", 'paid'), /: its date is/],
    ['the tax point of an issued invoice', at('invoice', "tax_point = '2020-01-01'", 'paid'), /: its tax point is/],
    ['the notes of an issued invoice', at('invoice', "notes = 'Other'", 'paid'), /: its notes is/],
    [
      'the buyer of an issued invoice',
      at('invoice', `buyer = buyer || '{"name": "Else"}'`, 'paid'),
      /: its buyer \(name\) has been changed/,
    ],
    [
      'the sums of an issued invoice',
      at('invoice', 'subtotal = subtotal + 1, net = net + 1, total = total + 1, amount_paid = amount_paid + 1', 'paid'),
      /: its total is/,
    ],
    [
      'the VAT of an issued invoice, set to zero',
      at('invoice', 'tax = 0, total = net, amount_paid = net', 'paid'),
      /: its tax is 0/,
    ],
    [
      'an open invoice, marked as paid',
      at('invoice', "state = 'paid', amount_due = 0, amount_paid = total", 'open'),
      /: its amount paid is/,
    ],
    [
      'the description of an invoice line',
      () =>
        `UPDATE invoice_line SET description = 'Other' WHERE client_id = ${w.sellers.id} AND invoice_id = ${ids.paid}`,
      /its line 1 has been changed \(description\)/,
    ],
    [
      'a line removed from an invoice',
      () => `DELETE FROM invoice_line WHERE client_id = ${w.sellers.id} AND invoice_id = ${ids.paid}`,
      /its line 1 is missing/,
    ],
    [
      'an invoice removed with its lines',
      () =>
        `DELETE FROM invoice_line WHERE invoice_id = ${ids.paid}; DELETE FROM invoice WHERE client_id = ${w.sellers.id} AND id = ${ids.paid}`,
      /it is missing, though entry \d+ of the chain/,
    ],
    [
      'an invoice that was never issued',
      () => `UPDATE invoice SET id = 999999 WHERE client_id = ${w.sellers.id} AND id = ${ids.paid}`,
      /^invoice .*: the chain has no entry for it/,
    ],
    [
      'a ledger entry in another account',
      ofEntry("account = 'sales'"),
      /its entry for vat has been changed \(account\)/,
    ],
    ['a ledger entry on another day', ofEntry("day = '2020-01-01'"), /its entry for vat has been changed \(day\)/],
    ['a ledger entry with another VAT code', ofEntry("tax_code = 'exempt'"), /has been changed \(tax code\)/],
    ['a ledger entry with another amount', ofEntry('amount = amount - 1'), /has been changed \(amount\)/],
    [
      'the author of a ledger transaction',
      () => `UPDATE ledger_transaction SET author = 'else' WHERE client_id = ${w.sellers.id}`,
      /^ledger transaction .*: its author is "else"/,
    ],
    [
      'the approver of a refund',
      at('refund', "approved_by = 'else'", 'refund'),
      /^refund .*: its approved by is "else"/,
    ],
    ['the amount of a refund', at('refund', 'amount = amount + 1', 'refund'), /^refund .*: its amount is/],
    [
      'the sums of a credit note',
      at('credit_note', 'net = net + 1, total = total + 1', 'note'),
      /^credit note .*: its total is/,
    ],
    [
      'the lines of an accepted quote',
      () => `UPDATE quote_line SET quantity = 9 WHERE client_id = ${w.sellers.id} AND quote_id = ${ids.quote}`,
      /^quote .*: its line 1 has been changed \(quantity\)/,
    ],
    ['the total of an accepted quote', at('quote', 'total = 1', 'quote'), /^quote .*: its total is 1/],
    [
      'the signature of an accepted quote',
      at('quote', `signature = signature || '{"name": "Else"}'`, 'quote'),
      /^quote .*: its signature \(name\) has been changed/,
    ],
    [
      'an open quote, marked as accepted',
      at('quote', 'status_id = 3, decided_at = now()', 'sent'),
      /^quote .*: its (status id|decided at) is/,
    ],
    [
      'the approver of a discount',
      at('discount_approval', "decided_by = 'else'", 'approval'),
      /its decided by is "else"/,
    ],
    [
      'a payment that never happened',
      () =>
        `UPDATE charge SET id = 999999 WHERE client_id = ${w.sellers.id} AND id = (SELECT min(id) FROM charge WHERE client_id = ${w.sellers.id})`,
      /^payment 999999: the chain has no entry for it/,
    ],
  ])('%s is reported', async (_, sql, finding) => {
    expect(await forged(sql())).toContainEqual(expect.stringMatching(finding))
  })
})
