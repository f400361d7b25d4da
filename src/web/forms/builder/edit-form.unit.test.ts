import { expect, test } from 'vitest'
import { formFieldsIn } from '#kernel/forms/fields-in.ts'
import { parseFormVersion } from '#kernel/forms/read-form.ts'
import type { FormField, FormSchema } from '#kernel/forms/schema.ts'
import {
  addField,
  addGroup,
  addStep,
  copyField,
  findOmittedFields,
  moveField,
  moveStep,
  omitField,
  removeField,
  removeGroup,
  removeStep,
  replaceField,
  setDefectPhoto,
  setGroupTitle,
} from './edit-form.ts'
import {
  describeQuestion,
  makeFieldName,
  parseTableColumns,
  proposeMeanings,
  setMeaning,
  toEditedChoices,
  toFormChoices,
} from './questions.ts'

const wet: FormField = { name: 'wet', kind: 'switch', label: 'Is it wet?' }
const why: FormField = { name: 'why', kind: 'text', label: 'Reason', when: [{ watch: 'wet', equals: true }] }
const place: FormField = { name: 'place', kind: 'text', label: 'Place', required: true }
const form: FormSchema = {
  title: 'Check',
  steps: [
    { name: 'first', title: 'First', groups: [{ fields: [wet, place] }, { title: 'Rest', fields: [why] }] },
    { name: 'second', title: 'Second', when: [{ watch: 'wet', equals: true }], groups: [] },
  ],
}
const names = (schema: FormSchema) => formFieldsIn(schema).map((f) => f.name)
const declared = { schema: form, title: 'place', taken: ['author'] }

test('a question can be moved only within its group', () => {
  expect(names(moveField(form, 'place', -1))).toEqual(['place', 'wet', 'why'])
  expect(moveField(form, 'wet', -1)).toEqual(form)
  expect(moveField(form, 'place', 1)).toEqual(form)
})

test('removing a question removes the conditions that depend on it', () => {
  const left = removeField(form, 'wet')
  expect(names(left)).toEqual(['place', 'why'])
  expect(JSON.stringify(left)).not.toContain('watch')
})

test('removing a step or group removes its questions and the conditions that depend on them', () => {
  expect(JSON.stringify(removeGroup(form, { step: 0, group: 0 }))).not.toContain('watch')
  expect(removeStep(form, 0).steps).toEqual([{ name: 'second', title: 'Second', groups: [] }])
})

test('a question omitted from a declared form can be added back with its conditions', () => {
  const left = omitField(form, 'why')
  expect(findOmittedFields(form, left)).toEqual([{ step: 0, field: why }])
  expect(addField(left, { step: 0, group: 1 }, why)).toEqual(form)
})

test('an omitted question whose step is missing is offered in the last step', () => {
  const single = { ...form, steps: form.steps.slice(1) }
  expect(findOmittedFields(form, single).map((left) => left.step)).toEqual([0, 0, 0])
})

test('a question added to a step without groups is placed in a new group', () => {
  expect(addField(form, { step: 1, group: 0 }, place).steps[1]?.groups).toEqual([{ fields: [place] }])
})

test('a version of a declared form is valid after a question is added and changed', () => {
  const gas: FormField = { name: 'gas', kind: 'text', label: 'Gas', additional: true }
  const version = replaceField(addField(form, { step: 0, group: 0 }, gas), { ...gas, label: 'Which gas?' })
  expect(parseFormVersion(declared, version)).toMatchObject({ wrong: [] })
})

test('a copied question gets a unique name and is placed after the original', () => {
  expect(names(copyField(form, 'wet'))).toEqual(['wet', 'isItWet', 'place', 'why'])
})

test('steps and groups can be added, moved and renamed', () => {
  expect(moveStep(addStep(form), 2, -1).steps.map((s) => s.name)).toEqual(['first', 'step3', 'second'])
  expect(addGroup(form, 1).steps[1]?.groups).toEqual([{ title: 'New group', fields: [] }])
  expect(setGroupTitle(form, { step: 0, group: 1 }, '').steps[0]?.groups[1]).toEqual({ fields: [why] })
  expect(setGroupTitle(form, { step: 0, group: 0 }, 'Site').steps[0]?.groups[0]?.title).toBe('Site')
})

