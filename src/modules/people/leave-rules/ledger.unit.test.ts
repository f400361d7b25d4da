import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays } from '#kernel/time.ts'
import { bankHolidays } from '#kernel/working-days.ts'
import { scaleRunCount } from '#test/support/scope.ts'
import { bradfordScore } from './bradford.ts'
import { carryOverExpiry } from './carry-over.ts'
import { countDays } from './days.ts'
import { weeksOfFullYear } from './entitlement.ts'
import type { LeaveHistory, LedgerLine } from './leave-history.ts'
import { leaveYearFrom, leaveYearOf } from './leave-year.ts'
import { correctLedger, countLedger, sumMinutes } from './ledger.ts'
import type { Portion, RequestPart } from './request-part.ts'
import { averageCycle, type CycleDays, patternOn, workingMinutesOn } from './work-pattern.ts'

const RULES: LeaveHistory['rules'] = {
  yearStartsOn: '01-01',
  bankHolidays: 'counted',
  additionalDays: 0,
  serviceSteps: [],
  carryOverDays: 0,
  carryOverMonths: 12,
}
const FIVE_DAYS: CycleDays = [1, 1, 1, 1, 1, 0, 0].map((n) =>
  n ? [{ from: '09:00', until: '17:00', breakMinutes: 0 }] : [],
)
const history = (more: Partial<LeaveHistory> = {}): LeaveHistory => ({
  employment: { start: '2024-01-01', leaving: null },
  nation: 'england-and-wales',
  patterns: [{ from: '2024-01-01', cycleStart: '2024-01-01', days: FIVE_DAYS }],
  rules: RULES,
  payPeriods: [],
  bookings: [],
  entered: [],
  ...more,
})
const part = (firstDay: string, lastDay = firstDay, portion: Portion = 'day'): RequestPart => ({
  firstDay,
  lastDay,
  portion,
  from: null,
  until: null,
})
const sumOf = (lines: readonly LedgerLine[], year: string, kind?: LedgerLine['kind']) =>
  sumMinutes(lines.filter((one) => one.year === year && (!kind || one.kind === kind)))

test('a request over the year end takes leave of both years, and none on bank holidays', () => {
  const bookings = [{ request: 7, parts: [part('2026-12-24', '2027-01-05')] }]
  const lines = countLedger(history({ bookings }), '2026-06-01', '2027-06-01')
  // Christmas and Boxing Day are observed on Friday 25 and Monday 28 December, New Year on Friday 1 January.
  expect([sumOf(lines, '2026-01-01', 'booking'), sumOf(lines, '2027-01-01', 'booking')]).toEqual([-4 * 480, -2 * 480])
  expect(sumOf(lines, '2026-01-01', 'bankHoliday')).toBe(-8 * 480)
})

test('bank holidays in addition or worked take nothing, and only days off are free in a request', () => {
  const bookings = [{ request: 7, parts: [part('2026-05-04')] }]
  const taken = (rule: LeaveHistory['rules']['bankHolidays']) =>
    sumMinutes(
      countLedger(history({ bookings, rules: { ...RULES, bankHolidays: rule } }), '2026-06-01').filter(
        ({ minutes, year }) => minutes < 0 && year === '2026-01-01',
      ),
    )
  expect([taken('counted'), taken('additional'), taken('worked')]).toEqual([-8 * 480, 0, -480])
})

test('unused additional leave and regulation 13A leave are carried over, and expire later', () => {
  const rules = { ...RULES, additionalDays: 2, carryOverDays: 5, carryOverMonths: 3 }
  const lines = countLedger(history({ employment: { start: '2025-01-01', leaving: null }, rules }), '2026-05-01')
  const carried = lines
    .filter(({ kind }) => kind === 'carryOver')
    .map((one) => [one.year, one.part, one.minutes / 480, one.expiresOn])
  expect(carried).toEqual([
    ['2025-01-01', 'additional', -2, '2026-03-31'],
    ['2026-01-01', 'additional', 2, '2026-03-31'],
    ['2025-01-01', 'reg13A', -3, '2026-03-31'],
    ['2026-01-01', 'reg13A', 3, '2026-03-31'],
    // Good Friday is after the expiry: New Year's Day alone uses carried leave.
    ['2026-01-01', 'additional', -1, '2026-03-31'],
    ['2026-01-01', 'reg13A', -3, '2026-03-31'],
  ])
})

