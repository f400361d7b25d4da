import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromUnixSeconds, LONDON_TIME_ZONE, toUnixSeconds } from '#kernel/time.ts'
import { firstWorkingDayFrom } from '#kernel/working-days.ts'
import {
  LEGACY_OUTCOMES as FORMER,
  findLegacyOutcome as former,
  decideLegacyOutcome as formerly,
} from '#test/support/former-outcomes.ts'
import {
  decideOutcome,
  findOutcomeNoteError,
  type OutcomeRule,
  outcomesWithKeys,
  proposeOutcomeDate,
} from './decide.ts'
import { DEFAULT_OUTCOMES, getDefaultOutcome } from './outcome.server.ts'

const at = (iso: string) => Temporal.Instant.from(iso)
const of = getDefaultOutcome
/** The default outcomes that have a shortcut key, in the order of their keys. */
const OUTCOMES = outcomesWithKeys(DEFAULT_OUTCOMES.map((row) => ({ ...row, retired: false })))
const london = (seconds: number) => fromUnixSeconds(seconds).toZonedDateTimeISO(LONDON_TIME_ZONE)
/** Arbitrary times between 2020 and 2040, in Unix seconds. */
const anySecond = fc.integer({ min: 1_577_836_800, max: 2_208_988_800 })
/** Times around the clock changes in March and October, in Unix seconds. */
const aboutTheTurn = fc
  .tuple(
    fc.constantFrom('2026-03-29T01:00:00Z', '2026-10-25T01:00:00Z', '2027-03-28T01:00:00Z'),
    fc.integer({ min: -9 * 86_400, max: 9 * 86_400 }),
  )
  .map(([turn, by]) => toUnixSeconds(at(turn)) + by)
const moment = fc.oneof(anySecond, aboutTheTurn)
const uk = (d: Temporal.PlainDate) => d.toString().split('-').reverse().join('/')

// Noon on 10 March. The dates seven days later and nine months later are also in winter time.
const NOW = at('2026-03-10T12:00:00Z')
const WEEK = toUnixSeconds(at('2026-03-17T12:00:00Z'))
const NINE_MONTHS = toUnixSeconds(at('2026-12-10T12:00:00Z'))
const keep = { expiry: undefined, callbackDate: undefined }
const callback = { expiry: WEEK, callbackDate: WEEK }
const none = { tray: undefined, owner: undefined, dead: false }

