import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formFieldsIn } from './fields-in.ts'
import { formCompletionProblems } from './problems.ts'
import { parseAnswers } from './read-answers.ts'
import { findConditionCycle, parseFormVersion } from './read-form.ts'
import type { FormField, FormSchema } from './schema.ts'
import { calculateScore } from './score.ts'
import { visibleForm } from './visible.ts'

const asGiven = (html: string) => html
const FIELD_NAMES = ['a', 'b', 'c', 'd', 'e'] as const
const OPTIONS = [
  { value: 'ok', label: 'OK', points: 3 },
  { value: 'half', label: 'Half', points: 1 },
  { value: 'bad', label: 'Bad', points: 0 },
  { value: 'na', label: 'Not applicable' },
] as const
const field = (name: string) =>
  fc
    .record({
      kind: fc.constantFrom('select' as const, 'text' as const, 'number' as const, 'switch' as const),
      required: fc.boolean(),
      when: fc.option(fc.record({ watch: fc.constantFrom(...FIELD_NAMES), equals: fc.constantFrom('ok', true, null) })),
    })
    .map(
      ({ kind, required, when }): FormField => ({
        name,
        kind,
        label: name.toUpperCase(),
        ...(required ? { required } : {}),
        ...(kind === 'select' ? { options: OPTIONS } : {}),
        ...(when ? { when: [when] } : {}),
      }),
    )
const free = { schema: { title: 'T', steps: [] }, title: '', taken: [], free: true } as const
const given = fc
  .tuple(...FIELD_NAMES.map(field))
  .map((fields) => ({ pass: 60, steps: [{ name: 's', title: 'S', groups: [{ fields }] }] }))
const forms = given.map((g) => parseFormVersion(free, g)).filter(({ wrong }) => wrong.length === 0)
const answers = fc.dictionary(
  fc.constantFrom(...FIELD_NAMES),
  fc.constantFrom<unknown>('ok', 'half', 'bad', 'na', 3, true, null, ''),
)

test('a custom form whose field conditions form a cycle is rejected, and the error names the fields in that cycle', () => {
  fc.assert(
    fc.property(given, (g) => {
      const { wrong } = parseFormVersion(free, g)
      const circle = findConditionCycle(g)
      expect(wrong.length > 0).toBe(circle !== undefined)
      if (!circle) return
      expect(circle.at(0)).toBe(circle.at(-1))
      const byLabel = new Map(formFieldsIn(g).map((f) => [f.label, f]))
      for (const [i, label] of circle.slice(0, -1).entries())
        expect(byLabel.get(label)?.when?.map((c) => c.watch.toUpperCase())).toContain(circle[i + 1])
      expect(wrong[0]?.message).toContain(circle.map((c) => `“${c}”`).join(' → '))
    }),
  )
})

test('a condition on a step or group that depends on a field inside it counts as a cycle', () => {
  const fields: FormField[] = [{ name: 'a', kind: 'text', label: 'A' }]
  const when = [{ watch: 'a', equals: 'x' }]
  expect(findConditionCycle({ steps: [{ name: 's', title: 'S', when, groups: [{ fields }] }] })).toEqual(['A', 'A'])
  expect(findConditionCycle({ steps: [{ name: 's', title: 'S', groups: [{ when, fields }] }] })).toEqual(['A', 'A'])
})

test('parsing a valid custom form a second time returns the same form', () => {
  fc.assert(
    fc.property(forms, ({ form }) => {
      expect(parseFormVersion(free, JSON.parse(JSON.stringify(form))).form).toEqual(form)
    }),
  )
})

test('a custom form stores only answers to visible fields, and reports the same problems as the screen', () => {
  fc.assert(
    fc.property(forms, answers, ({ form }, said) => {
      const { kept, wrong } = parseAnswers(form, said, asGiven)
      if (wrong.some((v) => /is not valid/.test(v.message))) return
      const shown = new Set(formFieldsIn(visibleForm(form, kept)).map((f) => f.name))
      expect(Object.keys(kept).filter((name) => !shown.has(name))).toEqual([])
      expect(wrong).toEqual(formCompletionProblems(form, kept))
      expect(parseAnswers(form, kept, asGiven).kept).toEqual(kept)
    }),
  )
})

