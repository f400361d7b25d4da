import { expect, test } from 'vitest'
import { printable, unprintable } from './coverage.ts'

test.each([
  'Łódź, Nguyễn, Ærøskøbing',
  'Ελληνικά',
  'Українська',
  'عربي',
  'עברית',
  '👷 🔥 ⚠️',
  'á – “½” €',
  '1\u00a0000\n\t',
])('a paper can show %s', (text) => {
  expect(unprintable(text)).toEqual([])
  expect(printable(text)).toBe(text)
})

test('a character that no font has is told once, and printed by its number', () => {
  expect(unprintable('李 and 李明')).toEqual(['李', '明'])
  expect(printable('Mr 李')).toBe('Mr [U+674E]')
})

test('marks that turn a text round, and control characters, are left out', () => {
  expect(printable('live\u202efdp.exe\u0007')).toBe('livefdp.exe')
})
