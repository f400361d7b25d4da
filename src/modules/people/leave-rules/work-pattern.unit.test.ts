import { expect, test } from 'vitest'
import { dayNumberOf, epochMinutesAt } from './days.ts'
import { partMinutesOn, partsOverlap, type RequestPart } from './request-part.ts'
import { cycleProblem, type DatedPattern, type Shift, workingMinutesBetween, workingMinutesOn } from './work-pattern.ts'

const shift = (from: string, until: string, breakMinutes = 0): Shift => ({ from, until, breakMinutes })
const OFFICE = shift('09:00', '17:30', 30)
const NIGHT = shift('22:00', '06:00')
const every = (...shifts: Shift[]): DatedPattern[] => [{ from: '2020-01-06', cycleStart: '2020-01-06', days: [shifts] }]
const part = (more: Partial<RequestPart>): RequestPart => ({
  firstDay: '2026-06-01',
  lastDay: '2026-06-01',
  portion: 'day',
  from: null,
  until: null,
  ...more,
})

test('weeks alternate from the first day of the cycle, and a new pattern applies from its day', () => {
  const patterns: DatedPattern[] = [
    { from: '2026-01-07', cycleStart: '2026-01-05', days: [...Array(7).fill([OFFICE]), ...Array(7).fill([])] },
    { from: '2026-02-01', cycleStart: '2026-02-01', days: [[shift('08:00', '12:00')]] },
  ]
  const days = ['2026-01-06', '2026-01-07', '2026-01-12', '2026-01-19', '2026-01-31', '2026-02-01']
  expect(days.map((day) => workingMinutesOn(patterns, day))).toEqual([0, 480, 0, 480, 0, 240])
})

test('a night shift is an hour shorter or longer when the clocks change, and a 24-hour shift as well', () => {
  const nights = ['2026-03-27', '2026-03-28', '2026-10-24'].map((day) => workingMinutesOn(every(NIGHT), day))
  expect(nights).toEqual([480, 420, 540])
  const long = ['2026-03-27', '2026-03-28', '2026-10-24'].map((day) =>
    workingMinutesOn(every(shift('09:00', '09:00')), day),
  )
  expect(long).toEqual([1440, 1380, 1500])
})

test('working minutes between two times leave out the break in the middle of the shift', () => {
  const at = (minute: number) => epochMinutesAt(dayNumberOf('2026-06-01'), minute)
  const between = (from: number, until: number) =>
    workingMinutesBetween(every(OFFICE), ['2026-05-31', '2026-06-01'], at(from), at(until))
  // The break is from 13:00 to 13:30.
  expect([between(540, 1050), between(780, 810), between(0, 780), between(795, 1440)]).toEqual([480, 0, 240, 240])
})

test('half days add up to the whole day, and an odd minute belongs to the first half', () => {
  const patterns = every(shift('09:00', '16:31'))
  expect(partMinutesOn(patterns, part({ portion: 'morning' }), '2026-06-01')).toBe(226)
  expect(partMinutesOn(patterns, part({ portion: 'afternoon' }), '2026-06-01')).toBe(225)
})

test('hours of a request count the shift of the night before, and stated hours where hours are irregular', () => {
  const early = part({ portion: 'hours', from: '04:00', until: '08:00' })
  expect(partMinutesOn(every(NIGHT), early, '2026-06-01')).toBe(120)
  const late = part({ portion: 'hours', from: '23:00', until: '01:00' })
  expect(partMinutesOn(every(NIGHT), late, '2026-06-01')).toBe(120)
  const irregular = [{ from: '2020-01-06', cycleStart: '2020-01-06', days: [] }]
  expect(partMinutesOn(irregular, early, '2026-06-01')).toBe(240)
  expect(partMinutesOn(irregular, part({}), '2026-06-01')).toBe(0)
})

test('parts overlap by the clock: both halves of a day do not, half a day and its hours do', () => {
  const [morning, afternoon] = [part({ portion: 'morning' }), part({ portion: 'afternoon' })]
  expect(partsOverlap(morning, afternoon)).toBe(false)
  expect(partsOverlap(morning, part({ portion: 'hours', from: '11:00', until: '13:00' }))).toBe(true)
  expect(partsOverlap(part({}), afternoon)).toBe(true)
  expect(partsOverlap(part({ lastDay: '2026-06-05' }), part({ firstDay: '2026-06-06', lastDay: '2026-06-06' }))).toBe(
    false,
  )
})

test('a pattern with overlapping shifts, a break longer than its shift or an unknown time is refused', () => {
  expect(cycleProblem([[OFFICE], []])).toBeUndefined()
  expect(cycleProblem([[shift('09:00', '09:00')], []])).toBeUndefined()
  expect(cycleProblem([[NIGHT, shift('05:00', '09:00')], []])).toBeUndefined()
  expect(cycleProblem([[NIGHT], [shift('05:00', '09:00')]])).toContain('overlap')
  expect(cycleProblem([[shift('05:00', '09:00'), NIGHT]])).toContain('overlap')
  expect(cycleProblem([[shift('09:00', '10:00', 60)]])).toContain('break')
  expect(cycleProblem([[shift('9:00', '24:00')]])).toContain('from, until')
  for (const wrong of [[], 'x', [[{}]], [[OFFICE, OFFICE, OFFICE, OFFICE, OFFICE]], Array(85).fill([])])
    expect(cycleProblem(wrong)).toBeDefined()
})
