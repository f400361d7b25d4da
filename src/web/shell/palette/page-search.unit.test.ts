import { expect, test } from 'vitest'
import { findMatchingItems, localPaletteGroups, matchesAllWords } from './page-search.ts'

test('each word of the query must match the beginning of a word in the text', () => {
  expect(matchesAllWords('', 'Leads')).toBe(true)
  expect(matchesAllWords('imp le', 'Import leads')).toBe(true)
  expect(matchesAllWords('café', 'Cafe rota')).toBe(true)
  expect(matchesAllWords('ead', 'Leads')).toBe(false)
  expect(matchesAllWords('leads roles', 'Import leads')).toBe(false)
})

const named = (...labels: string[]) => labels.map((label) => ({ label }))
const order = (query: string) =>
  localPaletteGroups(query, {
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