test('leave of regulation 13 is never carried by agreement, and a leaver carries nothing', () => {
  const rules = { ...RULES, carryOverDays: 50 }
  const lines = countLedger(history({ rules }), '2025-02-01')
  expect(
    sumOf(
      lines.filter(({ part: p }) => p === 'reg13'),
      '2024-01-01',
      'carryOver',
    ),
  ).toBe(0)
  expect(sumOf(lines, '2024-01-01', 'carryOver')).toBe(-8 * 480)
  const left = countLedger(history({ rules, employment: { start: '2024-01-01', leaving: '2024-12-31' } }), '2025-02-01')
  expect(left.some(({ kind }) => kind === 'carryOver')).toBe(false)
})

test('leave not taken because of sickness expires 18 months after its year, other carried leave after the next year', () => {
  const year = leaveYearFrom('2025-04-01')
  expect([carryOverExpiry('sickness', year), carryOverExpiry('family', year)]).toEqual(['2027-09-30', '2027-03-31'])
})

test('leave carried for sickness stays past the next year until its own expiry', () => {
  const entered = [2024, 2025].map((year, n) => ({
    year: `${year}-01-01`,
    kind: 'carryOver' as const,
    part: 'reg13' as const,
    minutes: n ? 4800 : -4800,
    request: null,
    day: null,
    expiresOn: '2026-06-30',
    formula: 'Sickness',
    enteredOn: '2025-01-10',
  }))
  const bookings = [{ request: 1, parts: [part('2025-06-02', '2025-06-06')] }]
  const rules = { ...RULES, bankHolidays: 'additional' as const }
  const lines = countLedger(history({ entered, bookings, rules }), '2026-05-01')
  expect(sumOf(lines, '2026-01-01', 'carryOver')).toBe(2400)
  const later = countLedger(history({ entered, bookings, rules }), '2026-07-01')
  expect(sumOf(later, '2026-01-01', 'carryOver')).toBe(0)
})

test('a Bradford score counts spells twice, and no protected or older spell', () => {
  const spell = (from: string, until: string | null, isProtected = false) => ({ from, until, protected: isProtected })
  const spells = [
    spell('2026-01-05', '2026-01-06'),
    spell('2026-01-07', '2026-01-07'),
    spell('2026-03-02', '2026-03-02'),
    spell('2026-05-30', null),
    spell('2026-04-01', '2026-04-20', true),
    spell('2024-01-01', '2024-02-01'),
  ]
  expect(bradfordScore(spells, '2026-06-01')).toMatchObject({ spells: 3, days: 7, score: 63 })
  expect(bradfordScore([], '2026-06-01').score).toBe(0)
})

const FIRST = '2023-01-01'
const LAST = '2027-12-31'
const day = fc.integer({ min: 0, max: countDays(FIRST, LAST) - 1 }).map((n) => addDays(FIRST, n))
const time = fc
  .integer({ min: 0, max: 1439 })
  .map((n) => `${String(Math.floor(n / 60)).padStart(2, '0')}:${String(n % 60).padStart(2, '0')}`)
const shifts = fc.oneof(
  fc.constant([]),
  fc.record({ from: time, until: time, breakMinutes: fc.constant(0) }).map((one) => [one]),
)
const pattern = fc.record({
  from: day,
  cycleStart: day,
  days: fc.oneof(fc.constant([]), fc.array(shifts, { minLength: 1, maxLength: 15 })),
})
const span = fc.tuple(day, fc.integer({ min: 0, max: 20 }), fc.constantFrom<Portion>('day', 'morning', 'afternoon'))
const booking = fc
  .array(span, { minLength: 1, maxLength: 3 })
  .map((parts) =>
    parts.map(([first, days, portion]) => part(first, portion === 'day' ? addDays(first, days) : first, portion)),
  )
const event = fc.oneof(
  pattern.map((one) => ({ pattern: one })),
  booking.map((parts) => ({ parts })),
  fc.integer({ min: 0, max: 5 }).map((cancelled) => ({ cancelled })),
  day.map((start) => ({ start })),
  fc.option(day).map((leaving) => ({ leaving })),
)

type EventOf = typeof event extends fc.Arbitrary<infer E> ? E : never

