import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  createSearchBoxState,
  hasUnsentSearchText,
  markSearchTextSent,
  receiveSearchText,
  type SearchBoxState,
} from './search-input.ts'

test('text typed in a search box is not lost if an earlier search reaches the URL late', () => {
  const step = fc.oneof(fc.constantFrom('a', 'b', ' ', 'ask', 'hear'))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let typed: SearchBoxState = createSearchBoxState('')
      const onTheWay: string[] = []
      let words = ''
      for (const one of [...steps, 'ask']) {
        if (one === 'hear') typed = onTheWay.length ? receiveSearchText(typed, onTheWay.shift() ?? '') : typed
        else if (one !== 'ask') {
          words += one
          typed = { ...typed, text: words }
        } else if (hasUnsentSearchText(typed)) {
          onTheWay.push(words.trim())
          typed = markSearchTextSent(typed)
        }
        expect(typed.text).toBe(words)
      }
      for (const value of onTheWay) typed = receiveSearchText(typed, value)
      expect(typed).toMatchObject({ text: words, value: words.trim(), asked: [] })
    }),
  )
})

test('a search term changed by other means, such as going back, replaces the text in the search box', () => {
  expect(receiveSearchText({ ...createSearchBoxState('ladders'), text: 'ladders and' }, 'roof')).toEqual(
    createSearchBoxState('roof'),
  )
  expect(receiveSearchText(markSearchTextSent({ ...createSearchBoxState(''), text: 'roof' }), 'ladders')).toEqual(
    createSearchBoxState('ladders'),
  )
})

test('a search term that has already been sent is not sent again', () => {
  expect(hasUnsentSearchText({ ...createSearchBoxState('roof'), text: ' roof ' })).toBe(false)
  expect(hasUnsentSearchText(markSearchTextSent({ ...createSearchBoxState(''), text: 'roof' }))).toBe(false)
})
