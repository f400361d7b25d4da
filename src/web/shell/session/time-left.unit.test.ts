import { expect, test } from 'vitest'
import { formatTimeLeft } from './time-left.ts'

test('the time left counts down to zero', () => {
  const until = '2026-03-01T10:30:00+00:00'
  const at = (t: string) => formatTimeLeft(until, Date.parse(`2026-03-01T${t}Z`))
  expect(at('10:00:00')).toBe('30:00')
  expect(at('10:00:55')).toBe('29:05')
  expect(at('09:25:00')).toBe('1:05:00')
  expect(at('10:29:59.200')).toBe('0:01')
  expect(at('11:00:00')).toBe('0:00')
})
