import { expect, test } from 'vitest'
import { findUnprintableCharacters, makeTextPrintable } from './coverage.ts'

test.each([
  'Łódź, Nguyễn, Ærøskøbing',
  'Ελληνικά',
  'Українська',
  'عربي',
  'עברית',
  '👷 🔥 ⚠️',
  '李明 漢字 简体字 繁體字 株式会社ひらがなカタカナ 々〒',
  '한국어',
  'हिन्दी',
  'ภาษาไทย',
  'á – “½” €',
  '1\u00a0000\n\t',
])('the document fonts contain every character of %s', (text) => {
  expect(findUnprintableCharacters(text)).toEqual([])
  expect(makeTextPrintable(text)).toBe(text)
})

test('a character that no font contains is reported once, and printed as its code point', () => {
  expect(findUnprintableCharacters('አ and አበ')).toEqual(['አ', 'በ'])
  expect(makeTextPrintable('Mr አ')).toBe('Mr [U+12A0]')
})

test('text-direction marks and control characters are removed from printed text', () => {
  expect(makeTextPrintable('live\u202efdp.exe\u0007')).toBe('livefdp.exe')
})
