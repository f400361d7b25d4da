import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { composeEmail } from '#kernel/system-email.ts'
import { type InvoiceMailFacts, invoiceEmail } from '../invoices/emails.ts'
import {
  cardDeclinedEmail,
  dunningEndedEmail,
  findUnknownPlaceholders,
  invoiceDueEmail,
  invoiceOverdueEmail,
  paymentConfirmationEmail,
} from './emails.ts'
import { addDaysToDate, type DunningFacts, type DunningRules, listUpcomingDunningSteps, parseDayList } from './plan.ts'

const rules: DunningRules = {
  automatic: true,
  remindAll: false,
  wording: [],
  interestInReminders: false,
  retryDays: [3, 5, 7, 14],
  noticeDays: 10,
  reminderDays: [-3, 1, 7, 14],
  lapseDays: 14,
  finalDays: 30,
  final: 'keep',
}
const fresh: DunningFacts = {
  issuedOn: '2026-03-01',
  dueOn: '2026-03-15',
  ofSubscription: true,
  hasCard: true,
  hasMandate: false,
  collectOn: null,
  failures: 0,
  firstFailedOn: null,
  chargedOn: null,
  reminded: null,
  pausedUntil: null,
  mailRefused: false,
}
const said = (s: Partial<DunningFacts>, today: string, r: Partial<DunningRules> = {}) =>
  listUpcomingDunningSteps({ ...rules, ...r }, { ...fresh, ...s }, today).map(({ kind, on }) => `${on} ${kind}`)

describe('the dunning plan for an invoice with a Direct Debit', () => {
  const debit = { hasCard: false, hasMandate: true, ofSubscription: false, dueOn: '2026-04-30', issuedOn: '2026-03-31' }

  test('a notice precedes the collection on the due date by ten working days, not counting Easter', () => {
    expect(said(debit, '2026-04-01').slice(0, 2)).toEqual(['2026-04-16 notice', '2026-04-30 charge'])
    expect(said({ ...debit, dueOn: '2026-04-14' }, '2026-03-31')[0]).toBe('2026-03-31 notice')
  })

  test('a late notice postpones the collection, and a collection due on a weekend moves to a working day', () => {
    expect(said(debit, '2026-04-27').slice(0, 2)).toEqual(['2026-04-27 notice', '2026-05-12 charge'])
    expect(said({ ...debit, dueOn: '2026-05-02' }, '2026-04-01').slice(0, 2)).toEqual([
      '2026-04-20 notice',
      '2026-05-05 charge',
    ])
  })

  test('after the notice, only the collection remains, on its stated day and without reminders', () => {
    const steps = said({ ...debit, collectOn: '2026-04-30' }, '2026-04-20', { remindAll: true })
    expect(steps[0]).toBe('2026-04-30 charge')
    expect(steps.filter((step) => /notice|reminder/.test(step))).toEqual([])
  })

  test('a failed collection is retried on the retry days for cards, but never before the day stated in the notice', () => {
    const failed = { ...debit, failures: 1, firstFailedOn: '2026-05-05', chargedOn: '2026-04-30' }
    expect(said({ ...failed, collectOn: '2026-04-30' }, '2026-05-05')[0]).toBe('2026-05-08 charge')
    expect(said({ ...failed, collectOn: '2026-06-01' }, '2026-05-05')[0]).toBe('2026-06-01 charge')
  })

  test('a Direct Debit is collected on a working day, even if its retry or the end of a pause falls on a weekend', () => {
    const failed = { ...debit, collectOn: '2026-04-29', failures: 1, chargedOn: '2026-04-29' }
    expect(said({ ...failed, firstFailedOn: '2026-04-29' }, '2026-04-30')[0]).toBe('2026-05-05 charge')
    expect(said({ ...debit, collectOn: '2026-04-30', pausedUntil: '2026-05-08' }, '2026-05-06')[0]).toBe(
      '2026-05-11 charge',
    )
    const card = { hasCard: true, failures: 1, firstFailedOn: '2026-04-29', chargedOn: '2026-04-29' }
    expect(said({ ...debit, ...card, hasMandate: false, ofSubscription: true }, '2026-04-30')[0]).toBe(
      '2026-05-02 charge',
    )
  })

  test('if no further attempt is planned, no notice is sent and reminders follow', () => {
    const steps = said({ ...debit, failures: 5, firstFailedOn: '2026-05-05' }, '2026-05-06', { remindAll: true })
    expect(steps.filter((step) => /notice|charge/.test(step))).toEqual([])
    expect(steps.length).toBeGreaterThan(0)
  })

  test('Direct Debits are collected even if cards are not charged automatically', () => {
    expect(said({ ...debit, collectOn: '2026-04-30' }, '2026-04-20', { automatic: false })[0]).toBe('2026-04-30 charge')
  })
})

