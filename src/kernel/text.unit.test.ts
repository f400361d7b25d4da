import { expect, test } from 'vitest'
import { text } from './fields.ts'
import { isName } from './signature.ts'
import { showsText } from './text.ts'
import { problems } from './validate.ts'

test.each(['', ' ', '\n\t', '\u00a0', '\u200b\u2060', '\u202e', '\u00ad', '\u3164', '\u2800', '\u0000', '\ufeff'])(
  'a text of %j shows nothing, and answers no required field',
  (given) => {
    expect(showsText(given)).toBe(false)
    expect(problems({ reason: text({ required: true }) }, { reason: given })).toHaveLength(1)
  },
)

test.each(['a', ' a ', '.', '1', '\u200ba', 'ж', '中', '💩', '\u0000a'])('a text of %j shows something', (given) => {
  expect(showsText(given)).toBe(true)
})

test('a name has a letter', () => {
  expect(['Ann', 'Жанна', '王', 'X Æ A-12'].every(isName)).toBe(true)
  expect(['', ' ', '\u200b', '1', '...', '💩', undefined].some(isName)).toBe(false)
})
