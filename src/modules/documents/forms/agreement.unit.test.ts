import fc from 'fast-check'
import { expect, test } from 'vitest'
import { convertAnswersToRecord, recordToAnswers } from '#kernel/forms/answers.ts'
import { calculateFormCompletion } from '#kernel/forms/completion.ts'
import { formFieldsIn } from '#kernel/forms/fields-in.ts'
import { clearHiddenFields } from '#kernel/forms/read-answers.ts'
import { parseFormVersion } from '#kernel/forms/read-form.ts'
import type { FormField, FormSchema } from '#kernel/forms/schema.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { riskAssessment } from '#modules/safety/risk/risk-assessment.ts'
import { addField, omitField } from '#web/forms/builder/edit-form.ts'
import { sanitiseContent } from '../lifecycle/own-work.server.ts'
import { completionRuleFor, findMissingContent } from '../types/completing.ts'
import { toDeclaredForm } from './declared.server.ts'
import { documentTypeWithForm } from './type-with-form.ts'

const REMAINING_FIELDS = ['project', 'siteAddress', 'startDate', 'personsAffected', 'emergencyContact']
const KINDS = ['text', 'number', 'switch', 'checkbox', 'combobox'] as const
const question = (name: string) =>
  fc
    .record({
      kind: fc.constantFrom(...KINDS),
      required: fc.boolean(),
      when: fc.option(fc.record({ watch: fc.constantFrom('location', 'a', 'b'), equals: fc.constantFrom('x', true) })),
    })
    .map(({ kind, required, when }) => ({
      name,
      kind,
      label: name,
      additional: true as const,
      ...(required ? { required: true } : {}),
      ...(when && when.watch !== name ? { when: [when] } : {}),
    }))

/** Random versions of an assessment form: some fields removed, up to three added, some conditional. */
const versions = fc
  .record({
    left: fc.subarray(REMAINING_FIELDS),
    added: fc.subarray([0, 1, 2]),
    questions: fc.tuple(question('a'), question('b'), question('c')),
  })
  .map(({ left, added, questions }) => {
    const without = left.reduce(omitField, riskAssessment.schema)
    const details = { step: without.steps.findIndex((s) => s.name === 'details'), group: 0 }
    const names = new Set(['location', ...added.map((i) => questions[i]?.name)])
    const more: FormField[] = added.flatMap((i) => questions[i] ?? [])
    const sound = more.filter((f) => (f.when ?? []).every((c) => names.has(c.watch)))
    const known = new Set(['location', ...sound.map((f) => f.name)])
    const whole = sound
      .filter((f) => (f.when ?? []).every((c) => known.has(c.watch)))
      .reduce((form, field) => addField(form, details, field), without)
    return parseFormVersion(toDeclaredForm(riskAssessment), whole)
  })
  .filter(({ wrong }) => wrong.length === 0)

const hazard = {
  hazardName: 'Falls',
  controlName: 'Rails',
  tier: 'engineering',
  judged: true,
  probability: 3,
  severity: 3,
  residualProbability: 1,
  residualSeverity: 3,
}
const answer = fc.constantFrom<unknown>('x', '', ' ', 3, '3', true, false, null, ['x'], [' '], [])
const records = fc.record(
  {
    description: fc.constantFrom('Roof', 'Roof', ''),
    location: fc.constantFrom('x', 'Unit 4', ''),
    project: fc.constantFrom('Kelham', null),
    personsAffected: fc.constantFrom(0, 12, -3, null),
    groupsAffected: fc.constantFrom(['Employees'], ['Employees'], [' '], null),
    emergencyContact: fc.constantFrom([], [{ name: 'Ann', number: '999' }], [{ name: 'Ann', number: 'abc' }]),
    controls: fc.constantFrom([hazard], [hazard], [], [{ ...hazard, hazardName: '' }]),
    unconfirmed: fc.constantFrom([], [], ['location'], ['project']),
    additional: fc.dictionary(fc.constantFrom('a', 'b', 'c'), answer),
    unplaced: fc.constantFrom(null, null, [{ name: 'd', label: 'D', kind: 'text', value: 'x' }]),
  },
  { requiredKeys: ['description', 'location', 'groupsAffected', 'controls'] },
)

/**
 * Returns the values that the server would store for a browser's input, or undefined if the server would reject the
 * input.
 */
function keptOf(form: FormSchema, sent: Values): Values | undefined {
  try {
    return { ...sent, ...sanitiseContent(riskAssessment, form, sent) }
  } catch {
    return undefined
  }
}

test('screen and server find the same missing fields in every form version, and a form is 100 percent complete if and only if none is missing', () => {
  let whole = 0
  fc.assert(
    fc.property(versions, records, ({ form }, record) => {
      const kind = documentTypeWithForm(riskAssessment, form)
      const asked = new Set(formFieldsIn(form).map((f) => f.name))
      const asks = ([name]: readonly [string, unknown]) => asked.has(name) || !REMAINING_FIELDS.includes(name)
      const stored = {
        ...Object.fromEntries(Object.entries(record).filter(asks)),
        additional: Object.fromEntries(Object.entries(record.additional ?? {}).filter(([name]) => asked.has(name))),
      }
      const typed = recordToAnswers(form, stored)
      const kept = keptOf(form, convertAnswersToRecord(form, typed))
      fc.pre(kept !== undefined)
      const missingIn = (values: Values) =>
        findMissingContent(kind, recordToAnswers(form, values)).map((v) => v.propertyPath)
      const onScreen = completionRuleFor(kind, typed)
      expect(missingIn(kept)).toEqual(onScreen.problems.map((v) => v.propertyPath))
      expect(missingIn({ ...kept, ...clearHiddenFields(form, kept) })).toEqual(missingIn(kept))
      expect(calculateFormCompletion(form, typed, onScreen).percent === 100).toBe(missingIn(kept).length === 0)
      if (!onScreen.problems.length) whole++
    }),
    { numRuns: 300 },
  )
  expect(whole).toBeGreaterThan(0)
})
