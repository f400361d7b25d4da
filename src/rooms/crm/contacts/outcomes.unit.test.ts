import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromUnix, LONDON, unix } from '#kernel/time.ts'
import { workingDayFrom } from '#kernel/working-days.ts'
import { decide, OUTCOMES, type Outcome, outcomeOf } from './outcomes.ts'

const at = (iso: string) => Temporal.Instant.from(iso)
const of = (result: number) => outcomeOf(result) as Outcome
const london = (seconds: number) => fromUnix(seconds).toZonedDateTimeISO(LONDON)
/** Any second between 2020 and 2040. */
const anySecond = fc.integer({ min: 1_577_836_800, max: 2_208_988_800 })
/** Seconds about the turn of the clocks, in March and in October. */
const aboutTheTurn = fc
  .tuple(
    fc.constantFrom('2026-03-29T01:00:00Z', '2026-10-25T01:00:00Z', '2027-03-28T01:00:00Z'),
    fc.integer({ min: -9 * 86_400, max: 9 * 86_400 }),
  )
  .map(([turn, by]) => unix(at(turn)) + by)
const moment = fc.oneof(anySecond, aboutTheTurn)
const uk = (d: Temporal.PlainDate) => d.toString().split('-').reverse().join('/')

// Noon on 10 March: seven days on is still winter time; nine months on is winter again.
const NOW = at('2026-03-10T12:00:00Z')
const WEEK = unix(at('2026-03-17T12:00:00Z'))
const NINE_MONTHS = unix(at('2026-12-10T12:00:00Z'))
const keep = { expiry: undefined, callbackDate: undefined }
const callback = { expiry: WEEK, callbackDate: WEEK }
const none = { tray: undefined, dead: false }

describe('every outcome does what the specification says', () => {
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
    [18, { tray: 'after5', dead: false, lastResult: 19, expiry: null, callbackDate: null, note: 'Call after 5' }],
    [4, { tray: 'dead', dead: true, lastResult: 4, expiry: null, callbackDate: null, note: 'Dead do not call' }],
    [11, { tray: 'duplicates', dead: false, lastResult: 11, ...keep, note: 'Duplicate - Mark Delete' }],
    [48, { tray: 'baddetails', dead: false, lastResult: 48, ...keep, note: 'Bad Details' }],
    [49, { ...none, lastResult: undefined, ...keep, note: 'Skipped this lead.' }],
  ])('%i', (result, expected) => {
    expect(decide(of(result), NOW)).toEqual(expected)
  })

  test('and there are no others', () => {
    expect(OUTCOMES.map((o) => o.result).sort((a, b) => a - b)).toEqual([
      3, 4, 5, 11, 13, 18, 30, 31, 32, 43, 46, 47, 48, 49, 54,
    ])
    expect(outcomeOf(40)).toBeUndefined()
    expect(new Set(OUTCOMES.map((o) => o.label)).size).toBe(OUTCOMES.length)
  })
})

describe('dates', () => {
  /** The first quarter of an hour from a span on, as London's clock shows it, and the first working day from there. */
  function proposal(seconds: number, span: { days?: number; months?: number }) {
    const there = london(seconds).add(span)
    const late = there.minute % 15 || there.second ? 15 - (there.minute % 15) : 0
    const quarter = there.with({ second: 0 }).add({ minutes: late })
    const [time, opens, closes] = [quarter.toPlainTime().toString().slice(0, 5), '09:00', '17:00']
    const open = [opens, time, closes].sort()[1] ?? ''
    return { day: workingDayFrom(quarter.toPlainDate()), time: Temporal.PlainTime.from(open) }
  }

  test('a week on is the same time of day in London but for a quarter of an hour and as long as offices are open, on a working day', () => {
    fc.assert(
      fc.property(moment, fc.constantFrom(47, 31, 5, 30, 54), (seconds, result) => {
        const to = london(decide(of(result), fromUnix(seconds)).expiry as number)
        const { day, time } = proposal(seconds, { days: 7 })
        expect(to.toPlainDate().toString()).toBe(day.toString())
        expect(to.toPlainTime().toString()).toBe(time.toString())
      }),
    )
    // Good Friday, and the Monday after it.
    expect(decide(of(31), at('2026-03-27T09:07:00Z')).note).toBe('Callback on 07/04/2026 09:15')
  })

  test('nine months on is the same day of the month, or its last, or the working day after', () => {
    fc.assert(
      fc.property(moment, fc.constantFrom(3, 43), (seconds, result) => {
        const { expiry, note } = decide(of(result), fromUnix(seconds))
        const { day } = proposal(seconds, { months: 9 })
        expect(
          london(expiry as number)
            .toPlainDate()
            .toString(),
        ).toBe(day.toString())
        expect(note.endsWith(`Callback by ${uk(day)}`)).toBe(true)
      }),
    )
    expect(decide(of(3), at('2026-05-31T09:00:00Z')).note).toContain('01/03/2027')
  })

  test('a given date is kept to the second, and is what the note says', () => {
    fc.assert(
      fc.property(moment, moment, fc.constantFrom(...OUTCOMES), (seconds, given, outcome) => {
        const d = decide(outcome, fromUnix(seconds), given)
        const due = {
          keep: [undefined, undefined],
          clear: [null, null],
          callback: [given, given],
          span: [given, null],
        }[typeof outcome.when === 'string' ? outcome.when : 'span']
        expect([d.expiry, d.callbackDate]).toEqual(due)
        expect(d.note.includes(uk(london(given).toPlainDate()))).toBe(typeof d.expiry === 'number')
      }),
    )
  })

  test('without one they are whole seconds, later than now', () => {
    fc.assert(
      fc.property(moment, fc.constantFrom(...OUTCOMES), fc.constantFrom(undefined, null), (seconds, outcome, given) => {
        const d = decide(outcome, fromUnix(seconds), given)
        for (const v of [d.expiry, d.callbackDate].filter((x) => typeof x === 'number'))
          expect(Number.isInteger(v) && v > seconds + 6 * 86_400).toBe(true)
      }),
    )
  })

  test('the note’s time is London’s: summer time in summer', () => {
    expect(decide(of(31), NOW, unix(at('2026-07-01T08:30:00Z'))).note).toBe('Callback on 01/07/2026 09:30')
    expect(decide(of(31), NOW, unix(at('2026-12-31T23:30:00Z'))).note).toBe('Callback on 31/12/2026 23:30')
    expect(decide(of(31), at('2026-03-25T09:30:00Z')).note).toBe('Callback on 01/04/2026 09:30')
  })
})
