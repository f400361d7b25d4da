import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildLocalPaletteGroups, findMatchingItems, selectPaletteGroupsBeforePending } from './search.ts'

const groups = (...pending: boolean[]) => pending.map((p, n) => ({ n, pending: p }))
const numbers = (of: readonly { n: number }[]) => of.map((g) => g.n)

test('palette groups are shown in order up to the first pending one', () => {
  expect(numbers(selectPaletteGroupsBeforePending(groups(false, false, true, false)))).toEqual([0, 1])
  expect(numbers(selectPaletteGroupsBeforePending(groups(true, false)))).toEqual([])
  expect(numbers(selectPaletteGroupsBeforePending(groups(false, false)))).toEqual([0, 1])
})

test('later palette groups are only appended, even if responses arrive out of order', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 8 }).chain((n) => fc.shuffledSubarray([...Array(n).keys()], { minLength: n })),
      (arrivals) => {
        let before: number[] = []
        for (let n = 0; n <= arrivals.length; n++) {
          const there = new Set(arrivals.slice(0, n))
          const shown = numbers(
            selectPaletteGroupsBeforePending(arrivals.map((_, at) => ({ n: at, pending: !there.has(at) }))),
          )
          expect(shown.slice(0, before.length)).toEqual(before)
          before = shown
        }
        expect(before).toHaveLength(arrivals.length)
      },
    ),
  )
})

const named = (...labels: string[]) => labels.map((label) => ({ label }))
const order = (query: string) =>
  buildLocalPaletteGroups(query, {
    recent: findMatchingItems(query, named('Quotes & Sons Ltd')),
    here: findMatchingItems(query, named('Export quotes as CSV')),
    actions: findMatchingItems(query, named('Sign out', 'New quote', 'Import leads')),
    screens: findMatchingItems(query, named('Leads', 'Quotes', 'Newer quotes')),
  }).flatMap((g) => g.choices.map((c) => c.label))

test('items that begin with the query are listed first, even if they are not in the first group', () => {
  expect(order('New quote')[0]).toBe('New quote')
  expect(order('new q')[0]).toBe('New quote')
  expect(order('leads')).toEqual(['Leads', 'Import leads'])
  expect(order('import')).toEqual(['Import leads'])
  expect(order('quotes')[0]).toBe('Quotes')
  expect(order('export')).toEqual(['Export quotes as CSV'])
  expect(order('').slice(0, 3)).toEqual(['Quotes & Sons Ltd', 'Export quotes as CSV', 'Leads'])
})

test('recently opened records are listed first if there is no query', () => {
  expect(order('')[0]).toBe('Quotes & Sons Ltd')
  expect(order('')).toHaveLength(8)
})
