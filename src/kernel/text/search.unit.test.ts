import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTextMatcher, matchesWordBeginnings, toSearchForm } from './search.ts'
import { listSearchTerms } from './search-terms.ts'

test.each([
  ['Siân Ŵyn ŷ', 'sian wyn y'],
  ['O’Hara, O‘Hara, OʼHara, O`Hara, O´Hara, O′Hara', 'ohara ohara ohara ohara ohara ohara'],
  ["O'Brien & Sons R&D", 'obrien and sons r and d'],
  ['Łukasz Żak', 'lukasz zak'],
  ['Straße GROẞ Ærø Œuvre Þór Đuro Søren ılıca İzmir', 'strasse gross aero oeuvre thor duro soren ilica izmir'],
  ['Smith-Jones Smith–Jones Smith‐Jones', 'smithjones smithjones smithjones'],
  ['LS1 1AA and\tSW1A\u00a02AA', 'ls11aa and sw1a2aa'],
  ['Unit 5\n6 Mill Lane', 'unit5 6mill lane'],
  ['A.B.C. (UK) “Ltd” — 50%_\\', 'abc uk ltd50'],
  ['zero\u200bwidth soft\u00adhyphen', 'zerowidth softhyphen'],
  ['Ａcme ｉｎｃ ﬁre', 'acme inc fire'],
  ['ΣΊΣΥΦΟΣ Жуков', 'σισυφοσ жуков'],
  ['🔥 Fire ❤️', '🔥 fire'],
  ['\ud800 \ufffd \u0000 !?', ''],
])('the search form of %j is %j', (text, form) => {
  expect(toSearchForm(text)).toBe(form)
})

test('a search form contains no pattern characters, and converting it again does not change it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const form = toSearchForm(text)
      expect(form).not.toMatch(/[%_\\]|^ | $| {2}| [0-9]|\n/)
      expect(toSearchForm(form)).toBe(form)
    }),
  )
})

const splitWords = (query: string) => query.split(/\s+/).filter(Boolean)

test.each([
  ['07700 900123', ['7700900123']],
  ['+44 (0)7700 900123', ['7700900123']],
  ['0044-7700-900123', ['7700900123']],
  ['+33 6 12 34 56 78', ['33612345678']],
  ['900123', ['900123']],
  ['Acme 07700 900123 Leeds', ['acme', '7700900123', 'leeds']],
  ['Unit 4 123', ['unit', '4', '123']],
  ['LS1 1AA', ['ls1', '1aa']],
  ['smith-jones/brown', ['smith', 'jones', 'brown']],
  ['A.B.C. t-shirt', ['abc', 'tshirt']],
  ['RA-0001 67-64-1a', ['ra0001', '67641a']],
  ['M & S', ['m and s']],
  ['Fire &', ['fire and']],
  ['ANN@Bücher.example', ['annxnbcherkvaexample']],
  ["' % _ \\ - …", []],
  ['&', []],
])('the search %j looks for %j', (query, terms) => {
  expect(listSearchTerms(splitWords(query))).toEqual(terms)
})

test('a search matches a text even if its words are typed in capitals, with separate accents or with other apostrophes', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('O’Hara', 'Łukasz', 'café', 'Smith-Jones', 'LS1', '1AA', 'R&D')), (words) => {
      const typed = words.map((word) => word.normalize('NFD').replaceAll('’', '`').toUpperCase())
      expect(createTextMatcher(typed.join(' '))(words.join(' '))).toBe(true)
    }),
  )
})

test('a search without words matches every text, and a search for other words matches none', () => {
  expect(createTextMatcher(' ')('Leeds')).toBe(true)
  expect(createTextMatcher('%')('100%')).toBe(false)
  expect(createTextMatcher('york')('Leeds', 'New Yo', 'rk')).toBe(false)
})

test('each word of the query must match the beginning of a word in the text', () => {
  expect(matchesWordBeginnings('', 'Leads')).toBe(true)
  expect(matchesWordBeginnings('imp le', 'Import leads')).toBe(true)
  expect(matchesWordBeginnings('café', 'Cafe rota')).toBe(true)
  expect(matchesWordBeginnings('up', 'Follow-up')).toBe(true)
  expect(matchesWordBeginnings('FOLLOWUP', 'Follow-up')).toBe(true)
  expect(matchesWordBeginnings('ead', 'Leads')).toBe(false)
  expect(matchesWordBeginnings('leads roles', 'Import leads')).toBe(false)
})
