import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hasUnsentText, markSent, receiveValue, type SearchInput, searchInputOf } from './search-input.ts'

test('typed text is never lost, however late a search reaches the address', () => {
  const step = fc.oneof(fc.constantFrom('a', 'b', ' ', 'ask', 'hear'))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let typed: SearchInput = searchInputOf('')
      const onTheWay: string[] = []
      let words = ''
      for (const one of [...steps, 'ask']) {
        if (one === 'hear') typed = onTheWay.length ? receiveValue(typed, onTheWay.shift() ?? '') : typed
        else if (one !== 'ask') {
          words += one
          typed = { ...typed, text: words }
        } else if (hasUnsentText(typed)) {
          onTheWay.push(words.trim())
          typed = markSent(typed)
        }
        expect(typed.text).toBe(words)
      }
      for (const value of onTheWay) typed = receiveValue(typed, value)
      expect(typed).toMatchObject({ text: words, value: words.trim(), asked: [] })
    }),
  )
})

test('a search from elsewhere, such as by going back, replaces the text of the box', () => {
  expect(receiveValue({ ...searchInputOf('ladders'), text: 'ladders and' }, 'roof')).toEqual(searchInputOf('roof'))
  expect(receiveValue(markSent({ ...searchInputOf(''), text: 'roof' }), 'ladders')).toEqual(searchInputOf('ladders'))
})

test('text that has been searched for already is not sent again', () => {
  expect(hasUnsentText({ ...searchInputOf('roof'), text: ' roof ' })).toBe(false)
  expect(hasUnsentText(markSent({ ...searchInputOf(''), text: 'roof' }))).toBe(false)
})
