import fc from 'fast-check'
import { expect, test } from 'vitest'
import { calculateFormCompletion } from '#kernel/forms/completion.ts'
import { toEngineFields } from '#kernel/forms/fields.ts'
import { initialFormValues } from '#kernel/forms/fields-in.ts'
import { methodStatement } from '#modules/safety/methods/method-statement.ts'
import { riskAssessment } from '#modules/safety/risk/risk-assessment.ts'
import { COMPLETED_FOR_EACH_SITE_TEXT } from '#modules/safety/shared-fields/fields.ts'
import { toolboxTalk } from '#modules/safety/talks/toolbox-talk.ts'
import { sanitiseContent } from '../lifecycle/own-work.server.ts'
import { completionRuleFor, findMissingContent } from './completing.ts'
import type { DocumentKind } from './kind.ts'

const completionOf = (kind: DocumentKind, record: Readonly<Record<string, unknown>>) =>
  calculateFormCompletion(kind.schema, record, completionRuleFor(kind, record))

const words = fc.constantFrom('', ' ', 'Unit 4', COMPLETED_FOR_EACH_SITE_TEXT, null, undefined)
const level = fc.constantFrom(1, 3, 5, null)
const line = fc.record(
  {
    hazardName: fc.constantFrom('Falls', 'Noise', ''),
    controlName: fc.constantFrom('', 'Rails', 'Nets'),
    tier: fc.constantFrom('ppe', 'engineering'),
    judged: fc.boolean(),
    probability: fc.constantFrom(1, 5),
    severity: fc.constantFrom(1, 5),
    residualProbability: level,
    residualSeverity: level,
    implemented: fc.constantFrom('yes', 'no'),
    plannedFor: fc.constantFrom(null, '2030-01-31'),
    responsible: fc.constantFrom('', 'Site manager'),
    unconfirmed: fc.boolean(),
    retired: fc.boolean(),
  },
  { requiredKeys: ['hazardName'] },
)
const sound = fc.constantFrom('Falls', 'Noise').map((hazardName) => ({
  hazardName,
  controlName: 'Rails',
  tier: 'engineering',
  judged: true,
  probability: 3,
  severity: 3,
  residualProbability: 1,
  residualSeverity: 3,
}))
const anyAssessment = fc.record(
  {
    description: words,
    location: words,
    siteAddress: words,
    startDate: fc.constantFrom('2026-03-02', null),
    groupsAffected: fc.constantFrom([], ['Employees'], [' '], null),
    personsAffected: fc.constantFrom(0, 12, null),
    emergencyContact: fc.constantFrom([], [{ name: 'Ann', number: '999' }], [{ name: 'Ann', number: 'abc' }], [{}]),
    controls: fc.oneof(fc.array(line, { maxLength: 4 }), fc.array(sound, { minLength: 1, maxLength: 2 })),
    unconfirmed: fc.constantFrom([], ['location'], ['startDate', 'groupsAffected'], ['nothing']),
    isTemplate: fc.boolean(),
  },
  { requiredKeys: [] },
)
const soundAssessment = fc.array(sound, { minLength: 1, maxLength: 2 }).map((controls) => ({
  description: 'Roof',
  location: 'Unit 4',
  groupsAffected: ['Employees'],
  emergencyContact: [{ name: 'Ann', number: '999' }],
  controls,
}))
const assessment = fc.oneof(anyAssessment, soundAssessment)
const talk = fc.record(
  Object.fromEntries(
    Object.keys(toEngineFields(toolboxTalk.schema)).map((name) => [
      name,
      fc.constantFrom<unknown>('', 'Ladders', '<p></p>', [], [{ text: 'Tie it' }], [{ text: '' }], null),
    ]),
  ),
  { requiredKeys: [] },
)
const chosen = fc.array(fc.constantFrom({ '@id': '/1', title: 'Dig', text: '<p>By hand</p>' }), { maxLength: 1 })
const anyMethod = fc.record(
  {
    description: words,
    location: words,
    supervisor: words,
    startDate: fc.constantFrom('2026-03-02', null),
    sequence: fc.array(
      fc.record({
        title: fc.constantFrom('Arrive', ' ', ''),
        pictures: fc.constantFrom([], ['/api/safety/uploaded_documents/1'], null),
      }),
      { maxLength: 2 },
    ),
    methodStatement: fc.record({ defaultStatements: chosen, nonDefaultStatements: chosen, taskSelection: chosen }),
    plant: fc.array(fc.record({ name: fc.constantFrom('Hoist', '') }), { maxLength: 1 }),
    permits: fc.array(fc.record({ name: fc.constantFrom('Hot work', '') }), { maxLength: 1 }),
    people: fc.array(
      fc.record({
        name: fc.constantFrom('Ann', ''),
        tickets: fc.constantFrom([], ['CSCS'], null),
        expires: fc.constantFrom('2026-03-02', '', null),
      }),
      { maxLength: 2 },
    ),
    emergencyContact: fc.constantFrom([], [{ name: 'Ann', number: '999' }], [{ name: 'Ann', number: 'abc' }], [{}]),
    unconfirmed: fc.constantFrom([], ['location'], ['supervisor', 'people'], ['nothing']),
    isTemplate: fc.boolean(),
  },
  { requiredKeys: [] },
)
const soundMethod = fc
  .constantFrom(
    { sequence: [{ title: 'Arrive' }] },
    { sequence: [], methodStatement: { taskSelection: [{ '@id': '/1', title: 'Dig', text: '' }] } },
  )
  .map((done) => ({ description: 'Roof', location: 'Unit 4', supervisor: 'Ann', ...done }))
