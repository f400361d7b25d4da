import { expect, it } from 'vitest'
import type { TimelineNote } from '../contacts/data.web.ts'
import { DEFAULT_OUTCOMES } from '../outcomes/outcome.server.ts'
import { describeCallAttempts, describeDueReason, formatTimeInZone, timeZoneForPhoneNumber } from './due-reason.web.ts'

const now = Temporal.Instant.from('2026-03-10T12:00:00Z')
const ago = (hours: number) => now.subtract({ hours }).epochMilliseconds / 1000
const lead = { callbackDate: null, expiry: null, lastResult: null, wonAt: null }

it('the reason for a call states the delay in the same words as the list', () => {
  expect(describeDueReason({ ...lead, callbackDate: ago(2) }, now)).toBe('Callback, 2 h late.')
  expect(describeDueReason({ ...lead, callbackDate: ago(33) }, now)).toBe('Callback, 1 day late.')
  expect(describeDueReason(lead, now)).toBe('New lead, not called yet.')
})

const outcomes = new Map(DEFAULT_OUTCOMES.map((row) => [row.id, row]))
const note = (id: number, result: number | null, timestamp = '2026-03-09T10:00:00+00:00') =>
  ({ id, timestamp, lastResult: result && { id: result, text: '' } }) as TimelineNote

it('the number of call attempts excludes edits of the lead and skipped calls', () => {
  expect(describeCallAttempts(lead, undefined, outcomes)).toBe('')
  expect(describeCallAttempts(lead, [note(1, 40), note(2, 49), note(3, null)], outcomes)).toBe('Not called yet')
  expect(describeCallAttempts({ lastResult: { text: 'Callback' } as never }, [], outcomes)).toBe('')
  expect(describeCallAttempts(lead, [note(2, 47), note(1, 40)], outcomes)).toBe('Called once, last on 09/03/2026')
  expect(describeCallAttempts(lead, [note(1, 47, '2026-01-02T10:00:00Z'), note(4, 31), note(3, 47)], outcomes)).toBe(
    'Called 3 times, last on 09/03/2026',
  )
})

it('the time zone of a telephone number is derived from its dialling code', () => {
  expect(timeZoneForPhoneNumber('01632 960123')).toBe('Europe/London')
  expect(timeZoneForPhoneNumber('+33 1 23 45')).toBe('Europe/Paris')
  expect(timeZoneForPhoneNumber('+1 212 555')).toBeUndefined()
  expect(formatTimeInZone(now, 'Europe/Paris')).toBe('13:00')
})
