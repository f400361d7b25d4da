import { expect, it } from 'vitest'
import { formatUkDateTime } from '#kernel/time.ts'
import { parseCallbackDate, suggestCallbackDates } from './callback-date.web.ts'

// A Friday in winter.
const now = Temporal.Instant.from('2026-11-20T13:30:00Z')

it.each([
  ['tomorrow 10:00', '21/11/2026 10:00'],
  ['tomorrow', '21/11/2026 10:00'],
  ['tue 9', '24/11/2026 09:00'],
  ['next monday at 2pm', '23/11/2026 14:00'],
  ['fri', '27/11/2026 10:00'],
  ['fri 3', '27/11/2026 15:00'],
  ['fri at 6', '27/11/2026 18:00'],
  ['fri 3:30', '27/11/2026 15:30'],
  ['fri 03:30', '27/11/2026 03:30'],
  ['fri 3am', '27/11/2026 03:00'],
  ['tue 7', '24/11/2026 07:00'],
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
  ['2h', '20/11/2026 15:30'],
  ['in 2 hours', '20/11/2026 15:30'],
  ['in an hour', '20/11/2026 14:30'],
  ['half an hour', '20/11/2026 14:00'],
  ['in 30 min', '20/11/2026 14:00'],
  ['90m', '20/11/2026 15:00'],
  ['in a week', '27/11/2026 13:30'],
  ['in 3 months', '20/02/2027 13:30'],
  ['this afternoon', '20/11/2026 14:00'],
  ['this morning', '20/11/2026 14:30'],
  ['tonight', '20/11/2026 18:00'],
  ['noon', '21/11/2026 12:00'],
  ['tomorrow afternoon', '21/11/2026 14:00'],
  ['mon in the morning', '23/11/2026 10:00'],
])('the callback date "%s" is parsed as %s', (typed, at) =>
  expect(formatUkDateTime(parseCallbackDate(typed, now)!)).toBe(at),
)

it.each(['soon', '25:00', '31/02/2027', '13pm', 'tomorrow 9:75', '7', 'in half a day', 'in', 'an', 'this'])(
  '"%s" is rejected as a callback date',
  (typed) => expect(parseCallbackDate(typed, now)).toBeUndefined(),
)

it.each([
  // Four test times: a Friday in winter, the Friday before summer time begins, the Thursday before Easter, and a
  // Saturday.
  [
    '2026-11-20T13:37:00Z',
    'In an hour 20/11 14:45, Monday 10:00 23/11 10:00, Tuesday 10:00 24/11 10:00, In a week 27/11 13:45',
  ],
  [
    '2026-03-27T09:00:00Z',
    'In an hour 27/03 10:00, Monday 10:00 30/03 10:00, Tuesday 10:00 31/03 10:00, In a week 07/04 09:00',
  ],
  [
    '2026-04-02T08:00:00Z',
    'In an hour 02/04 10:00, Tuesday 10:00 07/04 10:00, Wednesday 10:00 08/04 10:00, In a week 09/04 09:00',
  ],
  // Times before nine and after five, because a date one week later must be moved into working hours.
  [
    '2026-11-23T07:45:00Z',
    'In an hour 23/11 08:45, Tomorrow 10:00 24/11 10:00, Wednesday 10:00 25/11 10:00, Next Monday 30/11 10:00, In a week 30/11 09:00',
  ],
  ['2026-11-21T18:35:00Z', 'Monday 10:00 23/11 10:00, Tuesday 10:00 24/11 10:00, In a week 30/11 17:00'],
  ['2026-11-21T16:35:00Z', 'Monday 10:00 23/11 10:00, Tuesday 10:00 24/11 10:00, In a week 30/11 16:45'],
  [
    '2026-11-17T10:00:00Z',
    'In an hour 17/11 11:00, Tomorrow 10:00 18/11 10:00, Thursday 10:00 19/11 10:00, Next Monday 23/11 10:00, In a week 24/11 10:00',
  ],
])('the most common callback dates at %s are suggested, all on working days', (iso, said) =>
  expect(
    suggestCallbackDates(Temporal.Instant.from(iso))
      .map((s) => `${s.label} ${formatUkDateTime(s.at).replace(/\/\d{4}/, '')}`)
      .join(', '),
  ).toBe(said),
)
