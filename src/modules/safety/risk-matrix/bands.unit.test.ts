import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  createHazard,
  findHazardWarnings,
  groupHazardLines,
  takesResidualReason,
  updateHazardValues,
} from '../grid/grid.ts'
import { riskAssessmentCompletionProblems } from '../grid/problems.ts'
import { toRiskAssessmentPdfBody } from '../risk/pdf-body.ts'
import {
  addRiskBandUpperLimits,
  bandForRisk,
  bandForScore,
  DEFAULT_RISK_MATRIX,
  isHighRiskBand,
  RISK_BAND_COLOURS,
  RISK_BAND_REQUIREMENTS,
  type RiskMatrix,
  riddorSeverityNote,
  riskMatrixFromRecord,
  type StoredRiskBand,
} from './bands.ts'
import { mergeRiskMatrix, riskMatrixForClient } from './risk-matrix.ts'
import { normaliseRiskBands, validateRiskMatrix } from './validate-matrix.ts'

const [levels, demands] = [RISK_BAND_COLOURS.map((l) => l.value), RISK_BAND_REQUIREMENTS.map((d) => d.value)]
const score = fc.integer({ min: 1, max: 5 })

const bands: fc.Arbitrary<StoredRiskBand[]> = fc
  .integer({ min: 2, max: 5 })
  .chain((n) =>
    fc.record({
      from: fc.uniqueArray(fc.integer({ min: 2, max: 25 }), { minLength: n - 1, maxLength: n - 1 }),
      level: fc.array(fc.nat(3), { minLength: n, maxLength: n }),
      demands: fc.array(fc.nat(2), { minLength: n, maxLength: n }),
    }),
  )
  .map(({ from, level, demands: asked }) => {
    const up = (a: number, b: number) => a - b
    const [starts, colours, all] = [[1, ...from.sort(up)], level.sort(up), asked.sort(up)]
    return starts.map((start, i) => ({
      from: start,
      name: `Band ${i}`,
      level: levels[all[i] === 2 ? Math.max(2, colours[i]!) : colours[i]!]!,
      demands: demands[all[i]!]!,
      rule: 'See to it.',
    }))
  })
const matrix: fc.Arbitrary<RiskMatrix> = bands.map((said) => ({
  ...DEFAULT_RISK_MATRIX,
  bands: addRiskBandUpperLimits(said),
}))
const rank = (m: RiskMatrix, p: number, s: number) => demands.indexOf(bandForRisk(m, p, s).demands)

