import { expect, test } from 'vitest'
import { validityEnd } from './validity.ts'

test('training is valid to the day before it is as many months old as the course is valid', () => {
  expect(validityEnd('2026-03-15', 36)).toBe('2029-03-14')
  expect(validityEnd('2026-01-31', 1)).toBe('2026-02-28')
  expect(validityEnd('2024-02-29', 12)).toBe('2025-02-28')
  expect(validityEnd('2026-03-01', null)).toBeNull()
})
