import fc from 'fast-check'
import { expect, test } from 'vitest'
import { convertRecordToForm, recordToAnswers, unplacedAnswers } from './answers.ts'
import { sanitiseAnswer } from './clean.ts'
import { calculateFormCompletion } from './completion.ts'
import { formFieldsIn } from './fields-in.ts'
import { hasAnswer } from './has-answer.ts'
import { formCompletionProblems } from './problems.ts'
import { clearHiddenFields } from './read-answers.ts'
import { type DeclaredForm, findConditionCycle, parseFormVersion } from './read-form.ts'
import type { FormField, FormSchema } from './schema.ts'
import { type Values, visibleForm } from './visible.ts'

const declared: DeclaredForm = {
  title: 'name',
  taken: ['state'],
  schema: {
    title: 'Form',
    steps: [
      {
        name: 'one',
        title: 'One',
        groups: [
          {
            fields: [
              { name: 'name', kind: 'text', label: 'Name', required: true },
              { name: 'place', kind: 'text', label: 'Place' },
              { name: 'count', kind: 'number', label: 'Count', min: 0 },
              { name: 'lines', kind: 'custom', label: 'Lines' },
            ],
          },
        ],
      },
    ],
  },
}

const DECLARED_FIELDS = formFieldsIn(declared.schema)
const WATCHED = ['place', 'a', 'b'] as const

/**
 * Arbitrary fields of a form version. Some of the type's fields are omitted, other fields are added, and some are
 * visible only under conditions.
 */
const fields: fc.Arbitrary<FormField[]> = fc
  .record({
    left: fc.subarray(['place', 'count']),
    added: fc.subarray(['a', 'b', 'c']),
    kinds: fc.array(fc.constantFrom('text' as const, 'number' as const, 'switch' as const), {
      minLength: 3,
      maxLength: 3,
    }),
    required: fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
    when: fc.array(
      fc.option(fc.record({ watch: fc.constantFrom(...WATCHED), equals: fc.constantFrom('x', true, null) })),
      {
        minLength: 5,
        maxLength: 5,
      },
    ),
  })
  .map(({ left, added, kinds, required, when }) => {
    const own = DECLARED_FIELDS.filter((f) => !left.includes(f.name))
    const more = added.map((name, i): FormField => ({ name, kind: kinds[i] ?? 'text', label: name, additional: true }))
    const names = new Set([...own, ...more].map((f) => f.name))
    return [...own, ...more].map((f, i) => {
      const condition = when[i % 5]
      const shown = condition && names.has(condition.watch) && condition.watch !== f.name
      if (f.name === 'name' || f.kind === 'custom') return f
      return { ...f, ...(required[i % 5] ? { required: true } : {}), ...(shown ? { when: [condition] } : {}) }
    })
  })
const inForm = (all: FormField[]) => ({ steps: [{ name: 'one', title: 'One', groups: [{ fields: all }] }] })
const versions = fields
  .filter((all) => !findConditionCycle(inForm(all)))
  .map((all) => parseFormVersion(declared, inForm(all)))

const value = fc.constantFrom<unknown>('x', 'y', '', null, 3, true, false)
const records = fc.record({
  name: fc.constantFrom('Roof', ''),
  place: fc.constantFrom('x', 'y', '', null),
  count: fc.constantFrom(3, null),
  additional: fc.dictionary(fc.constantFrom('a', 'b', 'c'), value),
})

const names = (schema: FormSchema) => formFieldsIn(schema).map((f) => f.name)
const given = (schema: FormSchema, record: Values) => {
  const answers = recordToAnswers(schema, record)
  return formFieldsIn(schema).filter((f) => f.kind !== 'custom' && hasAnswer(f, answers[f.name]))
}

test('parsing a form version again returns the same version, in which every field has its declared kind', () => {
  fc.assert(
    fc.property(versions, ({ form, wrong }) => {
      expect(wrong).toEqual([])
      expect(parseFormVersion(declared, JSON.parse(JSON.stringify(form))).form).toEqual(form)
      for (const f of formFieldsIn(form))
        expect(f.kind).toBe(DECLARED_FIELDS.find((own) => own.name === f.name)?.kind ?? f.kind)
      expect(names(form)).toEqual(expect.arrayContaining(['name', 'lines']))
    }),
  )
})

test('conditions, completion and sanitising give the same results for the stored and the displayed values of a record', () => {
  fc.assert(
    fc.property(versions, records, ({ form }, record) => {
      const kept: Values = { ...record, ...clearHiddenFields(form, record) }
      const [before, after] = [recordToAnswers(form, record), recordToAnswers(form, kept)]
      const shown = (values: Values) => formFieldsIn(visibleForm(form, values))
      expect(shown(after).map((f) => f.name)).toEqual(shown(before).map((f) => f.name))
      const seen = new Set(shown(after))
      for (const f of formFieldsIn(form)) {
        if (f.kind !== 'custom' && !seen.has(f)) expect([f.name, after[f.name] ?? null]).toEqual([f.name, null])
        else if (seen.has(f)) expect(after[f.name] ?? null).toEqual(before[f.name] ?? null)
      }
      expect(clearHiddenFields(form, kept)).toEqual({})
      expect(calculateFormCompletion(form, after)).toEqual(calculateFormCompletion(form, before))
      expect(formCompletionProblems(form, after)).toEqual(formCompletionProblems(form, before))
    }),
  )
})

test('converting a record to another form version and back loses no answers', () => {
  fc.assert(
    fc.property(versions, versions, records, ({ form: from }, { form: to }, record) => {
      const read = formFieldsIn(from).flatMap((f) =>
        f.additional ? [[f.name, sanitiseAnswer(f, record.additional[f.name])]] : [],
      )
      const strays = DECLARED_FIELDS.filter((f) => !names(from).includes(f.name)).map((f) => [f.name, null])
      const start: Values = { ...record, ...Object.fromEntries(strays), additional: Object.fromEntries(read) }
      const whole = Object.fromEntries(given(from, start).map((f) => [f.name, recordToAnswers(from, start)[f.name]]))
      const moved: Values = { ...start, ...convertRecordToForm(from, to, start) }
      const there = recordToAnswers(to, moved)
      const aside = new Map(unplacedAnswers(moved).map((u) => [u.name, u.value]))
      for (const [name, value] of Object.entries(whole))
        expect([name, aside.has(name) ? aside.get(name) : there[name]]).toEqual([name, value])
      const back: Values = { ...moved, ...convertRecordToForm(to, from, moved) }
      const again = recordToAnswers(from, back)
      for (const [name, value] of Object.entries(whole)) expect([name, again[name]]).toEqual([name, value])
      expect(unplacedAnswers(back)).toEqual([])
    }),
  )
})
