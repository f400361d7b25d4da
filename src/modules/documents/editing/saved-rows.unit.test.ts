import { expect, it } from 'vitest'
import { assignRowIris } from './saved-rows.ts'

const kept = [{ '@id': '/1' }, { '@id': '/2' }, { '@id': '/3' }]

it('new rows get the IRIs that the server assigned, even if changed or moved while saving', () => {
  const [a, b, c] = [{ '@id': '/1', x: 1 }, { '@key': 'b', x: 2 }, { x: 3 }]
  const sent = [a, b, c]
  expect(assignRowIris(sent, sent, kept)).toEqual([a, { ...b, '@id': '/2' }, { ...c, '@id': '/3' }])
  const typed = { ...b, x: 9 }
  const later = { '@key': 'd', x: 4 }
  expect(assignRowIris([later, typed, a], sent, kept)).toEqual([later, { ...typed, '@id': '/2' }, a])
})

it('the list of rows is returned unchanged if no row is new or the response does not match the list', () => {
  const now = [{ '@id': '/1' }, { '@key': 'n' }]
  expect(assignRowIris(now, [{ '@id': '/1' }], [{ '@id': '/1' }])).toBe(now)
  expect(assignRowIris(now, now, kept)).toBe(now)
})
