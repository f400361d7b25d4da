import { describe, expect, it } from 'vitest'
import { areConditionsMet } from './conditions.ts'

const values: Readonly<Record<string, unknown>> = {
  kind: '/api/safety/incident_types/7',
  embedded: { '@id': '/api/safety/incident_types/7', name: 'Fall' },
  trades: ['Roofer', 'Joiner'],
  empty: '',
  none: [],
  no: false,
  zero: 0,
}
const look = (name: string) => values[name]

describe('form conditions', () => {
  it.each([
    [{ watch: 'kind', equals: '/api/safety/incident_types/7' }, true],
    [{ watch: 'embedded', equals: '/api/safety/incident_types/7' }, true],
    [{ watch: 'kind', differs: '/api/safety/incident_types/7' }, false],
    [{ watch: 'absent', differs: 'x' }, true],
    [{ watch: 'absent', equals: null }, true],
    [{ watch: 'empty', equals: null }, true],
    [{ watch: 'none', differs: null }, false],
    [{ watch: 'no', equals: false }, true],
    [{ watch: 'no', equals: null }, false],
    [{ watch: 'zero', in: [0, 1] }, true],
    [{ watch: 'zero', in: ['0'] }, false],
    [{ watch: 'trades', equals: 'Joiner' }, true],
    [{ watch: 'trades', in: ['Welder', 'Roofer'] }, true],
    [{ watch: 'trades', notIn: ['Welder'] }, true],
    [{ watch: 'trades', notIn: ['Welder', 'Roofer'] }, false],
    [{ watch: 'absent', in: [] }, false],
    [{ watch: 'absent', notIn: [] }, true],
    [{ watch: 'zero', differs: 1, notIn: [0] }, false],
  ])('evaluating the form condition %j gives the expected result', (condition, holding) =>
    expect(areConditionsMet([condition], look)).toBe(holding),
  )

  it('a list of form conditions is met only if every condition in the list is met', () => {
    expect(
      areConditionsMet(
        [
          { watch: 'zero', equals: 0 },
          { watch: 'no', equals: true },
        ],
        look,
      ),
    ).toBe(false)
    expect(areConditionsMet([], look)).toBe(true)
    expect(areConditionsMet(undefined, look)).toBe(true)
  })
})
