import { expect, test } from 'vitest'
import { isForLater, readOutbox } from './outbox.ts'

test.each([
  [0, undefined, true],
  [401, 'session_ended', true],
  [503, undefined, true],
  [409, 'still_running', true],
  [409, 'conflict', false],
  [403, 'in_person', false],
  [422, 'invalid', false],
] as const)('what was answered %i %s is sent again by itself: %s', (status, code, later) => {
  expect(isForLater({ status, code })).toBe(later)
})

test('a tab that has kept something else gives no signatures', () => {
  const kept = { key: 'k', name: 'Vic', body: { method: 'typed' } }
  expect(readOutbox({ waiting: [kept, { key: 'no body' }, null] })).toEqual([kept])
  for (const odd of [undefined, {}, { waiting: 'Vic' }]) expect(readOutbox(odd)).toEqual([])
})