describe('valid risk bands', () => {
  test('every risk score is in exactly one band', () =>
    fc.assert(
      fc.property(bands, (said) => {
        expect(validateRiskMatrix({ bands: said })).toEqual([])
        const all = addRiskBandUpperLimits(normaliseRiskBands(said)!)
        for (let r = 1; r <= 25; r++) {
          const found = all.filter((b) => r >= b.from && r <= b.to)
          expect(found).toHaveLength(1)
          expect(bandForScore({ ...DEFAULT_RISK_MATRIX, bands: all }, r)).toBe(found[0])
        }
      }),
    ))

  test('a likelier or more severe risk never has a milder band requirement or colour', () =>
    fc.assert(
      fc.property(matrix, score, score, score, score, (m, p, s, p2, s2) => {
        const [a, b] = [
          bandForRisk(m, Math.min(p, p2), Math.min(s, s2)),
          bandForRisk(m, Math.max(p, p2), Math.max(s, s2)),
        ]
        expect(demands.indexOf(a.demands)).toBeLessThanOrEqual(demands.indexOf(b.demands))
        expect(levels.indexOf(a.level)).toBeLessThanOrEqual(levels.indexOf(b.level))
        expect(!isHighRiskBand(a) || isHighRiskBand(b)).toBe(true)
      }),
    ))

  test('the default bands are valid: a high risk needs a reason or a planned control, and a very high one stops the work', () => {
    expect(validateRiskMatrix({ ...DEFAULT_RISK_MATRIX })).toEqual([])
    expect(DEFAULT_RISK_MATRIX.bands.map((b) => b.demands)).toEqual(['accept', 'accept', 'reduce', 'stop'])
    expect([4, 5, 9, 10, 14, 15, 25].map((r) => isHighRiskBand(bandForScore(DEFAULT_RISK_MATRIX, r)))).toEqual([
      false,
      false,
      false,
      true,
      true,
      true,
      true,
    ])
  })

  const usual = normaliseRiskBands(DEFAULT_RISK_MATRIX.bands)!
  const with_ = (i: number, more: object) => usual.map((b, j) => (i === j ? { ...b, ...more } : b))
  test.each<[unknown, string]>([
    [usual.slice(0, 1), 'bands'],
    [[...usual, ...usual], 'bands'],
    ['Low', 'bands'],
    [with_(0, { from: 2 }), 'bands[0].from'],
    [with_(1, { from: 1 }), 'bands[1].from'],
    [with_(2, { from: 5 }), 'bands[2].from'],
    [with_(3, { from: 26 }), 'bands[3].from'],
    [with_(3, { from: 15.5 }), 'bands[3].from'],
    [with_(3, { from: '15' }), 'bands[3].from'],
    [with_(1, { name: ' ' }), 'bands[1].name'],
    [with_(1, { name: 'LOW ' }), 'bands[1].name'],
    [with_(1, { name: 'x'.repeat(31) }), 'bands[1].name'],
    [with_(2, { level: 'pink' }), 'bands[2].level'],
    [with_(3, { level: 'safe' }), 'bands[3].level'],
    [with_(2, { demands: 'pray' }), 'bands[2].demands'],
    [with_(2, { demands: 'accept' }).map((b, i) => (i === 1 ? { ...b, demands: 'reduce' } : b)), 'bands[2].demands'],
    [with_(3, { demands: 'stop', level: 'danger' }), ''],
    [usual.map((b) => ({ ...b, level: 'attention', demands: 'stop' })), 'bands[0].level'],
    [with_(0, { rule: '' }), 'bands[0].rule'],
    [[null, 5], 'bands[0].from'],
  ])('the risk bands %j are refused: %s', (said, path) =>
    expect(validateRiskMatrix({ bands: said })[0]?.propertyPath ?? '').toBe(path),
  )

  test('each axis of a risk matrix has either five different names or none', () => {
    const words = ['Rare', 'Unlikely', 'Possible', 'Likely', 'Certain']
    const wrong = (probability: unknown) => validateRiskMatrix({ probability }).map((v) => v.propertyPath)
    expect([wrong(words), wrong([]), wrong(null)]).toEqual([[], [], []])
    expect(wrong(words.slice(1))).toEqual(['probability'])
    expect(wrong(words.with(3, ' '))).toEqual(['probability[3]'])
    expect(wrong(words.with(3, 'rare'))).toEqual(['probability[3]'])
    expect(wrong(words.with(4, 'x'.repeat(41)))).toEqual(['probability[4]'])
  })
})

describe('the risk matrix in use', () => {
  test("each part of the matrix in use is the company's own or, if not set, the provider's or the default", () => {
    const said = normaliseRiskBands(DEFAULT_RISK_MATRIX.bands)!.map((b) => ({ ...b, name: `${b.name}!` }))
    const words = ['a', 'b', 'c', 'd', 'e']
    const { matrix: m, from } = mergeRiskMatrix({ probability: words, severity: [], bands: null }, { bands: said })
    expect([m.probability, m.severity, m.bands[0]?.name]).toEqual([words, DEFAULT_RISK_MATRIX.severity, 'Low!'])
    expect(from).toEqual({ probability: 'own', severity: 'portal', bands: 'provider' })
    const rows = [
      { client: 0, bands: said },
      { client: 7, probability: words },
    ]
    expect(riskMatrixForClient(rows, 7).bands[3]?.name).toBe('Very high!')
    expect(riskMatrixForClient(rows, 0).bands[3]?.name).toBe('Very high!')
    expect(riskMatrixForClient([], 0)).toEqual(DEFAULT_RISK_MATRIX)
  })

  test('a record without a matrix uses the default matrix', () => {
    for (const record of [{}, { matrix: null }, { matrix: 'none' }])
      expect(riskMatrixFromRecord(record)).toBe(DEFAULT_RISK_MATRIX)
  })
})

