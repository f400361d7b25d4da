import { expect, test } from 'vitest'
import { text } from './fields.ts'
import { isPersonName } from './signature.ts'
import { hasVisibleText, removeInvisibleCharacters } from './text.ts'
import { fieldViolations } from './validate.ts'

test.each(['', ' ', '\n\t', '\u00a0', '\u200b\u2060', '\u202e', '\u00ad', '\u3164', '\u2800', '\u0000', '\ufeff'])(
  'the text %j is invisible and does not satisfy a required field',
  (given) => {
    expect(hasVisibleText(given)).toBe(false)
    expect(fieldViolations({ reason: text({ required: true }) }, { reason: given })).toHaveLength(1)
  },
)

test.each(['a', ' a ', '.', '1', '\u200ba', 'ж', '中', '💩', '\u0000a'])('the text %j is visible', (given) => {
  expect(hasVisibleText(given)).toBe(true)
})

test('a name must contain a letter', () => {
  expect(['Ann', 'Жанна', '王', 'X Æ A-12'].every(isPersonName)).toBe(true)
  expect(['', ' ', '\u200b', '1', '...', '💩', undefined].some(isPersonName)).toBe(false)
})

test.each([
  ['invoice\u202egpj.exe', 'invoicegpj.exe'],
  ['\u2066a\u2069\u200e\u200fb\u061c', 'ab'],
  ['A\u200bnn\u00ad \ufeffLee', 'Ann Lee'],
  ['bell\u0007 and\u0000\u0085 null', 'bell and null'],
  ['two\nlines\tand\u2028more', 'two lines and more'],
  ['wide\u00a0\u2003\u200b   gap.pdf', 'wide gap.pdf'],
  ['\u3164\u2800\u2060', ''],
  ['half \ud800 a pair', 'half \ufffd a pair'],
  ['Siân’s Straße 李 عمل 💩.pdf', 'Siân’s Straße 李 عمل 💩.pdf'],
])('the text %j is displayed without invisible characters as %j', (given, seen) => {
  expect(removeInvisibleCharacters(given)).toBe(seen)
  expect(removeInvisibleCharacters(seen)).toBe(seen)
})
