import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countRequiredRiskAnswers, riskAssessmentCompletionProblems } from './problems.ts'
import { groupLinesByHazard, proposeControlTier } from './rules.ts'

const judged = { judged: true, residualProbability: 1, residualSeverity: 2 }
const hazard = { hazardName: 'Noise', ...judged }
const control = (tier: string, more: object = {}) => ({ ...hazard, controlName: `A ${tier} control`, tier, ...more })
const paths = (controls: object[]) => riskAssessmentCompletionProblems({ controls }).map((v) => v.propertyPath)

describe('complete hazards in a risk assessment', () => {
  test('an assessment can be completed if each hazard has an initial rating, a control and a residual rating', () => {
    expect(paths([hazard, control('engineering')])).toEqual([])
    expect(paths([])).toEqual(['controls'])
    expect(paths([{ hazardName: 'Noise' }])).toEqual(['controls[0].probability', 'controls[0].controlName'])
    expect(
      paths([{ ...hazard, residualProbability: null }, control('engineering', { residualProbability: null })]),
    ).toEqual(['controls[0].residualProbability'])
  })

  test("a hazard with PPE as its only control can't be completed without a reason", () => {
    expect(paths([hazard, control('ppe')])).toEqual(['controls[0].ppeReason'])
    expect(paths([{ ...hazard, ppeReason: 'Nothing else can be fitted' }, control('ppe')])).toEqual([])
    expect(paths([hazard, control('ppe'), control('administrative')])).toEqual([])
  })

  test('PPE is recognised by its wording, whatever type was entered or omitted', () => {
    for (const controlName of [
      'Harness worn',
      'FFP3 masks, face-fit tested',
      'Cut-resistant gloves',
      'Hi-vis and hard hat',
    ])
      for (const tier of [undefined, null, 'administrative', 'ppe'])
        expect([paths([hazard, control('x', { tier, controlName })]), controlName, tier]).toEqual([
          ['controls[0].ppeReason'],
          controlName,
          tier,
        ])
    expect(paths([hazard, control('x', { tier: null, controlName: 'Harness inspected each week' })])).toEqual([])
    expect(paths([hazard, control('x', { tier: null, controlName: 'Guard rails to both edges' })])).toEqual([])
  })

  test.each([
    ['FFP3 masks', 'ppe'],
    ['Ear defenders', 'ppe'],
    ['Isolate and prove dead', 'engineering'],
    ['M-class extraction', 'engineering'],
    ['110 V tools', 'engineering'],
    ['RCD on every circuit', 'engineering'],
    ['Edge protection to all open edges', 'engineering'],
    ['Water-based paint instead of solvent', 'substitute'],
    ['Cut on the ground to avoid work at height', 'eliminate'],
    ['Check the harness before use', 'administrative'],
    ['Toolbox talk on manual handling', 'administrative'],
    ['Permit to dig', 'administrative'],
    ['Be careful', undefined],
    ['N/A', undefined],
    ['', undefined],
  ])('the type proposed for “%s” is %s', (words, tier) => {
    expect(proposeControlTier(words)).toBe(tier)
  })

  const messages = (controls: object[], more: object = {}) =>
    riskAssessmentCompletionProblems({ controls, ...more }).map((v) => v.message)
  const fatal = (residualProbability: number) => ({
    judged: true,
    probability: 5,
    severity: 5,
    residualProbability,
    residualSeverity: 5,
  })
  const high = fatal(5)
  const todo = control('engineering', { controlName: 'Silencer', implemented: 'no' })

  test.each([
    [
      'a hazard without a name',
      [
        { ...hazard, hazardName: ' ' },
        { ...control('engineering'), hazardName: ' ' },
      ],
      ['Hazard 1: please enter what could cause harm'],
    ],
    [
      'a residual risk above the initial risk',
      [{ ...hazard, probability: 1, severity: 1 }, control('engineering', { probability: 1, severity: 1 })],
      ['Noise: the residual risk (2) is higher than the initial risk (1)'],
    ],
    [
      'a very high residual risk, whatever its reason',
      [{ ...hazard, ...high, residualReason: 'No other way' }, control('engineering', high)],
      ['Noise: work must not go ahead at a residual risk of 25 (“Very high”); please reduce the risk'],
    ],
    [
      'a high residual risk without a reason or a planned control',
      [{ ...hazard, ...fatal(2) }, control('engineering', fatal(2))],
      [
        'Noise: a residual risk of 10 is “High”; please enter why it is acceptable, or add a planned control with the person responsible and a date',
      ],
    ],
    [
      'lines of one hazard with different ratings',
      [{ ...hazard, probability: 3, severity: 3 }, control('engineering', { probability: 4, severity: 3 })],
      ['Noise: the lines of this hazard have different ratings; please rate the hazard again'],
    ],
    [
      'a planned control without a date and a person',
      [hazard, todo],
      [
        'Noise: please enter by when “Silencer” will be in place',
        'Noise: please enter who is responsible for “Silencer”',
      ],
    ],
    [
      'a copied hazard that is not confirmed',
      [{ ...hazard, unconfirmed: true }, control('engineering', { unconfirmed: true })],
      ['Noise: copied from RA-0003: is this still correct?'],
    ],
  ] as const)('an incomplete hazard blocks completion with a message that names the hazard: %s', (_, lines, said) => {
    expect(messages([...lines], { copiedFrom: 'RA-0003' })).toEqual(said)
  })

  test('an assessment can be completed if a high residual risk has a reason and planned controls have a date and a person', () => {
    const why = { ...fatal(2), residualReason: 'The line can’t be switched off' }
    expect(messages([{ ...hazard, ...why }, control('engineering', why)])).toEqual([])
    const said = { plannedFor: '2026-12-01', responsible: 'Site manager' }
    expect(messages([hazard, { ...todo, ...said }])).toEqual([])
    expect(
      messages([
        { ...hazard, responsible: 'Site manager' },
        { ...todo, plannedFor: '2026-12-01' },
      ]),
    ).toEqual([])
  })

  test('each hazard has four required answers, and a fifth if it was copied', () => {
    expect(countRequiredRiskAnswers({})).toEqual({ controls: 4 })
    expect(
      countRequiredRiskAnswers({ controls: [hazard, control('ppe'), { hazardName: 'Dust', unconfirmed: true }] }),
    ).toEqual({
      'controls[0]': 4,
      'controls[2]': 5,
    })
  })

  test("retired lines don't affect the completion of a risk assessment", () => {
    const line = fc.constantFrom(control('ppe', { retired: true }), { hazardName: 'Old', retired: true })
    fc.assert(
      fc.property(fc.array(line, { maxLength: 5 }), (retired) => {
        expect(paths([...retired, hazard, control('engineering')])).toEqual([])
      }),
    )
  })

  test("control lines are grouped under their hazard by the hazard's id, plain or embedded, or by its name", () => {
    const iri = '/api/safety/hazards/7'
    const controlName = 'Keep away'
    const lines = [
      { hazard: iri },
      { hazardName: ' Noise ' },
      { hazard: { '@id': iri }, controlName },
      { hazardName: 'noise', controlName },
      { hazard: iri },
    ]
    expect(groupLinesByHazard(lines).map((g) => g.length)).toEqual([2, 2, 1])
  })
})
