import { expect, test } from 'vitest'
import { composeEmail } from '#kernel/system-email.ts'
import { type InvoiceMailFacts, invoiceEmail } from '../invoices/emails.ts'
import {
  cardDeclinedEmail,
  dunningEndedEmail,
  invoiceDueEmail,
  invoiceOverdueEmail,
  paymentConfirmationEmail,
  unknownPlaceholders,
} from './emails.ts'

const invoice: InvoiceMailFacts = {
  number: 'INV-00007',
  currency: 'GBP',
  total: 12_000,
  amountDue: 12_000,
  dueOn: '2026-03-15',
  supplier: null,
  buyer: null,
  provider: 'Stanchion',
}
const LINK = '{{secret link}}'
const declined = {
  card: 'Visa ending 0341',
  why: 'Your card was declined.',
  hard: false,
  retryOn: null,
  lapsesOn: null,
}

test('a payment reminder states the amount, the due date and, once overdue, when access will be restricted', () => {
  const before = composeEmail(invoiceDueEmail, {
    invoice,
    dueOn: '2026-03-15',
    today: '2026-03-12',
    lapsesOn: '2026-03-30',
  })
  expect([before.subject, before.body]).toEqual([
    'Invoice INV-00007 is due on 15/03/2026',
    expect.stringContaining(`£120.00 for our invoice INV-00007 is due on 15/03/2026.`),
  ])
  expect(before.body).not.toContain('30/03/2026')
  const late = composeEmail(invoiceOverdueEmail, {
    invoice,
    dueOn: '2026-03-15',
    today: '2026-03-16',
    lapsesOn: '2026-03-30',
  })
  expect(late.body).toContain(
    'From 30/03/2026 until this invoice is paid, you will be able to read and export your subscription’s data, but not change it.',
  )
  for (const { body } of [before, late]) expect(body).toContain(LINK)
})

test('a reminder in own words fills its placeholders, and always has the payment link', () => {
  const wording = {
    subject: '{customer}: {invoice}',
    message: '{amount}, due on {due date}, is {days overdue} days late.\n\nPlease pay.',
  }
  const buyer = { name: 'Acme Ltd', contactName: '', address: [], vatNumber: '', email: 'a@acme.example' }
  const mail = composeEmail(invoiceOverdueEmail, {
    invoice: { ...invoice, buyer },
    dueOn: '2026-03-15',
    today: '2026-03-22',
    lapsesOn: null,
    wording,
    interest: 'We are entitled to interest.',
  })
  expect(mail.subject).toBe('Acme Ltd: INV-00007')
  expect(mail.body).toContain(
    '£120.00, due on 15/03/2026, is 7 days late.\n\nPlease pay.\n\nWe are entitled to interest.',
  )
  expect(mail.body).toContain(LINK)
  expect(unknownPlaceholders('{invoice} {Invoice} {{secret link}} {}')).toEqual(['{Invoice}', '{{secret link}}', '{}'])
})

test("the e-mail about a declined card states the bank's reason and the retry date", () => {
  expect(composeEmail(cardDeclinedEmail, { invoice, ...declined, retryOn: '2026-03-18' }).body).toMatch(
    /Visa ending 0341. The bank says: Your card was declined.\n\nWe will try again on 18\/03\/2026/,
  )
  expect(composeEmail(cardDeclinedEmail, { invoice, ...declined, hard: true }).body).toContain(
    'We will not charge this card again',
  )
  expect(composeEmail(cardDeclinedEmail, { invoice, ...declined }).body).toContain(LINK)
})

test('the last dunning e-mail states the outcome and has no payment link if the invoice was written off', () => {
  expect(composeEmail(dunningEndedEmail, { invoice, final: 'cancel' }).body).toContain(
    'We are cancelling your subscription today',
  )
  expect(composeEmail(dunningEndedEmail, { invoice, final: 'keep' }).body).toContain(LINK)
  expect(composeEmail(dunningEndedEmail, { invoice, final: 'uncollectible' }).body).not.toContain(LINK)
})

test('the payment confirmation e-mail names the card and mentions restored access only if it was restricted', () => {
  expect(composeEmail(paymentConfirmationEmail, { invoice, card: 'Visa ending 4242', opens: false }).body).toMatch(
    /We have charged our invoice INV-00007 to your card, Visa ending 4242/,
  )
  expect(composeEmail(paymentConfirmationEmail, { invoice, card: '', opens: true }).body).toContain('full access')
  expect(composeEmail(paymentConfirmationEmail, { invoice, card: '', opens: false }).body).not.toContain('full access')
})

test('the e-mail for an automatically charged invoice does not ask for payment', () => {
  const { body } = composeEmail(invoiceEmail, { ...invoice, charged: { card: 'Visa ending 4242', on: '2026-03-15' } })
  expect(body).toContain(
    'You don’t need to do anything: we will charge £120.00 to your card, Visa ending 4242, on 15/03/2026.',
  )
  expect(body).not.toContain('Please quote INV-00007')
})
