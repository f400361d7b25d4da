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
])('the fonts cover %s', (text) => {
  expect(unprintable(text)).toEqual([])
  expect(printable(text)).toBe(text)
})

test('a character that no font covers is reported once, and printed as its code point', () => {
  expect(unprintable('李 and 李明')).toEqual(['李', '明'])
  expect(printable('Mr 李')).toBe('Mr [U+674E]')
})

test('direction marks and control characters are removed', () => {
  expect(printable('live\u202efdp.exe\u0007')).toBe('livefdp.exe')
})
