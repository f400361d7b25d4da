import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readReferenceFile } from '#server/seed/reference.ts'
import { suggestTalks, type TalkSeason } from './suggesting.ts'

const talk = (title: string, isTemplate = false) => ({
  '@id': `/api/safety/toolbox_talks/${title.length}`,
  title,
  documentNumber: 'TT-0001',
  isTemplate,
})
const seasons: readonly TalkSeason[] = [
  { title: 'Cold', months: [11, 12], why: 'It is cold.' },
  { title: 'Sun', months: [6], why: 'It is hot.' },
]
const today = Temporal.PlainDate.from('2026-11-24')
const suggest = (more: Partial<Parameters<typeof suggestTalks>[0]>) =>
  suggestTalks({ today, seasons, talks: [], given: [], planned: [], ...more }).map(({ title, why }) => [title, why])

test('talk suggestions start with talks for the season, followed by those not presented for half a year, oldest first', () => {
  const talks = ['Noise', 'Ladders', 'cold', 'Sun', 'Dust'].map((title) => talk(title))
  const given = [
    { title: 'Noise', date: '2026-05-01' },
    { title: 'Noise', date: '2025-05-01' },
    { title: 'Dust', date: '2026-11-01' },
  ]
  expect(suggest({ talks, given })).toEqual([
    ['cold', 'It is cold. Not presented yet.'],
    ['Ladders', 'Not presented yet.'],
    ['Sun', 'Not presented yet.'],
    ['Noise', 'Last presented on 01/05/2026.'],
  ])
})

test("a talk is not suggested if it was recently presented, is already scheduled, or is a provider's talk of which the company has its own version", () => {
  const talks = [talk('Cold'), talk('Cold', true), talk('Noise', true)]
  expect(suggest({ talks })).toHaveLength(1)
  expect(suggest({ talks, given: [{ title: 'COLD ', date: '2026-10-30' }] })).toEqual([])
  expect(suggest({ talks, planned: ['cold'] })).toEqual([])
  expect(suggest({ talks: [talk('Cold', true)] })).toHaveLength(1)
})

test('at most six talks are suggested, without duplicates or scheduled talks', () => {
  const title = fc.constantFrom('Cold', 'Sun', 'Noise', 'Dust', 'Ladders', 'Fire', 'Lifting', 'Asbestos', 'Vehicles')
  const day = fc.integer({ min: 0, max: 700 }).map((days) => today.subtract({ days }).toString())
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(title, fc.boolean()), { selector: String }),
      fc.array(fc.record({ title, date: day })),
      fc.array(title, { maxLength: 3 }),
      (all, given, planned) => {
        const found = suggestTalks({ today, seasons, talks: all.map(([t, is]) => talk(t, is)), given, planned })
        expect(found.length).toBeLessThanOrEqual(6)
        expect(new Set(found.map((t) => t.title)).size).toBe(found.length)
        for (const one of found) expect(planned).not.toContain(one.title)
      },
    ),
  )
})

test('each talk season refers to a library talk, has valid months and a source', () => {
  const library: readonly { readonly title: string }[] = readReferenceFile('toolbox-talks.json')
  const all: readonly (TalkSeason & { readonly source: string; readonly confidence: string })[] =
    readReferenceFile('talk-seasons.json')
  const titles = library.map(({ title }) => title)
  for (const { title, months, why, source, confidence } of all) {
    expect(titles).toContain(title)
    expect(months.length).toBeGreaterThan(0)
    for (const month of months) expect(month >= 1 && month <= 12).toBe(true)
    expect(why).toMatch(/^[A-Z].*\.$/)
    expect(source).not.toBe('')
    expect(['high', 'medium', 'low']).toContain(confidence)
  }
})
