import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseQueryIds, parseQueryWords } from '../risk/suggestions.server.ts'
import { splitRichText } from '../statements/paragraphs.ts'
import {
  isSystemTemplate,
  libraryOwnerOf,
  parseNumericIds,
  sortSelectionByTitle,
  toggleItem,
} from '../statements/selection.ts'
import { controlTierLabel, hazard } from './hazard.ts'

describe('ids selected in a picker', () => {
  test('picker ids are parsed from numbers or a comma-separated string', () => {
    expect(parseNumericIds('3, 14,15')).toEqual([3, 14, 15])
    expect(parseNumericIds([3, '14', 'x', null, 3, -1, 1.5])).toEqual([3, 14])
    expect([parseNumericIds(''), parseNumericIds(null), parseNumericIds({})]).toEqual([[], [], []])
  })
  test('a list of ids and the same ids as a comma-separated string are parsed alike', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 1e9 })), (ids) => {
        expect(parseNumericIds(ids.join(','))).toEqual(ids)
        expect(parseNumericIds(ids)).toEqual(ids)
      }),
    )
  })
})

describe('a selection of library items', () => {
  test('toggling an item twice restores the original selection', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string()), fc.string(), (list, item) => {
        const twice = toggleItem(toggleItem(list, item), item)
        expect(twice.toSorted()).toEqual(list.toSorted())
        expect(toggleItem(list, item).includes(item)).toBe(!list.includes(item))
      }),
    )
  })
  test('a selection is sorted by title, with unknown items last', () => {
    const titles = new Map([
      ['/1', 'walls'],
      ['/2', 'Arches'],
    ])
    expect(sortSelectionByTitle(['/9', '/1', '/2', '/8'], titles)).toEqual(['/2', '/1', '/9', '/8'])
  })
  test('a library record belongs to its client or, without a client, to the provider', () => {
    expect(libraryOwnerOf({ client: '/api/portal/clients/7' })).toBe(7)
    expect(isSystemTemplate({ client: { '@id': '/api/portal/clients/0' } })).toBe(true)
    expect([isSystemTemplate({ client: '/api/portal/clients/10' }), isSystemTemplate({ client: null })]).toEqual([
      false,
      true,
    ])
  })
})

test('a known control tier has a label, and the label of an unknown tier is empty', () => {
  expect([controlTierLabel('ppe'), controlTierLabel('x')]).toEqual(['PPE', ''])
})

describe('query parameters of library suggestions', () => {
  test('ids in a query are parsed from numbers and IRIs, single, repeated or comma-separated', () => {
    expect(parseQueryIds(hazard, '/api/safety/hazards/4', ['5', '/api/hazards/6,7'], undefined)).toEqual([4, 5, 6, 7])
    expect(parseQueryIds(hazard, '/api/safety/tasks/4,x,-1,')).toEqual([])
  })
  test('a library query with more than 50 search words is refused', () => {
    expect(parseQueryWords('  Wet   FLOORS ')).toEqual(['Wet', 'FLOORS'])
    expect(parseQueryWords('a b c d e f g h i j')).toHaveLength(10)
    expect(() => parseQueryWords('a '.repeat(51))).toThrow('50 words')
    expect(parseQueryWords(undefined)).toEqual([])
  })
})

test('rich text is split into paragraphs', () => {
  expect(splitRichText('<p>Dig &amp; fill.</p><ul><li>One</li><li><b>Two</b></li></ul>')).toEqual([
    'Dig & fill.',
    'One',
    'Two',
  ])
  expect(splitRichText('a<br>b')).toEqual(['a', 'b'])
  expect(splitRichText('')).toEqual([])
})
