import { expect, test } from 'vitest'
import { composeEmail } from '#kernel/system-email.ts'
import { type QuoteMailFacts, quoteAcceptedEmail, quoteEmail, quoteReminderEmail } from './mail.ts'

const supplier = {
  name: 'The seller',
  address: '14 Wharf Street, Leeds, LS1 1AA',
  companyNumber: '01234567',
  vatNumber: 'GB 123 4567 82',
  telephone: '01632 960960',
  email: 'hello@seller.example',
}
const facts: QuoteMailFacts = {
  reference: 'Q-00007',
  company: 'Acme Ltd',
  contactName: 'Ann Carter',
  payments: '£718.80 first, then £82.80 every month, including VAT',
  message: '',
  expiresAt: undefined,
  provider: 'Stanchion',
  supplier,
  owner: { name: 'Sam Taylor', telephone: '01632 960111', email: 'sam@seller.example' },
  link: 'http://portal.example/quote/x',
}
const at = Temporal.Instant.from('2026-11-23T11:00:00Z')
/** Returns the text as the reader sees it, with spaces instead of non-breaking spaces. */
const read = (words: string) => words.replaceAll('\u00a0', ' ')

test.each([
  ['sending a quote', composeEmail(quoteEmail, facts)],
  ['reminding the customer of a quote', composeEmail(quoteReminderEmail, facts)],
  [
    'confirming the acceptance of a quote',
    composeEmail(quoteAcceptedEmail, { ...facts, signedBy: 'Ann Carter', signedAt: at }),
  ],
])('the e-mail %s states the seller and both the first and the recurring payments', (_, { body }) => {
  for (const said of [
    facts.payments,
    'Sam Taylor\n01632 960111\nsam@seller.example',
    'The seller\n14 Wharf Street, Leeds, LS1 1AA\nCompany number 01234567 · VAT number GB 123 4567 82\n01632 960960 · hello@seller.example',
  ])
    expect(read(body)).toContain(said)
})

test("a quote e-mail is signed by the quote's owner or, if the quote has no owner, by the seller or the portal", () => {
  const nobody = { name: '', telephone: '', email: '' }
  expect(read(composeEmail(quoteEmail, { ...facts, owner: nobody }).body)).toContain(
    'Kind regards\n\nThe seller\n\n14 Wharf Street',
  )
  expect(composeEmail(quoteEmail, { ...facts, owner: nobody, supplier: null }).body).toMatch(
    /Kind regards\n\nStanchion$/,
  )
})

test('a quote e-mail has no line break inside a number or a postcode', () => {
  const { body } = composeEmail(quoteEmail, facts)
  for (const whole of ['LS1 1AA', 'GB 123 4567 82', '01632 960960'])
    expect(body).toContain(whole.replaceAll(' ', '\u00a0'))
})

test("a quote e-mail states the seller's place of registration and registered office", () => {
  const disclosed = { ...supplier, registeredIn: 'Scotland', registeredOffice: '2 Quay Street, Leith, EH6 6AA' }
  expect(read(composeEmail(quoteEmail, { ...facts, supplier: disclosed }).body)).toContain(
    'Registered in Scotland · Company number 01234567 · VAT number GB 123 4567 82\nRegistered office: 2 Quay Street, Leith, EH6 6AA\n',
  )
})
