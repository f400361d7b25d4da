import { expect, test } from 'vitest'
import { findDataLoss } from './losses.ts'
import { parseAnswers } from './read-answers.ts'
import type { FormField, FormFieldKind } from './schema.ts'

const field = (kind: FormFieldKind): FormField => ({ name: 'a', kind, label: 'Photos' })
const FILE = '/api/safety/uploaded_documents/1'
const NOT_FILES = [1, null, {}, [], [FILE], '', true, { '@id': 1 }, { label: 'Plan' }, { '@id': FILE, label: 5 }]

test.each(NOT_FILES)(
  'a list of files with %j is refused with an error at its field, instead of being stored without it',
  (wrong) => {
    const refusal = { propertyPath: 'a', message: 'Photos is not valid' }
    expect(findDataLoss(field('uploads'), [FILE, wrong])).toMatchObject([refusal])
    const schema = { title: 'Form', steps: [{ name: 's', title: 'S', groups: [{ fields: [field('uploads')] }] }] }
    expect(parseAnswers(schema, { a: [FILE, wrong] }, (html) => html)).toMatchObject({ kept: {}, wrong: [refusal] })
  },
)

test('files in rows are checked like files in a field', () => {
  const rows = { ...field('rows'), fields: [{ ...field('uploads'), name: 'b' }] }
  expect(findDataLoss(rows, [{ b: [FILE] }, { b: [FILE, 2] }])).toMatchObject([{ propertyPath: 'a[1].b' }])
})

test('a list of files with addresses and captions is accepted', () => {
  for (const right of [FILE, { '@id': FILE }, { '@id': FILE, label: null }, { '@id': FILE, label: 'Plan', size: 3 }])
    expect(findDataLoss(field('uploads'), [right])).toEqual([])
})

test('a list of choices is refused if a choice is neither text nor a number', () => {
  expect(findDataLoss(field('combobox'), ['x', 3])).toEqual([])
  for (const wrong of [null, {}, ['x'], true]) expect(findDataLoss(field('combobox'), ['x', wrong])).toHaveLength(1)
})

test('a list of cards is refused if an entry is not an ID', () => {
  for (const right of [[1, '2'], '3,1', []]) expect(findDataLoss(field('imageCards'), right)).toEqual([])
  for (const wrong of [['x'], [0], [1.5], [null], [{}], '1,x', 4, {}])
    expect(findDataLoss(field('imageCards'), wrong)).toHaveLength(1)
})
