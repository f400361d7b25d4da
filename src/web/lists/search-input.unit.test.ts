import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSearchInput, hasUnsentText, markTextSent, receiveSearchValue, type SearchInput } from './search-input.ts'

test('text typed in a search box is not lost if an earlier search reaches the URL late', () => {
  const step = fc.oneof(fc.constantFrom('a', 'b', ' ', 'ask', 'hear'))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let typed: SearchInput = createSearchInput('')
      const onTheWay: string[] = []
      let words = ''
      for (const one of [...steps, 'ask']) {
        if (one === 'hear') typed = onTheWay.length ? receiveSearchValue(typed, onTheWay.shift() ?? '') : typed
        else if (one !== 'ask') {
          words += one
          typed = { ...typed, text: words }
        } else if (hasUnsentText(typed)) {
          onTheWay.push(words.trim())
          typed = markTextSent(typed)
        }
        expect(typed.text).toBe(words)
      }
      for (const value of onTheWay) typed = receiveSearchValue(typed, value)
      expect(typed).toMatchObject({ text: words, value: words.trim(), asked: [] })
    }),
  )
})

test('a search text set by other means, such as going back, replaces the text in the search box', () => {
  expect(receiveSearchValue({ ...createSearchInput('ladders'), text: 'ladders and' }, 'roof')).toEqual(
    createSearchInput('roof'),
  )
  expect(receiveSearchValue(markTextSent({ ...createSearchInput(''), text: 'roof' }), 'ladders')).toEqual(
    createSearchInput('ladders'),
  )
})

test('a search text that has already been sent is not sent again', () => {
  expect(hasUnsentText({ ...createSearchInput('roof'), text: ' roof ' })).toBe(false)
  expect(hasUnsentText(markTextSent({ ...createSearchInput(''), text: 'roof' }))).toBe(false)
})
