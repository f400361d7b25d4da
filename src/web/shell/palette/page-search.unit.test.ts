import { expect, test } from 'vitest'
import { allWords } from './page-search.ts'

test('every word of the query begins a word of the text', () => {
  expect(allWords('', 'Leads')).toBe(true)
  expect(allWords('imp le', 'Import leads')).toBe(true)
  expect(allWords('café', 'Cafe rota')).toBe(true)
  expect(allWords('ead', 'Leads')).toBe(false)
  expect(allWords('leads roles', 'Import leads')).toBe(false)
})
