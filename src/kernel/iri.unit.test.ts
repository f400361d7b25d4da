import { expect, test } from 'vitest'
import { idFromAnyIri, idFromIriOrNumber, idFromResourceIri, lastIriSegment, parseId } from './iri.ts'

const quotes = { url: '/api/financial/quotes', path: 'quotes' } as const

test.each([
  ['12', 12],
  [12, 12],
  ['0', 0],
  ['999999999999999', 999_999_999_999_999],
  ['1000000000000000', undefined],
  [1e21, undefined],
  [-1, undefined],
  ['-1', undefined],
  ['1.5', undefined],
  [1.5, undefined],
  ['', undefined],
  [' 1', undefined],
  ['١٢', undefined],
  [null, undefined],
  [['12'], undefined],
])('the ID parsed from %j is %j', (given, id) => {
  expect(parseId(given)).toBe(id)
})

test('the last segment of an IRI is a numeric ID or an alias', () => {
  expect(lastIriSegment('/api/crm/staff/jane')).toBe('jane')
  expect([idFromAnyIri('/api/portal/clients/0'), idFromAnyIri('/api/crm/staff/jane'), idFromAnyIri(null)]).toEqual([
    0,
    undefined,
    undefined,
  ])
})

test('an ID is parsed only from an IRI of the given resource', () => {
  expect(idFromResourceIri(quotes, '/api/financial/quotes/7')).toBe(7)
  for (const other of ['/api/financial/plans/7', '/api/financial/quotes/x', '7', 7])
    expect(idFromResourceIri(quotes, other)).toBeUndefined()
  expect([
    idFromIriOrNumber(quotes, '7'),
    idFromIriOrNumber(quotes, 7),
    idFromIriOrNumber(quotes, '/api/financial/quotes/7'),
  ]).toEqual([7, 7, 7])
  expect(idFromIriOrNumber(quotes, '/api/financial/plans/7')).toBeUndefined()
})