test("a form's score is between zero and the maximum, and a better answer never lowers it", () => {
  const onlyChoices = (form: FormSchema) => formFieldsIn(form).every((f) => !f.when)
  fc.assert(
    fc.property(forms, answers, fc.constantFrom(...FIELD_NAMES), ({ form }, said, name) => {
      const { points, outOf, percent, passed } = calculateScore(form, said)
      expect(points >= 0 && points <= outOf).toBe(true)
      expect(percent).toBe(outOf ? Math.floor((100 * points) / outOf) : null)
      expect(passed).toBe(outOf ? 100 * points >= 60 * outOf : null)
      if (!onlyChoices(form)) return
      const better = calculateScore(form, { ...said, [name]: 'ok' })
      expect(better.percent ?? 100).toBeGreaterThanOrEqual(said[name] === 'na' ? 0 : (percent ?? 0))
      // Omitting a question gives no more points than a bad answer.
      const { [name]: _, ...without } = said
      expect(calculateScore(form, without).points).toBeLessThanOrEqual(
        calculateScore(form, { ...said, [name]: 'bad' }).points,
      )
    }),
  )
})

test('a multiple-choice question scores the sum of the chosen options, and its maximum is the sum of the five best options', () => {
  const several = fc
    .uniqueArray(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 8 })
    .map((all) => all.map((points, i) => ({ value: `v${i}`, label: `V${i}`, points })))
  const choices = fc.uniqueArray(fc.integer({ min: 0, max: 9 }), { maxLength: 5 })
  fc.assert(
    fc.property(several, choices, (options, picked) => {
      const q: FormField = { name: 'q', kind: 'combobox', label: 'Q', options }
      const form = { title: 'T', steps: [{ name: 's', title: 'S', groups: [{ fields: [q] }] }] }
      const { kept } = parseAnswers(form, { q: picked.map((i) => `v${i}`) }, asGiven)
      const { points, outOf } = calculateScore(form, kept)
      expect(points).toBe(picked.reduce((all, i) => all + (options[i]?.points ?? 0), 0))
      const best = options.map((o) => o.points).toSorted((a, b) => b - a)
      expect(outOf).toBe(best.slice(0, 5).reduce((all, p) => all + p, 0))
      expect(points).toBeLessThanOrEqual(outOf)
      const fewer = calculateScore(form, { q: picked.slice(1).map((i) => `v${i}`) })
      expect(fewer.points).toBeLessThanOrEqual(points)
    }),
  )
})

test('a question is not scored if only options without points are chosen', () => {
  const q: FormField = { name: 'q', kind: 'combobox', label: 'Q', options: OPTIONS }
  const form = { title: 'T', steps: [{ name: 's', title: 'S', groups: [{ fields: [q] }] }] }
  const scored = (...chosen: string[]) => {
    const { points, outOf } = calculateScore(form, { q: chosen })
    return [points, outOf]
  }
  expect([scored('na'), scored('na', 'half'), scored('ok', 'half'), scored('else'), scored()]).toEqual([
    [0, 0],
    [1, 4],
    [4, 4],
    [0, 4],
    [0, 4],
  ])
})

test.each([
  [{ kind: 'text', max: -1 }, 'max'],
  [{ kind: 'longText', max: 0 }, 'max'],
  [{ kind: 'number', min: 10, max: 3 }, 'min'],
  [{ kind: 'rows', min: 501, fields: [{ name: 'a', kind: 'text', label: 'A' }] }, 'min'],
  [{ kind: 'rows', min: 3, max: 2, fields: [{ name: 'a', kind: 'text', label: 'A' }] }, 'min'],
])(
  "a custom form with a field that can't be filled in is rejected, and the error states the field's path: %j",
  (field, at) => {
    const of = { steps: [{ name: 's', title: 'S', groups: [{ fields: [{ name: 'q', label: 'Q', ...field }] }] }] }
    expect(parseFormVersion(free, of).wrong.map((v) => v.propertyPath)).toEqual([
      `schema.steps[0].groups[0].fields[0].${at}`,
    ])
  },
)

test('a number field can allow negative numbers, and its minimum and maximum can be equal', () => {
  const of = (more: object) => ({
    steps: [{ name: 's', title: 'S', groups: [{ fields: [{ name: 'q', label: 'Q', kind: 'number', ...more }] }] }],
  })
  for (const more of [
    { min: -20, max: -1 },
    { min: 0, max: 0 },
  ])
    expect(parseFormVersion(free, of(more)).wrong).toEqual([])
})