describe("a risk band's requirement", () => {
  const lines = (p: number, s: number, more: object = {}) => {
    const judged = {
      hazardName: 'Noise',
      probability: 5,
      severity: 5,
      judged: true,
      residualProbability: p,
      residualSeverity: s,
    }
    return [
      { ...judged, ...more },
      { ...judged, controlName: 'Screens', tier: 'engineering', ...more },
    ]
  }
  const wrong = (m: RiskMatrix, controls: object[]) =>
    riskAssessmentCompletionProblems({ controls, matrix: m }).map((v) => v.propertyPath.replace(/^.*\./, ''))

  test("the screen and the server apply the same band requirement, and the PDF prints the band's name", () =>
    fc.assert(
      fc.property(matrix, score, score, (m, p, s) => {
        const band = bandForRisk(m, p, s)
        const asked = wrong(m, lines(p, s))
        expect(asked.includes('residualProbability')).toBe(band.demands === 'stop')
        expect(asked.includes('residualReason')).toBe(
          band.demands !== 'stop' && (p * s === 25 || band.demands === 'reduce'),
        )
        const [hazard] = groupHazardLines(lines(p, s))
        const told = findHazardWarnings(m, hazard!).length > 0
        expect(told).toBe(asked.length > 0)
        expect(takesResidualReason(m, hazard!)).toBe(asked.includes('residualReason'))
        expect(toRiskAssessmentPdfBody({ controls: lines(p, s), matrix: m }).scales.bands).toContainEqual(
          expect.objectContaining({ name: band.name, from: band.from, to: band.to, level: band.level }),
        )
      }),
    ))

  test('a likelier or more severe risk never has a milder requirement when an assessment is completed', () =>
    fc.assert(
      fc.property(matrix, score, score, score, score, (m, p, s, p2, s2) => {
        const [a, b] = [
          [Math.min(p, p2), Math.min(s, s2)],
          [Math.max(p, p2), Math.max(s, s2)],
        ] as const
        expect(rank(m, ...a)).toBeLessThanOrEqual(rank(m, ...b))
        if (wrong(m, lines(...a)).length) expect(wrong(m, lines(...b))).not.toEqual([])
      }),
    ))

  test('a residual risk that must be reduced requires a reason, or a planned control with a person and a date', () => {
    const m = {
      ...DEFAULT_RISK_MATRIX,
      bands: addRiskBandUpperLimits(
        normaliseRiskBands(DEFAULT_RISK_MATRIX.bands)!.map((b) => ({ ...b, demands: 'reduce' as const })),
      ),
    }
    expect(wrong(m, lines(1, 1))).toEqual(['residualReason'])
    expect(wrong(m, lines(1, 1, { residualReason: 'No other way' }))).toEqual([])
    const toDo = { implemented: 'no', plannedFor: '2030-01-01', responsible: 'Jo' }
    const [head, control] = lines(1, 1)
    expect(wrong(m, [head!, { ...control, ...toDo }])).toEqual([])
    expect(wrong(m, [head!, { ...control, ...toDo, plannedFor: null }])).toEqual(['residualReason', 'plannedFor'])
    expect(wrong(m, lines(5, 5, toDo))).toEqual(['residualReason'])
    expect(
      findHazardWarnings(m, updateHazardValues(createHazard(), { residualProbability: 1, residualSeverity: 1 })),
    ).toHaveLength(1)
  })
})

test("a matrix that names three days has a note on RIDDOR's seven days, and other matrices have none", () => {
  expect(riddorSeverityNote(DEFAULT_RISK_MATRIX)).toContain('over 7 days')
  expect(riddorSeverityNote({ severity: ['Trivial', 'Minor', 'Over-7-day injury', 'Major', 'Fatal'] })).toBe('')
})
