import { expect, test } from 'vitest'
import { isProposable } from '#kernel/forms/read-answers.ts'
import type { FormField, FormSchema } from '#kernel/forms/schema.ts'
import { createFormStore } from '#web/forms/schema/store.ts'
import { createFineAnswersStore } from './fill-parts.web.tsx'

const point = (name: string, more: Partial<FormField> = {}): FormField => ({
  name,
  kind: 'select',
  label: name,
  required: true,
  options: [
    { value: 'yes', label: 'Yes', means: 'fine' },
    { value: 'no', label: 'No', means: 'defect' },
  ],
  ...more,
})
const schema: FormSchema = {
  title: 'Check',
  steps: [
    {
      name: 'van',
      title: 'Van',
      groups: [
        {
          fields: [
            point('tyres'),
            point('lamps'),
            point('horn'),
            point('plain', { options: [{ value: 'yes', label: 'Yes' }] }),
            point('hidden', { when: [{ watch: 'lamps', equals: 'no' }] }),
            { name: 'note', kind: 'text', label: 'Note', required: true },
          ],
        },
      ],
    },
    { name: 'load', title: 'Load', groups: [{ fields: [point('straps')] }] },
  ],
}
function begun(values: Record<string, unknown> = {}) {
  const store = createFormStore(schema, values)
  const fine = createFineAnswersStore(schema, store, [])
  fine.follow()
  return { store, fine, questions: () => fine.list().map((press) => press.questions) }
}

test('one press sets every unanswered visible question in its section that has a fine option to that option', () => {
  const { store, fine, questions } = begun({ tyres: 'no' })
  fine.press('van')
  expect(store.values()).toEqual({ tyres: 'no', lamps: 'yes', horn: 'yes' })
  expect(questions()).toEqual([['lamps', 'horn']])
  expect(store.check().map((v) => v.propertyPath)).toEqual(['plain', 'note', 'straps'])
  fine.press('van')
  expect(questions()).toHaveLength(1)
})

test('undoing a press clears only the answers that have not been changed since', () => {
  const { store, fine, questions } = begun()
  fine.press('van')
  store.set(['tyres'], 'no')
  store.set(['horn'], 'no')
  store.set(['horn'], 'yes')
  expect(questions()).toEqual([['lamps']])
  fine.undo(fine.list()[0]!)
  expect(store.values()).toMatchObject({ tyres: 'no', lamps: null, horn: 'yes' })
  expect(questions()).toEqual([])
})

test('a press is restored with its draft, without the questions whose fine option has changed in a newer version', () => {
  const { store, fine } = begun()
  fine.press('van')
  const [step] = schema.steps
  const swapped = point('tyres', { options: [{ value: 'no', label: 'No', means: 'fine' }] })
  const next: FormSchema = { ...schema, steps: [{ ...step!, groups: [{ fields: [swapped, point('lamps')] }] }] }
  const again = createFineAnswersStore(next, createFormStore(next, store.values()), fine.list())
  expect(again.list()).toEqual([{ at: fine.list()[0]?.at, questions: ['lamps'] }])
})

test('a former answer is proposed only if its question still accepts it and it is not evidence', () => {
  const tyres = point('tyres')
  expect(isProposable(tyres, 'no')).toBe(true)
  for (const value of ['retired', 1, null, undefined, '', ['no']]) expect(isProposable(tyres, value)).toBe(false)
  const field = (kind: FormField['kind'], more: Partial<FormField> = {}): FormField => ({
    name: 'a',
    kind,
    label: 'A',
    ...more,
  })
  expect(isProposable(field('text', { max: 3 }), 'abcd')).toBe(false)
  expect(isProposable(field('date'), '2026-02-31')).toBe(false)
  expect(isProposable(field('number'), 7)).toBe(true)
  expect(isProposable(field('checkbox'), true)).toBe(false)
  expect(isProposable(field('uploads'), ['/api/safety/uploaded_documents/3'])).toBe(false)
  const signature = { name: 'Ann', method: 'typed', strokes: [], width: 0, height: 0 }
  expect(isProposable(field('signature'), signature)).toBe(false)
})
