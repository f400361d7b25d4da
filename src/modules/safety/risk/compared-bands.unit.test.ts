import { expect, test } from 'vitest'
import { compareRevisions } from '#modules/documents/comparison/differences.ts'
import { addRiskBandUpperLimits, DEFAULT_RISK_MATRIX } from '../risk-matrix/bands.ts'
import risk from './risk-assessment.web.tsx'

test('a comparison of two revisions rates each revision by its own risk matrix and lists the changed bands', () => {
  const line = { hazardName: 'Noise', probability: 2, severity: 5, judged: true }
  const bands = addRiskBandUpperLimits(
    DEFAULT_RISK_MATRIX.bands.map((b) => (b.name === 'High' ? { ...b, name: 'Serious' } : b)),
  )
  const told = compareRevisions(
    risk.kind,
    { controls: [line], matrix: DEFAULT_RISK_MATRIX },
    { controls: [line], matrix: { ...DEFAULT_RISK_MATRIX, bands } },
    risk.compare,
  )
  expect(JSON.stringify(told)).toContain('Serious')
  expect(told.map((d) => d.label)).toEqual(['Hazards', 'Risk bands'])
  const same = { controls: [line], matrix: DEFAULT_RISK_MATRIX }
  expect(compareRevisions(risk.kind, same, { ...same }, risk.compare)).toEqual([])
})
