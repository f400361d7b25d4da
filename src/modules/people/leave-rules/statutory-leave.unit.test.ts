import { expect, test } from 'vitest'
import published from '../../../../db/reference/statutory-leave-and-pay.json' with { type: 'json' }
import { checkStatutoryLeave, latestStart, type StatutoryFacts, type StatutoryRule } from './statutory-leave.ts'

const ruleOf = (code: string): StatutoryRule => {
  const kind = published.leaveKinds.find((one) => one.code === code)
  if (!kind?.rule) throw new Error(`No rule of ${code}`)
  return kind.rule as StatutoryRule
}

const FACTS: StatutoryFacts = {
  employmentStart: '2020-01-06',
  firstDay: '2026-12-14',
  calendarDays: 1,
  leaveDays: 1,
  noticeOn: '2026-11-30',
  eventOn: null,
}

const states = (code: string, facts: Partial<StatutoryFacts>) =>
  checkStatutoryLeave(ruleOf(code), { ...FACTS, ...facts }).map(({ subject, state }) => `${subject} ${state}`)
const noticeMet = (code: string, facts: Partial<StatutoryFacts>) => states(code, facts).includes('notice met')

/** The latest day of notice that meets the condition, found by trying the days before the leave. */
const latestNoticeOf = (code: string, facts: Partial<StatutoryFacts>): string => {
  const first = Temporal.PlainDate.from(facts.firstDay ?? FACTS.firstDay)
  const days = Array.from({ length: 400 }, (_, n) => first.subtract({ days: n }).toString())
  return days.find((noticeOn) => !states(code, { ...facts, noticeOn }).includes('notice notMet')) ?? ''
}

const SPL_SERVICE = { weeks: 26, weeksBeforeEvent: 15 }

// Examples of GOV.UK's calculator (https://www.gov.uk/maternity-paternity-pay-leave): due date, qualifying week, latest start.
test('26 weeks by the qualifying week give the latest start of employment that GOV.UK’s calculator gives', () => {
  expect(latestStart('2012-04-09', SPL_SERVICE)).toBe('2011-07-09')
  expect(latestStart('2012-07-18', SPL_SERVICE)).toBe('2011-10-15')
  expect(latestStart('2012-09-14', SPL_SERVICE)).toBe('2011-12-10')
  const born = { eventOn: '2012-04-09', firstDay: '2012-05-01', noticeOn: '2012-01-02' }
  expect(states('shared-parental', { ...born, employmentStart: '2011-07-09' })).toEqual(['service met', 'notice met'])
  expect(states('shared-parental', { ...born, employmentStart: '2011-07-10' })[0]).toBe('service notMet')
})

// The same calculator: notice of maternity leave by the Saturday of the qualifying week.
test('notice of maternity leave is due by the end of the 15th week before the week in which the baby is due', () => {
  const due = { eventOn: '2012-04-09', firstDay: '2012-03-12' }
  expect(latestNoticeOf('maternity', due)).toBe('2011-12-31')
  expect(latestNoticeOf('maternity', { eventOn: '2012-07-18', firstDay: '2012-06-18' })).toBe('2012-04-07')
  // https://www.acas.org.uk/statutory-paternity-leave: Sam’s baby is due on 1 March 2024; the week ends on 18 November 2023.
  expect(latestNoticeOf('maternity', { eventOn: '2024-03-01', firstDay: '2024-02-12' })).toBe('2023-11-18')
})

// https://www.gov.uk/carers-leave: 3 days for half a day or a day; twice as long as the leave for more.
test('notice of carer’s leave is twice as long as the leave, and at least three days', () => {
  expect(latestNoticeOf('carers', { leaveDays: 0.5 })).toBe('2026-12-11')
  expect(latestNoticeOf('carers', { leaveDays: 1 })).toBe('2026-12-11')
  expect(latestNoticeOf('carers', { leaveDays: 2 })).toBe('2026-12-10')
  expect(latestNoticeOf('carers', { leaveDays: 5 })).toBe('2026-12-04')
})

