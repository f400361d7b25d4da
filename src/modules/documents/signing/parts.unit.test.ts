import { expect, test } from 'vitest'
import { limitReadingTimes } from './parts.server.ts'

const now = Temporal.Instant.from('2026-03-02T09:01:00.5Z')
const opened = [
  { part: '/api/safety/documents/1', name: 'RA-0001 revision 1', seconds: 40 },
  { part: '/api/safety/documents/2', name: 'RA-0002 revision 1', seconds: 86_400 },
]
const secondsSince = (since: string | null) => limitReadingTimes(opened, since, { now }).map(({ seconds }) => seconds)

test('a reading time is at most the time since an instant, in seconds started', () => {
  expect(secondsSince('2026-03-02T09:00:00Z')).toEqual([40, 61])
  expect(secondsSince('2026-03-02T09:00:50Z')).toEqual([11, 11])
  expect(secondsSince('2026-03-01T09:00:00Z')).toEqual([40, 86_400])
})

test('reading times without a known start, and entries that are no parts, are returned as they are', () => {
  expect(secondsSince(null)).toEqual([40, 86_400])
  for (const odd of ['all', [null, 'x', { seconds: 'long' }]])
    expect(limitReadingTimes(odd as never, '2026-03-02T09:00:00Z', { now })).toEqual(odd)
})
