import { expect, test } from 'vitest'
import { differences } from '#modules/documents/comparison/differences.ts'
import { USUAL, withEnds } from '../risk-matrix/bands.ts'
import risk from './risk-assessment.web.tsx'

test('a comparison describes each revision by its own matrix and lists changed bands', () => {
  const line = { hazardName: 'Noise', probability: 2, severity: 5, judged: true }
  const bands = withEnds(USUAL.bands.map((b) => (b.name === 'High' ? { ...b, name: 'Serious' } : b)))
  const told = differences(
    risk.kind,
    { controls: [line], matrix: USUAL },
    { controls: [line], matrix: { ...USUAL, bands } },
    risk.compare,
  )
  expect(JSON.stringify(told)).toContain('Serious')
  expect(told.map((d) => d.label)).toEqual(['Hazards', 'Risk bands'])
  const same = { controls: [line], matrix: USUAL }
  expect(differences(risk.kind, same, { ...same }, risk.compare)).toEqual([])
})