describe('the dunning plan for an invoice with a card', () => {
  test('a card is charged on the due date and retried on the configured days before access lapses and collection ends', () => {
    expect(said({}, '2026-03-02')).toEqual([
      '2026-03-15 charge',
      '2026-03-18 charge',
      '2026-03-20 charge',
      '2026-03-22 charge',
      '2026-03-29 charge',
      '2026-03-30 lapse',
      '2026-04-14 end',
    ])
  })
  test('a card is charged at most five times, even if more retry days are stored', () => {
    const charges = said({}, '2026-03-02', { retryDays: [1, 2, 3, 4, 5, 6] }).filter((step) => step.endsWith('charge'))
    expect(charges).toHaveLength(5)
  })
  test('after a failed charge, the remaining retries follow on different days', () => {
    const failed = { failures: 2, firstFailedOn: '2026-03-15', chargedOn: '2026-03-25' }
    expect(said(failed, '2026-03-25').slice(0, 3)).toEqual([
      '2026-03-26 charge',
      '2026-03-27 charge',
      '2026-03-29 charge',
    ])
  })
  test('after the last retry, reminders are sent instead of charging the card', () => {
    const failed = { failures: 5, firstFailedOn: '2026-03-15', chargedOn: '2026-03-29' }
    expect(said(failed, '2026-03-29')).toEqual(['2026-03-29 reminder', '2026-03-30 lapse', '2026-04-14 end'])
  })
  test('all dunning steps are postponed until a pause has ended', () => {
    expect(said({ pausedUntil: '2026-03-20' }, '2026-03-16').slice(0, 2)).toEqual([
      '2026-03-21 charge',
      '2026-03-24 charge',
    ])
  })
  test('collection never ends before the last retry', () => {
    expect(said({}, '2026-03-02', { finalDays: 5 }).at(-1)).toBe('2026-03-30 end')
  })
})

describe('the dunning plan for an invoice without a card', () => {
  const none = { hasCard: false }
  test('an invoice without a card gets reminders before and after the due date', () => {
    expect(said(none, '2026-03-02')).toEqual([
      '2026-03-12 reminder',
      '2026-03-16 reminder',
      '2026-03-22 reminder',
      '2026-03-29 reminder',
      '2026-03-30 lapse',
      '2026-04-14 end',
    ])
  })
  test('only the latest missed reminder is sent, and no reminder is due before the issue date of the invoice', () => {
    expect(said(none, '2026-03-23').slice(0, 2)).toEqual(['2026-03-23 reminder', '2026-03-29 reminder'])
    expect(said({ ...none, issuedOn: '2026-03-15' }, '2026-03-15')[0]).toBe('2026-03-16 reminder')
  })
  test('a reminder that was missed for more than two weeks is not sent, unless a pause has just ended', () => {
    const years = { ...none, ofSubscription: false }
    const all = { remindAll: true }
    expect(said(years, '2026-04-12', all)).toEqual(['2026-04-12 reminder'])
    expect(said(years, '2026-04-13', all)).toEqual([])
    expect(said({ ...years, pausedUntil: '2026-05-10' }, '2026-05-11', all)).toEqual(['2026-05-11 reminder'])
  })
  test("no reminder is sent until the invoice's own e-mail has been accepted", () => {
    expect(said({ ...none, mailRefused: true }, '2026-03-16').filter((step) => step.endsWith('reminder'))).toEqual([])
  })
  test('reminders for invoices without a subscription are sent only if turned on for all invoices', () => {
    const manual = { ...none, ofSubscription: false }
    expect(said(manual, '2026-03-02')).toEqual([])
    expect(said(manual, '2026-03-02', { remindAll: true })).toHaveLength(4)
  })
})

test('parsing a list of days sorts it and removes duplicates', () => {
  expect(parseDayList('7, 3,3, -1')).toEqual([-1, 3, 7])
  expect(parseDayList('')).toEqual([])
})

test('whatever the payment service responds, an invoice is charged on at most five days before collection ends', () => {
  const days = fc.uniqueArray(fc.nat({ max: 40 }), { maxLength: 4 }).map((all) => all.toSorted((a, b) => a - b))
  // Behaviour of the payment service on each day: it is unavailable, declines the card or is not called.
  const luck = fc.array(fc.constantFrom('away', 'declined', 'not asked'), { minLength: 120, maxLength: 120 })
  fc.assert(
    fc.property(days, fc.integer({ min: 1, max: 60 }), luck, (retryDays, finalDays, each) => {
      let s = fresh
      const charged: string[] = []
      for (const [n, what] of each.entries()) {
        const today = addDaysToDate('2026-03-01', n)
        if (what === 'away') continue
        const due = listUpcomingDunningSteps({ ...rules, retryDays, finalDays }, s, today).filter(
          ({ on }) => on <= today,
        )
        const ends = due.some(({ kind }) => kind === 'end')
        const charges = due.filter(({ kind }) => kind === 'charge')
        expect(charges.length).toBeLessThanOrEqual(ends ? 0 : 1)
        if (ends) break
        if (!charges.length) continue
        expect(charged.at(-1) ?? '').not.toBe(today)
        if (what === 'declined') {
          charged.push(today)
          s = { ...s, failures: s.failures + 1, firstFailedOn: s.firstFailedOn ?? today, chargedOn: today }
        }
      }
      expect(charged.length).toBeLessThanOrEqual(retryDays.length + 1)
    }),
  )
})

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

test("a reminder in the company's own words has its placeholders filled in, and always has the payment link", () => {
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
  expect(findUnknownPlaceholders('{invoice} {Invoice} {{secret link}} {}')).toEqual([
    '{Invoice}',
    '{{secret link}}',
    '{}',
  ])
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
