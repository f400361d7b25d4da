import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDaysToDate, type DunningFacts, type DunningRules, parseDayList, upcomingDunningSteps } from './plan.ts'

const rules: DunningRules = {
  automatic: true,
  remindAll: false,
  wording: [],
  interestInReminders: false,
  retryDays: [3, 5, 7, 14],
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
  failures: 0,
  firstFailedOn: null,
  chargedOn: null,
  reminded: null,
  pausedUntil: null,
  mailRefused: false,
}
const said = (s: Partial<DunningFacts>, today: string, r: Partial<DunningRules> = {}) =>
  upcomingDunningSteps({ ...rules, ...r }, { ...fresh, ...s }, today).map(({ kind, on }) => `${on} ${kind}`)

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
  test('no reminder is sent while the e-mail of the invoice itself was not accepted', () => {
    expect(said({ ...none, mailRefused: true }, '2026-03-16').filter((step) => step.endsWith('reminder'))).toEqual([])
  })
  test('invoices without a subscription get reminders only if these are turned on for all invoices', () => {
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
        const due = upcomingDunningSteps({ ...rules, retryDays, finalDays }, s, today).filter(({ on }) => on <= today)
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