/** Applies events one by one, and corrects the stored rows after each. */
function play(events: readonly EventOf[], rules: LeaveHistory['rules']) {
  let state = history({ rules, patterns: [], employment: { start: '2024-02-29', leaving: null } })
  const stored: LedgerLine[] = []
  let request = 0
  for (const one of events) {
    if ('pattern' in one)
      state = {
        ...state,
        patterns: [...state.patterns.filter((p) => p.from !== one.pattern.from), one.pattern].sort((a, b) =>
          a.from < b.from ? -1 : 1,
        ),
      }
    else if ('parts' in one)
      state = { ...state, bookings: [...state.bookings, { request: ++request, parts: one.parts }] }
    else if ('cancelled' in one) state = { ...state, bookings: state.bookings.filter((_, n) => n !== one.cancelled) }
    else if ('start' in one) state = { ...state, employment: { ...state.employment, start: one.start } }
    else state = { ...state, employment: { ...state.employment, leaving: one.leaving } }
    stored.push(...correctLedger(countLedger(state, FIRST, LAST), stored))
  }
  return { state, stored }
}

/** Counts the leave taken of a year day by day, without the calculation under test. */
function recountTaken({ employment, patterns, nation, rules, bookings }: LeaveHistory, year: string): number {
  const { from, until } = leaveYearOf(year, rules.yearStartsOn)
  let taken = 0
  for (let at = from; at <= until; at = addDays(at, 1)) {
    if (at < employment.start || (employment.leaving && at > employment.leaving)) continue
    const minutes = workingMinutesOn(patterns, at)
    const isHoliday = bankHolidays(Number(at.slice(0, 4)), nation).has(at)
    if (isHoliday && rules.bankHolidays === 'counted') taken += minutes
    if (isHoliday && rules.bankHolidays !== 'worked') continue
    for (const { parts } of bookings)
      for (const { firstDay, lastDay, portion } of parts)
        if (firstDay <= at && at <= lastDay)
          taken +=
            portion === 'day' ? minutes : portion === 'morning' ? Math.ceil(minutes / 2) : Math.floor(minutes / 2)
  }
  return taken
}

/** Adds up the entitlement of each day of employment, in minutes. */
function recountStatutory({ employment, patterns, rules }: LeaveHistory, year: string): number {
  const { from, until } = leaveYearOf(year, rules.yearStartsOn)
  let minutes = 0
  for (let at = from; at <= until; at = addDays(at, 1)) {
    const days = patternOn(patterns, at)?.days ?? []
    if (at < employment.start || (employment.leaving && at > employment.leaving) || !days.length) continue
    const average = averageCycle(days)
    minutes += (weeksOfFullYear(average).statutory * average.minutesPerWeek) / countDays(from, until)
  }
  return minutes
}

test('the ledger equals a day-by-day recount after any patterns, bookings, cancellations, starts and leaves', () => {
  const startsOn = fc.constantFrom('01-01', '04-01', '03-01', '12-31')
  const holidays = fc.constantFrom<LeaveHistory['rules']['bankHolidays']>('counted', 'additional', 'worked')
  fc.assert(
    fc.property(fc.array(event, { minLength: 1, maxLength: 12 }), startsOn, holidays, (events, yearStartsOn, rule) => {
      const { state, stored } = play(events, { ...RULES, yearStartsOn, bankHolidays: rule, additionalDays: 1.5 })
      for (const at of ['2023-06-15', '2024-06-15', '2025-06-15', '2026-06-15', '2027-06-15']) {
        const rows = stored.filter(({ year }) => year === leaveYearOf(at, yearStartsOn).from)
        expect(sumMinutes(rows.filter(({ kind }) => ['booking', 'cancellation', 'bankHoliday'].includes(kind)))).toBe(
          -recountTaken(state, at) || 0,
        )
        const statutory = sumMinutes(rows.filter(({ kind, part: p }) => kind === 'entitlement' && p !== 'additional'))
        const floor = recountStatutory(state, at)
        expect(statutory).toBeGreaterThanOrEqual(floor - 1e-6)
        expect(statutory).toBeLessThan(floor + 1 + 1e-6)
      }
    }),
    { numRuns: scaleRunCount(300) },
  )
})

test('a recount of an unchanged history appends nothing', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 8 }), (events) => {
      const { state, stored } = play(events, RULES)
      expect(correctLedger(countLedger(state, FIRST, LAST), stored)).toEqual([])
    }),
    { numRuns: scaleRunCount(100) },
  )
})