test('a field name consists of the letters and digits of its label and is unique', () => {
  expect(makeFieldName('Gas monitor – which?', new Set())).toBe('gasMonitorWhich')
  expect(makeFieldName('Project', new Set(['project']))).toBe('project2')
  expect(makeFieldName('5 m rule', new Set())).toBe('question5MRule')
  expect(makeFieldName('مراقب', new Set())).toMatch(/^question/)
})

test('a renamed choice retains its stored value, and blank choices are removed', () => {
  const [ok, defect] = toEditedChoices([
    { value: 'ok', label: 'OK', points: 1 },
    { value: 'defect', label: 'Defect' },
  ])
  const edited = [
    { ...ok!, label: ' Fine ' },
    { ...defect!, label: ' ' },
    { id: 9, label: 'New', points: '' as const },
  ]
  expect(toFormChoices(edited, { points: true })).toEqual([
    { value: 'ok', label: 'Fine', points: 1 },
    { value: 'New', label: 'New' },
  ])
  expect(toFormChoices(edited, { points: false })[0]).toEqual({ value: 'ok', label: 'Fine' })
})

test('parsing table columns drops duplicate lines and retains the field names of existing columns', () => {
  const before: FormField[] = [{ name: 'who', kind: 'text', label: 'Who', required: true }]
  expect(parseTableColumns('Who\n\n What \nWhat', before)).toEqual([
    before[0],
    { name: 'what', kind: 'text', label: 'What' },
  ])
})

test("a question's description states its type, whether it is required, and its conditions", () => {
  expect(describeQuestion(form, place)).toBe('Short text · required')
  expect(describeQuestion(form, why)).toBe('Short text · asked only if “Is it wet?” is Yes')
})

test('meanings are proposed for choices with known words, but only while no choice has a meaning', () => {
  const choices = (...labels: string[]) => toEditedChoices(labels.map((label) => ({ value: label, label })))
  const meanings = (all: ReturnType<typeof proposeMeanings>) => all?.map((c) => c.means)
  expect(meanings(proposeMeanings(choices('Yes', ' no ', 'N/A')))).toEqual(['fine', 'defect', undefined])
  expect(meanings(proposeMeanings(choices('Pass', 'Fail', 'Good')))).toEqual(['fine', 'defect', undefined])
  expect(proposeMeanings(choices('Red', 'No'))).toBeUndefined()
  const marked = setMeaning(choices('Yes', 'No'), 1, 'fine')
  expect(proposeMeanings(marked)).toBeUndefined()
  expect(meanings(setMeaning(marked, 0, 'fine'))).toEqual(['fine', undefined])
  expect(toFormChoices(marked, { points: true })[1]).toEqual({ value: 'No', label: 'No', means: 'fine' })
})

test('the photo question for a defect is updated and removed together with the question that it belongs to', () => {
  const check: FormField = {
    name: 'tyres',
    kind: 'select',
    label: 'Tyres?',
    options: [{ value: 'bad', label: 'Bad', means: 'defect' }],
  }
  const base = addField(form, { step: 0, group: 0 }, check)
  const photo = (schema: FormSchema) => formFieldsIn(schema).find((f) => f.kind === 'uploads')
  const withPhoto = setDefectPhoto(base, check, { wanted: true })
  expect(names(withPhoto).slice(2, 4)).toEqual(['tyres', 'tyresPhoto'])
  expect(photo(withPhoto)).toMatchObject({ label: 'Photo: Tyres?', when: [{ watch: 'tyres', equals: 'bad' }] })
  expect(setDefectPhoto(withPhoto, check, { wanted: true })).toEqual(withPhoto)
  const worn = { ...check, label: 'Treads?', options: [{ value: 'worn', label: 'Worn', means: 'defect' as const }] }
  const changed = setDefectPhoto(replaceField(withPhoto, worn), worn, { wanted: true, former: check })
  expect(photo(changed)).toMatchObject({ name: 'tyresPhoto', label: 'Photo: Treads?', when: [{ equals: 'worn' }] })
  expect(setDefectPhoto(withPhoto, check, { wanted: false })).toEqual(base)
  expect(names(removeField(withPhoto, 'tyres'))).toEqual(names(form))
})
