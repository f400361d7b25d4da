import { expect, test } from 'vitest'
import { formFieldsIn } from '#kernel/forms/fields-in.ts'
import { readReferenceFile } from '#server/seed/reference.ts'
import {
  buildPersonForm,
  deriveFormValues,
  detailsFromForm,
  type PersonFormLists,
  valuesFromEmployee,
} from './person-form.ts'
import { toggleEffect, validateCompletePerson, validatePerson } from './person-rules.ts'

const rows: Record<string, { readonly id: number; readonly description: string }[]> =
  readReferenceFile('incident-lookups.json')
const withIris = (key: string) =>
  (rows[key] ?? []).map((row) => ({ ...row, '@id': `/api/x/${row.id}`, retired: false }))
const lists = Object.fromEntries(
  ['jobClasses', 'kinds', 'injuries', 'severities', 'bodyParts', 'injuryEffects', 'mainFactors'].map((key) => [
    key,
    withIris(key),
  ]),
) as unknown as PersonFormLists

const AMPUTATION = '/api/x/1'
const OVER_SEVEN_DAYS = '/api/x/3'
const DAY = '2026-03-01'
const employee = {
  '@id': '/api/employees/employees/4',
  name: 'Liam Young',
  address1: '9 Crookes Road',
  address2: '',
  city: 'Sheffield',
  county: 'South Yorkshire',
  postcode: 'S10 5BA',
  telephone: '07700 900222',
  extCStartDate: '2025-09-01',
  payroll: 'BB022',
  jobtitlename: 'Apprentice joiner',
  dob: '2008-02-29',
  age: 18,
  sex: 1,
} as Parameters<typeof valuesFromEmployee>[0]

test('the tabs for an injured party and a witness are those of the specification', () => {
  const titles = (type: string) => buildPersonForm(type, lists).steps.map(({ title }) => title)
  expect(titles('IP')).toEqual(['Personnel Details', 'Injury Details', 'Statement'])
  expect(titles('WT')).toEqual(['Personnel Details', 'Witness Statement'])
})

test('an empty form for an injured party asks for each required detail, and a name alone is enough for a first report', () => {
  const named = detailsFromForm({ recordType: 'IP', name: 'Ann Carter' })
  const asked = validateCompletePerson(named, lists).map(({ propertyPath }) => propertyPath)
  expect(asked).toContain('bodyPart')
  const offered = formFieldsIn(buildPersonForm('IP', lists)).map(({ name }) => name)
  expect(asked.filter((name) => !offered.includes(name))).toEqual([])
  expect(validatePerson(named, lists)).toEqual([])
})

test('choosing an employee fills in their details, including their age on the day of the accident', () => {
  expect(valuesFromEmployee(employee, '2026-02-28')).toMatchObject({
    name: 'Liam Young',
    age: 17,
    jobTitle: '',
    sex: 1,
  })
  expect(valuesFromEmployee(employee, DAY)).toMatchObject({ age: 18, payroll: 'BB022', dateOfBirth: '2008-02-29' })
  expect(valuesFromEmployee({ ...employee, dob: '' as never, age: 0, sex: 0 }, DAY)).toMatchObject({
    age: 0,
    dateOfBirth: null,
    sex: 0,
  })
})

test('the body part is cleared if the injury and the severity don’t allow it', () => {
  const partOf = (code: number) => `/api/x/${lists.bodyParts.find(({ hseCode }) => hseCode === code)?.id}`
  const chosen = { injurySustained: AMPUTATION, severity: OVER_SEVEN_DAYS }
  expect(deriveFormValues({ ...chosen, bodyPart: partOf(2) }, lists, DAY)).toEqual({})
  expect(deriveFormValues({ ...chosen, bodyPart: partOf(10) }, lists, DAY)).toEqual({ bodyPart: null })
  expect(deriveFormValues({ ...chosen, severity: null, bodyPart: partOf(2) }, lists, DAY)).toEqual({ bodyPart: null })
})

test('the age is calculated from the date of birth', () => {
  expect(deriveFormValues({ dateOfBirth: '2000-03-02', age: 30 }, lists, DAY)).toEqual({ age: 25 })
  expect(deriveFormValues({ age: 30 }, lists, DAY)).toEqual({})
})

test("an exclusive effect can't be combined with other effects", () => {
  expect(toggleEffect([1, 2], 4, lists)).toEqual([4])
  expect(toggleEffect([4], 1, lists)).toEqual([1])
  expect(toggleEffect([1, 2], 1, lists)).toEqual([2])
})
