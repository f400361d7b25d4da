import { expect, test } from 'vitest'
import { findUnprintableCharacters, makeTextPrintable } from './coverage.ts'

test.each([
  'Łódź, Nguyễn, Ærøskøbing',
  'Ελληνικά',
  'Українська',
  'عربي',
  'עברית',
  '👷 🔥 ⚠️',
  'á – “½” €',
  '1\u00a0000\n\t',
])('the document fonts contain every character of %s', (text) => {
  expect(findUnprintableCharacters(text)).toEqual([])
  expect(makeTextPrintable(text)).toBe(text)
})

test('a character that no font contains is reported once, and printed as its code point', () => {
  expect(findUnprintableCharacters('李 and 李明')).toEqual(['李', '明'])
  expect(makeTextPrintable('Mr 李')).toBe('Mr [U+674E]')
})

test('text-direction marks and control characters are removed from printed text', () => {
  expect(makeTextPrintable('live\u202efdp.exe\u0007')).toBe('livefdp.exe')
})