describe('the default outcomes', () => {
  test.each([
    [
      3,
      {
        ...none,
        lastResult: 3,
        expiry: NINE_MONTHS,
        callbackDate: null,
        note: '(FCR) Not at this time. Callback by 10/12/2026',
      },
    ],
    [
      43,
      {
        ...none,
        lastResult: 3,
        expiry: NINE_MONTHS,
        callbackDate: null,
        note: '(FCR) Not interested. Callback by 10/12/2026',
      },
    ],
    [47, { ...none, lastResult: 3, expiry: WEEK, callbackDate: null, note: 'No answer. Callback by 17/03/2026' }],
    [31, { ...none, lastResult: 31, ...callback, note: 'Callback on 17/03/2026 12:00' }],
    [5, { ...none, lastResult: 5, ...callback, note: 'Pitched for pack. Callback on 17/03/2026 12:00' }],
    [13, { ...none, lastResult: 13, ...callback, note: 'Pitched for pack. Callback on 17/03/2026 12:00' }],
    [54, { ...none, lastResult: 54, ...callback, note: 'Walk through completed. Callback on 17/03/2026 12:00' }],
    [30, { ...none, lastResult: 30, ...callback, note: 'Demo planned for 17/03/2026 12:00' }],
    [32, { ...none, lastResult: 32, ...callback, note: 'Callback planned for 17/03/2026 12:00' }],
    [46, { ...none, lastResult: 46, ...callback, note: 'Clip move. Callback on 17/03/2026 12:00' }],
    [
      18,
      {
        tray: 'after5',
        owner: undefined,
        dead: false,
        lastResult: 19,
        expiry: null,
        callbackDate: null,
        note: 'Call after 5',
      },
    ],
    [
      4,
      {
        tray: 'dead',
        owner: undefined,
        dead: true,
        lastResult: 4,
        expiry: null,
        callbackDate: null,
        note: 'Dead do not call',
      },
    ],
    [
      11,
      { tray: 'duplicates', owner: undefined, dead: false, lastResult: 11, ...keep, note: 'Duplicate - Mark Delete' },
    ],
    [48, { tray: 'baddetails', owner: undefined, dead: false, lastResult: 48, ...keep, note: 'Bad Details' }],
    [49, { ...none, lastResult: undefined, ...keep, note: 'Skipped this lead.' }],
  ])('the default outcome %i has the effect that the specification describes', (result, expected) => {
    expect(decideOutcome(of(result), NOW)).toEqual(expected)
  })

  test("the default outcomes have the specification's nineteen codes, and fifteen of them have a shortcut key", () => {
    const codes = [3, 4, 5, 11, 13, 18, 19, 30, 31, 32, 40, 41, 42, 43, 46, 47, 48, 49, 54]
    // Codes 1, 2 and 6 are excluded, because they are results of leads that have not been called yet or have been sent
    // a quote.
    expect(DEFAULT_OUTCOMES.map(({ id }) => id).filter((id) => ![1, 2, 6].includes(id))).toEqual(codes)
    expect(OUTCOMES.map(({ id }) => id)).toEqual(FORMER.map((o) => o.result))
    expect(new Set(OUTCOMES.map((o) => o.text)).size).toBe(OUTCOMES.length)
  })

  test('the default outcomes match the legacy table in shortcut key, label, requested date and every decision, at any time', () => {
    for (const [n, row] of OUTCOMES.entries()) {
      const was = FORMER[n]
      expect([row.key, row.text, row.asks, row.meaning]).toEqual([n + 1, was?.label, was?.asks, was?.meaning])
      expect(DEFAULT_OUTCOMES.find(({ id }) => id === row.id)?.call).toBe(row.id !== 49)
    }
    fc.assert(
      fc.property(moment, fc.option(moment), fc.constantFrom(...OUTCOMES), (seconds, given, row) => {
        const was = former(row.id)
        if (!was) throw new Error(`${row.id} is new`)
        const { owner, ...decided } = decideOutcome(row, fromUnixSeconds(seconds), given)
        expect(owner).toBeUndefined()
        expect(decided).toEqual(formerly(was, fromUnixSeconds(seconds), given))
      }),
      { numRuns: 500 },
    )
  })
})

describe('a custom outcome', () => {
  const rule: OutcomeRule = { ...of(31), effect: 'rest', interval: 5, unit: 'days', notes: 'Later: {date}' }
  test("a custom outcome uses its own interval and moves the date to a working day at the lead's location", () => {
    // Five days after 28 December is 2 January, which is a bank holiday only in Scotland.
    const now = at('2026-12-28T10:00:00Z')
    expect(decideOutcome(rule, now).note).toBe('Later: 04/01/2027')
    expect(decideOutcome({ ...rule, interval: 4 }, at('2025-12-29T10:00:00Z')).note).toBe('Later: 02/01/2026')
    expect(decideOutcome({ ...rule, interval: 4 }, at('2025-12-29T10:00:00Z'), undefined, 'scotland').note).toBe(
      'Later: 05/01/2026',
    )
    expect(decideOutcome({ ...rule, interval: 3, workingDays: false }, at('2026-12-24T10:00:00Z')).note).toBe(
      'Later: 27/12/2026',
    )
  })

  test('a custom outcome reports when its date skips a bank holiday, but not when it skips a weekend', () => {
    const dateAfter = (iso: string, interval: number) => proposeOutcomeDate({ ...rule, interval }, at(iso))
    expect(dateAfter('2026-08-24T10:00:00Z', 7)).toEqual({ at: at('2026-09-01T10:00:00Z'), afterHoliday: true })
    expect(dateAfter('2026-08-03T10:00:00Z', 5)).toEqual({ at: at('2026-08-10T10:00:00Z'), afterHoliday: false })
  })

  test.each([
    ['Callback by {date}', true, undefined],
    ['Nothing more', false, undefined],
    ['By {date}', false, 'This outcome sets no date, so its note can’t contain {date}'],
    ['By {name}', true, '“{name}” is not a known field. The only field allowed in a note is {date}'],
    ['By {}', true, '“{}” is not a known field. The only field allowed in a note is {date}'],
    ['By {date', true, 'There is an unmatched brace. The only field allowed in a note is {date}'],
  ])("a custom outcome's note “%s” (outcome with a date: %s) is rejected with the error: %s", (note, dated, wrong) =>
    expect(findOutcomeNoteError(note, dated)).toBe(wrong),
  )
})

