import { expect, test } from 'vitest'
import talks from '../talks/toolbox-talk.web.tsx'
import { checkRiskAssessmentCompletion } from './completion-check.ts'

const line = (more: object) => ({ judged: true, probability: 5, severity: 5, tier: 'engineering', ...more })
const controls = [
  line({ hazardName: 'Noise', controlName: 'Ear defenders', tier: 'ppe', ppeReason: 'The saw has no hood' }),
  line({ hazardName: 'Dust', controlName: 'Water', residualProbability: 3, residualSeverity: 4 }),
  line({
    hazardName: 'Falls',
    controlName: 'Nets',
    implemented: 'no',
    plannedFor: '2030-01-31',
    responsible: 'Rhys Ellis',
    residualProbability: 4,
    residualSeverity: 5,
    residualReason: 'Nets come on Monday',
  }),
  line({ hazardName: 'Fire', controlName: 'Gone', residualProbability: 5, residualSeverity: 5, retired: true }),
]

test('the completion check of a risk assessment lists planned controls and high residual risks, worst first', () => {
  const { sums, looks } = checkRiskAssessmentCompletion({ controls, ppeItems: [{ id: 1 }] }, (day) => `the day ${day}`)
  expect(sums).toEqual(['3 hazards', '3 controls', '1 item of PPE'])
  expect(looks.map(({ title, items }) => [title, items.map(({ text, detail, at }) => [text, detail, at])])).toEqual([
    [
      'Risks that remain high',
      [
        ['Falls: 4 × 5 = 20, very high', '“Nets come on Monday”', 'controls[2].residualProbability'],
        ['Dust: 3 × 4 = 12, high', 'Reduce before work begins.', 'controls[1].residualProbability'],
      ],
    ],
    ['Hazards controlled by PPE only', [['Noise', '“The saw has no hood”', 'controls[0].ppeReason']]],
    ['Controls not in place yet', [['Falls: Nets', 'by the day 2030-01-31, Rhys Ellis', 'controls[2].plannedFor']]],
  ])
})

test('the completion check lists controls whose type or place has not been stated', () => {
  const unknown = [
    line({ hazardName: 'Noise', controlName: 'Hood', implementedUnknown: true }),
    line({ hazardName: 'Dust', controlName: 'Water', tier: null, implemented: 'no', implementedUnknown: true }),
    line({ hazardName: 'Falls', controlName: 'Nets', tier: null, implementedUnknown: true }),
    line({ hazardName: 'Fire', controlName: 'Extinguisher', implementedUnknown: false }),
  ]
  const look = checkRiskAssessmentCompletion({ controls: unknown }, String).looks.find(
    ({ title }) => title === 'Controls to confirm',
  )
  expect(look?.items.map(({ text, detail }) => [text, detail])).toEqual([
    ['Noise: Hood', 'whether it is in place'],
    ['Dust: Water', 'type'],
    ['Falls: Nets', 'type and whether it is in place'],
  ])
})

test('the completion check lists controls and statements that name PPE, if the assessment lists none', () => {
  const method = {
    defaultStatements: [{ '@id': '/1', title: 'PPE', text: '<p>The PPE listed in the assessment is worn.</p>' }],
    nonDefaultStatements: [{ '@id': '/2', title: 'Access', text: '<p>By the gate.</p>' }],
  }
  const record = {
    controls: [line({ hazardName: 'Noise', controlName: 'Ear defenders', tier: null })],
    methodStatement: method,
  }
  const found = (more: object) =>
    checkRiskAssessmentCompletion({ ...record, ...more }, String).looks.find(({ title }) => title === 'PPE')?.items
  expect(found({ ppeItems: [] })?.map(({ text, at }) => [text, at])).toEqual([
    ['Noise: Ear defenders', 'ppe'],
    ['PPE', 'ppe'],
  ])
  expect(found({ ppeItems: [{ id: 1 }] })).toBeUndefined()
})

test('the completion check of a toolbox talk shows the estimated time to present it', () => {
  const points = [{ text: 'Look up before you lift.' }, { text: '' }]
  expect(talks.check({ introduction: '<p>Why</p>', points })).toEqual({
    sums: ['1 point', 'About 1 minute to present'],
    looks: [],
  })
  const long = talks.check({ points: [{ text: 'word '.repeat(2400) }] })
  expect(long.looks[0]?.items[0]?.text).toBe('About 20 minutes to present')
})