const method = fc.oneof(anyMethod, soundMethod)

const RECORDS: readonly (readonly [DocumentKind, fc.Arbitrary<Readonly<Record<string, unknown>>>])[] = [
  [riskAssessment, assessment],
  [toolboxTalk, talk],
  [methodStatement, method],
]

test.each(RECORDS)(
  'a record is 100 percent complete if and only if completion finds nothing missing (%#)',
  (kind, any) => {
    let whole = 0
    fc.assert(
      fc.property(any, (record) => {
        const { percent, share } = completionOf(kind, record)
        const missing = findMissingContent(kind, record).length
        if (!missing) whole++
        expect([percent === 100, share === 1]).toEqual([missing === 0, missing === 0])
      }),
      { numRuns: 400 },
    )
    if (kind !== toolboxTalk) expect(whole).toBeGreaterThan(0)
  },
)

test.each(RECORDS)('screen and server find the same missing fields (%#)', (kind, any) => {
  fc.assert(
    fc.property(any, (record) => {
      const kept = keptOf(kind, record)
      fc.pre(kept !== undefined)
      const paths = (values: Readonly<Record<string, unknown>>) =>
        findMissingContent(kind, values).map((v) => v.propertyPath)
      expect(paths({ ...record, ...kept })).toEqual(paths(record))
      expect(completionOf(kind, { ...record, ...kept }).percent).toBe(completionOf(kind, record).percent)
    }),
    { numRuns: 400 },
  )
})

/** Returns the values that the server stores from a record; undefined if the server rejects the record. */
function keptOf(kind: DocumentKind, record: Readonly<Record<string, unknown>>) {
  try {
    return sanitiseContent(kind, kind.schema, record)
  } catch {
    return undefined
  }
}

test('a blank risk assessment is 0 percent complete, and every message about a hazard names it', () => {
  expect(completionOf(riskAssessment, initialFormValues(riskAssessment.schema, riskAssessment.blank?.())).percent).toBe(
    0,
  )
  fc.assert(
    fc.property(assessment, (record) => {
      for (const { propertyPath, message } of findMissingContent(riskAssessment, record))
        if (propertyPath.startsWith('controls[')) expect(message).toMatch(/^(Falls|Noise|Hazard \d): /)
    }),
  )
})