describe('outcome dates', () => {
  /**
   * Calculates the expected date: the time after the span in London, rounded up to the quarter-hour and moved to the
   * first working day.
   */
  function proposal(seconds: number, span: { days?: number; months?: number }) {
    const there = london(seconds).add(span)
    const late = there.minute % 15 || there.second ? 15 - (there.minute % 15) : 0
    const quarter = there.with({ second: 0 }).add({ minutes: late })
    const [time, opens, closes] = [quarter.toPlainTime().toString().slice(0, 5), '09:00', '17:00']
    const open = [opens, time, closes].sort()[1] ?? ''
    return { day: firstWorkingDayFrom(quarter.toPlainDate()), time: Temporal.PlainTime.from(open) }
  }

  test('a date one week later is on a working day at the same London time, rounded to a quarter of an hour and within office hours', () => {
    fc.assert(
      fc.property(moment, fc.constantFrom(47, 31, 5, 30, 54), (seconds, result) => {
        const to = london(decideOutcome(of(result), fromUnixSeconds(seconds)).expiry as number)
        const { day, time } = proposal(seconds, { days: 7 })
        expect(to.toPlainDate().toString()).toBe(day.toString())
        expect(to.toPlainTime().toString()).toBe(time.toString())
      }),
    )
    // The expected date skips Good Friday and Easter Monday.
    expect(decideOutcome(of(31), at('2026-03-27T09:07:00Z')).note).toBe('Callback on 07/04/2026 09:15')
  })

  test('a date nine months later is on the same or the last day of the month, or on the next working day', () => {
    fc.assert(
      fc.property(moment, fc.constantFrom(3, 43), (seconds, result) => {
        const { expiry, note } = decideOutcome(of(result), fromUnixSeconds(seconds))
        const { day } = proposal(seconds, { months: 9 })
        expect(
          london(expiry as number)
            .toPlainDate()
            .toString(),
        ).toBe(day.toString())
        expect(note.endsWith(`Callback by ${uk(day)}`)).toBe(true)
      }),
    )
    expect(decideOutcome(of(3), at('2026-05-31T09:00:00Z')).note).toContain('01/03/2027')
  })

  test('a date entered by the caller is stored to the second and appears in the note', () => {
    fc.assert(
      fc.property(moment, moment, fc.constantFrom(...OUTCOMES), (seconds, given, outcome) => {
        const d = decideOutcome(outcome, fromUnixSeconds(seconds), given)
        const due = {
          none: [],
          keep: [undefined, undefined],
          skip: [undefined, undefined],
          clear: [null, null],
          bar: [null, null],
          callback: [given, given],
          rest: [given, null],
        }[outcome.effect]
        expect([d.expiry, d.callbackDate]).toEqual(due)
        expect(d.note.includes(uk(london(given).toPlainDate()))).toBe(typeof d.expiry === 'number')
      }),
    )
  })

  test('automatic dates are in the future, in whole seconds', () => {
    fc.assert(
      fc.property(moment, fc.constantFrom(...OUTCOMES), fc.constantFrom(undefined, null), (seconds, outcome, given) => {
        const d = decideOutcome(outcome, fromUnixSeconds(seconds), given)
        for (const v of [d.expiry, d.callbackDate].filter((x) => typeof x === 'number'))
          expect(Number.isInteger(v) && v > seconds + 6 * 86_400).toBe(true)
      }),
    )
  })

  test("an outcome's note states London time, in winter and in summer", () => {
    expect(decideOutcome(of(31), NOW, toUnixSeconds(at('2026-07-01T08:30:00Z'))).note).toBe(
      'Callback on 01/07/2026 09:30',
    )
    expect(decideOutcome(of(31), NOW, toUnixSeconds(at('2026-12-31T23:30:00Z'))).note).toBe(
      'Callback on 31/12/2026 23:30',
    )
    expect(decideOutcome(of(31), at('2026-03-25T09:30:00Z')).note).toBe('Callback on 01/04/2026 09:30')
  })
})
