import { expect, test } from 'vitest'
import { type PeopleGroup, withholdSmallGroups } from './small-groups.ts'

const group = (key: string, count: number, ...people: string[]): PeopleGroup => ({ key, count, people })
const keysOf = (groups: readonly PeopleGroup[]) => withholdSmallGroups(groups).shown.map(({ key }) => key)

test('a group of three people is shown, and groups of one or two people are added together', () => {
  const groups = [group('hand', 5, 'a', 'b', 'c'), group('eye', 2, 'd', 'e'), group('knee', 1, 'f')]
  expect(withholdSmallGroups(groups)).toEqual({ shown: [groups[0]], others: 3 })
})

test('ten incidents that involve one person are a group of one person', () => {
  const back = group('back', 10, 'a')
  expect(withholdSmallGroups([group('hand', 3, 'b', 'c', 'd'), group('foot', 9, 'e', 'f', 'g'), back])).toEqual({
    shown: [group('foot', 9, 'e', 'f', 'g')],
    others: 13,
  })
})

test('the smallest visible group is withheld as well if the total would reveal a small group', () => {
  const groups = [group('hand', 9, 'a', 'b', 'c', 'd'), group('foot', 4, 'e', 'f', 'g'), group('eye', 1, 'h')]
  expect(withholdSmallGroups(groups)).toEqual({ shown: [groups[0]], others: 5 })
})

test('a further group is withheld if the small groups consist of the same two people', () => {
  const groups = [group('eye', 2, 'a', 'b'), group('knee', 2, 'a', 'b'), group('hand', 3, 'c', 'd', 'e')]
  expect(withholdSmallGroups(groups)).toEqual({ shown: [], others: 7 })
})

test('no number is shown if all groups together have fewer than three people', () => {
  expect(withholdSmallGroups([group('eye', 1, 'a'), group('hand', 1, 'b')])).toEqual({ shown: [], others: null })
  expect(withholdSmallGroups([])).toEqual({ shown: [], others: 0 })
})

test('the withheld groups together never contain only one or two people', () => {
  for (let seed = 1; seed < 400; seed++) {
    const groups = Array.from({ length: 1 + (seed % 6) }, (_, n) => {
      const people = Array.from({ length: 1 + ((seed * (n + 3)) % 5) }, (_x, p) => `${(seed * p + n) % 7}`)
      return group(String(n), people.length + (seed % 3), ...new Set(people))
    })
    const shown = keysOf(groups)
    const hidden = new Set(groups.filter(({ key }) => !shown.includes(key)).flatMap(({ people }) => people))
    expect(hidden.size === 0 || hidden.size >= 3 || shown.length === 0, `seed ${seed}`).toBe(true)
    expect(
      groups.every(({ key, people }) => !shown.includes(key) || people.length >= 3),
      `seed ${seed}`,
    ).toBe(true)
  }
})