// https://www.gov.uk/parental-leave: 21 days before the intended start date.
test('notice of unpaid parental leave is 21 days, and service is needed for no leave from 6 April 2026', () => {
  expect(latestNoticeOf('parental', {})).toBe('2026-11-23')
  expect(states('parental', { noticeOn: '2026-11-24' })).toEqual(['service met', 'notice notMet'])
  expect(states('parental', { firstDay: '2026-04-05' })).toEqual(['service unknown', 'notice unknown'])
})

// https://www.gov.uk/employers-parental-bereavement-pay-leave/notice-period: 0 to 8 weeks, and 9 to 56 weeks.
test('parental bereavement leave needs notice on its first day for eight weeks, and a week’s notice later', () => {
  const soon = { eventOn: '2026-10-20', firstDay: '2026-12-14' }
  expect(latestNoticeOf('bereavement', soon)).toBe('2026-12-14')
  expect(latestNoticeOf('bereavement', { ...soon, firstDay: '2026-12-15' })).toBe('2026-12-08')
  expect(states('bereavement', {})).toEqual(['service met', 'notice unknown'])
  expect(latestNoticeOf('bereaved-partner', { ...soon, firstDay: '2026-12-15' })).toBe('2026-12-08')
})

// https://www.gov.uk/employers-neonatal-care-pay-leave/notice: in care or the week after; 15 days for a week, 28 for more.
test('neonatal care leave needs no notice in advance until a week after care, then 15 days, or 28 for two weeks', () => {
  expect(latestNoticeOf('neonatal', { eventOn: '2026-12-07' })).toBe('2026-12-14')
  expect(latestNoticeOf('neonatal', { eventOn: '2026-12-06', calendarDays: 7 })).toBe('2026-11-29')
  expect(latestNoticeOf('neonatal', { eventOn: '2026-12-06', calendarDays: 14 })).toBe('2026-11-16')
})

// https://www.gov.uk/paternity-pay-leave; business.gov.uk: 15 weeks for children due from 26 July 2026.
test('paternity leave needs notice of the birth and 28 days’ notice of its dates', () => {
  const due = { eventOn: '2026-12-10', noticeOn: '2026-08-29' }
  expect(states('paternity', due)).toEqual(['service met', 'notice met', 'notice met'])
  expect(states('paternity', { ...due, noticeOn: '2026-08-30' })).toEqual([
    'service met',
    'notice notMet',
    'notice met',
  ])
  expect(states('paternity', { ...due, eventOn: '2026-07-25' })[1]).toBe('notice unknown')
  expect(states('paternity', { noticeOn: '2026-11-17' })).toEqual(['service met', 'notice unknown', 'notice notMet'])
})

test('notice of adoption leave is due within 7 days of being matched', () => {
  expect(noticeMet('adoption', { eventOn: '2026-11-23' })).toBe(true)
  expect(noticeMet('adoption', { eventOn: '2026-11-22' })).toBe(false)
})

test('leave without a period of notice never fails, and missing facts are named instead of guessed', () => {
  for (const code of ['dependants', 'jury', 'antenatal', 'public-duties', 'reserve'])
    expect(states(code, { noticeOn: '2026-12-20' })).toEqual(['service met', 'notice met'])
  expect(states('training', {})).toEqual(['service unknown', 'notice unknown'])
  const [service] = checkStatutoryLeave(ruleOf('shared-parental'), { ...FACTS, employmentStart: null })
  expect(service?.text).toBe('Cannot be computed: the start of employment is not stored.')
  const missing = checkStatutoryLeave(ruleOf('shared-parental'), FACTS)[0]
  expect(missing?.text).toContain('the due date is not stated')
})

test('every kind of leave has a source, and every kind except annual leave and sickness has a rule', () => {
  for (const kind of published.leaveKinds.filter(({ code }) => code !== 'sickness')) {
    expect(kind.link, kind.code).toMatch(/^https:\/\/www\.(gov|legislation\.gov)\.uk\//)
    expect(Boolean(kind.rule), kind.code).toBe(kind.code !== 'annual')
  }
})
