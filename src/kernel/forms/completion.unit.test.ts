import { describe, expect, it } from 'vitest'
import { violation } from '../errors.ts'
import { calculateFormCompletion } from './completion.ts'
import type { FormField, FormFieldKind, FormSchema } from './schema.ts'

const field = (name: string, kind: FormFieldKind, more: Partial<FormField> = {}): FormField => ({
  name,
  kind,
  label: name,
  ...more,
})
const form = (...fields: FormField[]): FormSchema => ({
  title: 'Form',
  steps: [{ name: 'only', title: 'Limited to', groups: [{ fields }] }],
})

describe('form completion', () => {
  it('form completion is 100% if no field is required', () => {
    expect(calculateFormCompletion(form(field('a', 'text')), {})).toEqual({
      share: 1,
      percent: 100,
      steps: { only: { filled: 0, required: 0, complete: true } },
    })
  })

  it('form completion covers required fields in every row, and counts zeros and switches set to no as filled in, but unticked checkboxes as empty', () => {
    const schema = form(
      field('yes', 'switch', { required: true }),
      field('agreed', 'checkbox', { required: true }),
      field('many', 'number', { required: true }),
      field('rows', 'rows', {
        required: true,
        fields: [
          field('a', 'text', { required: true }),
          field('b', 'text', { when: [{ watch: 'a', equals: 'x' }], required: true }),
        ],
      }),
    )
    expect(calculateFormCompletion(schema, {}).steps.only).toEqual({ filled: 0, required: 4, complete: false })
    const part = calculateFormCompletion(schema, { yes: false, agreed: false, many: 0, rows: [{ a: 'x' }, { a: '' }] })
    expect(part.steps.only).toEqual({ filled: 4, required: 7, complete: false })
    expect(part.percent).toBe(57)
  })

  it("form completion covers the questions in a module's own input, and counts an invalid optional answer as an unanswered question", () => {
    const schema = form(field('own', 'custom', { required: true }), field('n', 'number', { max: 5 }))
    expect(calculateFormCompletion(schema, { own: [1] }).steps.only).toEqual({ filled: 1, required: 1, complete: true })
    const problems = [violation('own[3].who', 'Who?'), violation('n', 'Too many'), violation('title', 'Which?')]
    const judged = calculateFormCompletion(schema, { own: [1], n: 6 }, { problems, asked: { own: 8 } })
    expect(judged.steps.only).toEqual({ filled: 7, required: 9, complete: false })
    expect(judged.share).toBe(7 / 10)
  })

  it("form completion counts copied answers as unanswered until they are confirmed, including those in rows and in a module's own input", () => {
    const rows = { required: true, fields: [field('a', 'text', { required: true })] }
    const schema = form(field('t', 'text', { required: true }), field('rows', 'rows', rows), field('own', 'custom'))
    const values = { t: 'Copied', rows: [{ a: 'x' }, { a: 'y' }], own: [1, 2] }
    const unconfirmed = (at: string) => violation(at, 'Is it still right?', 'unconfirmed')
    const asked = { 'own[0]': 4, 'own[1]': 5 }
    const filled = (...problems: string[]) => {
      const { only } = calculateFormCompletion(schema, values, { problems: problems.map(unconfirmed), asked }).steps
      return [only?.filled, only?.required]
    }
    expect(filled()).toEqual([13, 13])
    expect(filled('own[1].unconfirmed')).toEqual([8, 13])
    expect(filled('t', 'rows')).toEqual([9, 13])
    // The confirmation is counted as a separate question.
    expect(filled('t', 'rows', 'own')).toEqual([0, 14])
  })
})
