import { expect, test } from 'vitest'
import type { FormSchema } from '#kernel/forms/schema.ts'
import { findFailedAnswers } from './failed-answers.ts'

const question = (name: string, options: readonly object[], more: object = {}) => ({
  name,
  kind: 'select',
  label: name.toUpperCase(),
  options,
  ...more,
})
const DEFECT = [
  { value: 'ok', label: 'OK', means: 'fine' },
  { value: 'worn', label: 'Worn', means: 'defect' },
]
const SCORED = [
  { value: 'yes', label: 'Yes', points: 2 },
  { value: 'no', label: 'No', points: 0 },
  { value: 'na', label: 'Not applicable' },
]
const schema = {
  title: 'Van check',
  steps: [
    {
      name: 's',
      title: 'S',
      groups: [
        {
          fields: [
            question('lamps', DEFECT),
            question('spare', DEFECT, { when: [{ watch: 'lamps', equals: 'ok' }] }),
            { name: 'lampsDefect', kind: 'longText', label: 'WRONG', when: [{ watch: 'lamps', equals: 'worn' }] },
            question('clean', SCORED),
            { name: 'tyres', kind: 'rows', label: 'TYRES', fields: [question('tread', DEFECT)] },
          ],
        },
      ],
    },
  ],
} as unknown as FormSchema

test('the failed answers of a form are its visible defects and the answers that earned no points, in the order of the form', () => {
  const answers = {
    lamps: 'worn',
    lampsDefect: 'Cracked',
    spare: 'worn',
    clean: 'no',
    tyres: [{ tread: 'ok' }, { tread: 'worn' }],
  }
  expect(findFailedAnswers(schema, answers)).toEqual([
    { at: 'lamps', label: 'LAMPS: Worn (defect)', details: 'Cracked' },
    { at: 'clean', label: 'CLEAN: No', details: '' },
    { at: 'tyres[1].tread', label: 'TYRES, row 2: TREAD: Worn (defect)', details: '' },
  ])
})

test('a scored question that is unanswered or not applicable is not a failed answer', () => {
  for (const clean of ['na', null, undefined, 'yes'])
    expect(findFailedAnswers(schema, { lamps: 'ok', clean })).toEqual([])
})
