import { describe, expect, test } from 'vitest'
import { sortByDependencies } from './fill.ts'

const part = (name: string, ...needs: string[]) => ({ name, needs })
const names = (...parts: ReturnType<typeof part>[]) => sortByDependencies(parts).map((p) => p.name)

describe('the parts of the initial data', () => {
  test('parts of the initial data are sorted after the parts that they need, and otherwise keep the given order', () => {
    expect(
      names(part('quotes', 'customers', 'people'), part('people'), part('files'), part('customers', 'people')),
    ).toEqual(['people', 'customers', 'quotes', 'files'])
  })

  test.each([
    ['with duplicate names', 'Two parts', [part('people'), part('people')]],
    [
      'that depend on an unknown part',
      '"people" needs "clients", which no module provides',
      [part('people', 'clients')],
    ],
    ['that depend on each other', 'depends on itself', [part('people', 'clients'), part('clients', 'people')]],
  ])('parts of the initial data %s are rejected', (_, message, parts) => {
    expect(() => sortByDependencies(parts)).toThrow(message)
  })
})
