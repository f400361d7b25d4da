import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ask, hear, isNews, type Typed, typedAs } from './typed.ts'

test('nothing that is typed is lost, however late the list hears of what was asked for before', () => {
  const step = fc.oneof(fc.constantFrom('a', 'b', ' ', 'ask', 'hear'))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let typed: Typed = typedAs('')
      const onTheWay: string[] = []
      let words = ''
      for (const one of [...steps, 'ask']) {
        if (one === 'hear') typed = onTheWay.length ? hear(typed, onTheWay.shift() ?? '') : typed
        else if (one !== 'ask') {
          words += one
          typed = { ...typed, text: words }
        } else if (isNews(typed)) {
          onTheWay.push(words.trim())
          typed = ask(typed)
        }
        expect(typed.text).toBe(words)
      }
      for (const value of onTheWay) typed = hear(typed, value)
      expect(typed).toMatchObject({ text: words, value: words.trim(), asked: [] })
    }),
  )
})

test('a search that others begin, as by going back, takes the place of what stands in the field', () => {
  expect(hear({ ...typedAs('ladders'), text: 'ladders and' }, 'roof')).toEqual(typedAs('roof'))
  expect(hear(ask({ ...typedAs(''), text: 'roof' }), 'ladders')).toEqual(typedAs('ladders'))
})

test('what was asked for and is searched for already is not asked for again', () => {
  expect(isNews({ ...typedAs('roof'), text: ' roof ' })).toBe(false)
  expect(isNews(ask({ ...typedAs(''), text: 'roof' }))).toBe(false)
})
