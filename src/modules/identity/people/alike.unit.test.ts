import { expect, test } from 'vitest'
import { findSimilarNames } from './alike.ts'

const people = ['Callum Fraser', 'Jack Barker', 'Jack O’Neill', 'Priya Shah'].map((name) => ({ name }))
const named = (typed: string) => findSimilarNames(typed, people).map((p) => p.name)

test.each([
  ['Callum', ['Callum Fraser']],
  ['fraser c', ['Callum Fraser']],
  ['Calum Fraser', ['Callum Fraser']],
  ['Callum Frazer', ['Callum Fraser']],
  ['jack', ['Jack Barker', 'Jack O’Neill']],
])('the typed name "%s" suggests a user of the company', (typed, found) => {
  expect(named(typed)).toEqual(found)
})

test.each(['Callum Fraser', 'CALLUM  FRASER', 'Pat of Acme', 'Callum Fraser-Smith of Acme', 'Jo', ''])(
  'the typed name "%s" suggests no user',
  (typed) => {
    expect(named(typed)).toEqual([])
  },
)
