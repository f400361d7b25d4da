import { expect, it } from 'vitest'
import { ukDateTime } from '#kernel/time.ts'
import { parseCallback, suggestions } from './callback-date.web.ts'

// A Friday in winter.
const now = Temporal.Instant.from('2026-11-20T13:30:00Z')

it.each([
  ['tomorrow 10:00', '21/11/2026 10:00'],
  ['tomorrow', '21/11/2026 10:00'],
  ['tue 9', '24/11/2026 09:00'],
  ['next monday at 2pm', '23/11/2026 14:00'],
  ['fri', '27/11/2026 10:00'],
  ['14:30', '20/11/2026 14:30'],
  ['9.15', '21/11/2026 09:15'],
  ['12am', '21/11/2026 00:00'],
  ['+3', '23/11/2026 13:30'],
  ['in 2 weeks', '04/12/2026 13:30'],
  ['10 days', '30/11/2026 13:30'],
  ['5/12 10:00', '05/12/2026 10:00'],
  ['5/1', '05/01/2027 10:00'],
  ['05/12/2026 16:45', '05/12/2026 16:45'],
  ['2026-12-05', '05/12/2026 10:00'],
])('"%s" is read as %s', (typed, at) => expect(ukDateTime(parseCallback(typed, now)!)).toBe(at))

it.each(['soon', '25:00', '31/02/2027', '13pm', 'tomorrow 9:75', '7'])('"%s" is read as no date', (typed) =>
  expect(parseCallback(typed, now)).toBeUndefined(),
)

it('suggests what is agreed most often, by the clock in London', () =>
  expect(
    suggestions(Temporal.Instant.from('2026-03-27T09:00:00Z')).map((s) => `${s.label}: ${ukDateTime(s.at)}`),
  ).toEqual([
    'Tomorrow 10:00: 28/03/2026 10:00',
    'In 2 days: 29/03/2026 10:00',
    'Next Monday: 30/03/2026 10:00',
    '+7 days: 03/04/2026 09:00',
  ]))
