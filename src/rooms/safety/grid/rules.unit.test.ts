import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BANDS, groupLines, riskProblems } from './rules.ts'

describe('the bands', () => {
  test('every product of probability and severity is in exactly one', () => {
    for (let p = 1; p <= 5; p++)
      for (let s = 1; s <= 5; s++) expect(BANDS.filter((b) => p * s >= b.from && p * s <= b.to)).toHaveLength(1)
  })
})

const judged = { judged: true, residualProbability: 1, residualSeverity: 2 }
const hazard = { hazardName: 'Noise', ...judged }
const control = (tier: string, more: object = {}) => ({ ...hazard, controlName: `A ${tier} control`, tier, ...more })
const paths = (controls: object[]) => riskProblems({ controls }).map((v) => v.propertyPath)

describe('an assessment’s table is complete', () => {
  test('when each hazard is judged, controlled and judged again', () => {
    expect(paths([hazard, control('engineering')])).toEqual([])
    expect(paths([])).toEqual(['controls'])
    expect(paths([{ hazardName: 'Noise' }])).toEqual(['controls[0].probability', 'controls[0].controlName'])
    expect(
      paths([{ ...hazard, residualProbability: null }, control('engineering', { residualProbability: null })]),
    ).toEqual(['controls[0].residualProbability'])
  })

  test('when protective equipment alone has a reason', () => {
    expect(paths([hazard, control('ppe')])).toEqual(['controls[0].ppeReason'])
    expect(paths([{ ...hazard, ppeReason: 'Nothing else can be fitted' }, control('ppe')])).toEqual([])
    expect(paths([hazard, control('ppe'), control('administrative')])).toEqual([])
  })

  test('whatever was retired on the way', () => {
    const line = fc.constantFrom(control('ppe', { retired: true }), { hazardName: 'Old', retired: true })
    fc.assert(
      fc.property(fc.array(line, { maxLength: 5 }), (retired) => {
        expect(paths([...retired, hazard, control('engineering')])).toEqual([])
      }),
    )
  })

  test('lines of one hazard are found by its address in any form, or by its name', () => {
    const iri = '/api/safety/hazards/7'
    const controlName = 'Keep away'
    const lines = [
      { hazard: iri },
      { hazardName: ' Noise ' },
      { hazard: { '@id': iri }, controlName },
      { hazardName: 'noise', controlName },
      { hazard: iri },
    ]
    expect(groupLines(lines).map((g) => g.length)).toEqual([2, 2, 1])
  })
})
