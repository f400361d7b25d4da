import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toSearchForm } from '#kernel/text/search.ts'
import { type RankedHazard, rankHazards, searchHazards } from './ranking.ts'

const hazard = (id: number, name: string, more: Partial<RankedHazard> = {}): RankedHazard => ({
  id,
  name,
  description: '',
  group: { name: 'Slips, trips and falls' },
  fit: 'general',
  use: 1,
  ...more,
})
const names = (found: readonly RankedHazard[]) => found.map((h) => h.name)

describe('ranking of suggested hazards', () => {
  test('a search for slips ranks an ordinary slip before ice, and both before hazards that only mention slipping', () => {
    const ladder = { group: { name: 'Work at height' }, description: 'Falls by slipping', use: 1 } as const
    const library = [
      hazard(9, 'Use of ladders', ladder),
      hazard(6, 'Ice and snow outside', { use: 2, description: 'Slips on untreated paths' }),
      hazard(4, 'Obstructed walkways', { use: 2 }),
      hazard(1, 'Wet or contaminated floors', { use: 2, description: 'Slips on spills' }),
      hazard(8, 'Wet weather at entrances', { use: 2, fit: 'other', description: 'Slips on wet mats' }),
    ]
    expect(names(searchHazards(library, ['slip']))).toEqual([
      'Wet or contaminated floors',
      'Ice and snow outside',
      'Obstructed walkways',
      'Wet weather at entrances',
      'Use of ladders',
    ])
  })

  test("hazards used in the company's own documents rank above better matches of the search text", () => {
    const library = [hazard(1, 'Dust explosion', { use: 2 }), hazard(2, 'Silica dust')]
    expect(names(searchHazards(library, ['dust']))).toEqual(['Silica dust', 'Dust explosion'])
  })

  test('unused hazards of another industry rank last, even if they match well', () => {
    const of = (name: string) => ({ group: { name } })
    const library = [
      hazard(1, 'Electric and hybrid vehicles', { fit: 'other', ...of('Motor trade') }),
      hazard(2, 'Overloaded sockets', of('Electricity')),
      hazard(3, 'Buried electric cables', { fit: 'industry', ...of('Electricity') }),
    ]
    expect(names(searchHazards(library, ['electric']))).toEqual([
      'Buried electric cables',
      'Overloaded sockets',
      'Electric and hybrid vehicles',
    ])
  })
})

const any = fc.record({
  id: fc.integer({ min: 1, max: 500 }),
  name: fc.constantFrom('Dust', 'Silica dust', 'Wet floors', 'Ice', 'dusty İce'),
  description: fc.constantFrom('', 'dust', 'Slips'),
  group: fc.record({ name: fc.constantFrom('Slips', 'Dust and fibres') }),
  fit: fc.constantFrom<RankedHazard['fit']>('industry', 'general', 'other'),
  use: fc.integer({ min: 1, max: 4 }),
})
const library = fc.uniqueArray(any, { selector: (h) => h.id, maxLength: 30 })
const words = fc.array(fc.constantFrom('dust', 'SLIP', 'ice', 'w'), { maxLength: 2 })

describe('invariants of the ranking for any library', () => {
  test("ranking omits no hazard and doesn't depend on the input order", () => {
    fc.assert(
      fc.property(library, words, (hazards, typed) => {
        const ranked = rankHazards(hazards, typed)
        expect(ranked.toSorted((a, b) => a.id - b.id)).toEqual(hazards.toSorted((a, b) => a.id - b.id))
        expect(rankHazards(hazards.toReversed(), typed)).toEqual(ranked)
      }),
    )
  })

  test('every search result contains all search words, and the more frequently used of two equal matches comes first', () => {
    fc.assert(
      fc.property(library, words, (hazards, typed) => {
        const found = searchHazards(hazards, typed)
        const text = (h: RankedHazard) => toSearchForm(`${h.name} ${h.group.name} ${h.description}`)
        for (const h of hazards) expect(found.includes(h)).toBe(typed.every((w) => text(h).includes(w.toLowerCase())))
        for (const [i, h] of found.entries()) {
          const next = found[i + 1]
          if (next?.name === h.name && next.group.name === h.group.name) expect(next.use).toBeGreaterThanOrEqual(h.use)
        }
      }),
    )
  })
})
