import { expect, it } from 'vitest'
import { formatRelativeTime } from './relative-time.ts'

const now = Temporal.Instant.from('2026-03-10T12:00:00Z')
const said = (at: string, due = false) => formatRelativeTime(Temporal.Instant.from(at), now, due)

it.each([
  ['2026-03-10T12:00:30Z', 'just now'],
  ['2026-03-10T12:05:00Z', 'in 5 min'],
  ['2026-03-10T14:30:00Z', 'in 2 h'],
  ['2026-03-11T09:00:00Z', 'tomorrow'],
  ['2026-03-13T09:00:00Z', 'in 3 days'],
  ['2026-03-31T09:00:00Z', 'in 3 weeks'],
  ['2026-12-10T12:00:00Z', 'in 9 months'],
  ['2029-03-10T12:00:00Z', 'in 3 years'],
  ['2026-03-10T11:30:00Z', '30 min ago'],
  ['2026-03-09T09:00:00Z', 'yesterday'],
  ['2026-03-04T12:00:00Z', '6 days ago'],
])('the time %s is shown as %s', (at, text) => expect(said(at)).toEqual({ text, late: false }))

it.each([
  ['2026-03-10T10:00:00Z', '2 h late'],
  ['2026-03-09T14:00:00Z', '22 h late'],
  ['2026-03-08T09:00:00Z', '2 days late'],
])('the due time %s is shown as %s', (at, text) => expect(said(at, true)).toEqual({ text, late: true }))

it('a deadline is not shown as overdue before it has passed', () =>
  expect(said('2026-03-13T09:00:00Z', true)).toEqual({ text: 'in 3 days', late: false }))
