import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hasUnsentText, markSent, receiveValue, type SearchInput, searchInputOf } from './search-input.ts'

test('nothing that is typed is lost, however late the list hears of what was asked for before', () => {
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

test('a search that others begin, as by going back, takes the place of what stands in the field', () => {
  expect(receiveValue({ ...searchInputOf('ladders'), text: 'ladders and' }, 'roof')).toEqual(searchInputOf('roof'))
  expect(receiveValue(markSent({ ...searchInputOf(''), text: 'roof' }), 'ladders')).toEqual(searchInputOf('ladders'))
})

test('what was asked for and is searched for already is not asked for again', () => {
  expect(hasUnsentText({ ...searchInputOf('roof'), text: ' roof ' })).toBe(false)
  expect(hasUnsentText(markSent({ ...searchInputOf(''), text: 'roof' }))).toBe(false)
})
