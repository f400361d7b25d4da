import type { FormField, FormSchema } from '#kernel/forms/schema.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { idFromAnyIri } from '#kernel/iri.ts'
import type { RecordOf } from '#kernel/resource.ts'
import type { employeeWithDetails } from '#modules/people/employees/employee.ts'
import { formatMarkedName } from '../lookups/lookup.ts'
import { incidentPerson } from './incident-person.ts'
import { calculateAgeOn, deriveInjuryValues, type PersonDetails, type PersonLookups } from './person-rules.ts'

interface ListEntry {
  readonly '@id': string
  readonly id: number
  readonly description: string
  readonly composed: boolean
  readonly retired: boolean
}
/** Lists of the form: those that the rules check, with labels, and the main factors. */
export type PersonFormLists = {
  readonly [K in keyof PersonLookups]: readonly (PersonLookups[K][number] & ListEntry)[]
} & { readonly mainFactors: readonly ListEntry[] }

const { fields } = incidentPerson
type PersonField = keyof typeof fields

const input = (name: PersonField, kind: FormField['kind'], more: Partial<FormField> = {}): FormField => ({
  name,
  kind,
  label: ('label' in fields[name] ? fields[name].label : undefined) ?? `${name[0]?.toUpperCase()}${name.slice(1)}`,
  width: 6,
  ...more,
})
const text = (name: PersonField, more: Partial<FormField> = {}) => input(name, 'text', more)
const required = { required: true }

const GENDERS = [
  { value: 1, label: 'Male' },
  { value: 2, label: 'Female' },
]

const address = (isRequired: boolean): FormField[] => {
  const need = isRequired ? required : {}
  return [
    text('address1', need),
    text('address2'),
    text('city', { ...need, width: 4 }),
    text('county', { ...need, width: 4 }),
    text('postcode', { ...need, width: 4 }),
    text('telephone', { ...need, label: 'Contact number' }),
    text('mobile'),
  ]
}

const statementStep = (title: string, help: string, { statementReceivedAt }: Values) => ({
  name: 'statement',
  title,
  groups: [
    {
      fields: [
        input('statement', 'longText', { width: 12, help }),
        ...(statementReceivedAt
          ? [
              input('statementAddition', 'longText', {
                width: 12,
                help: 'Your company’s own addition. The statement itself can’t be changed.',
              }),
            ]
          : []),
      ],
    },
  ],
})

const witnessForm = (values: Values): FormSchema => ({
  title: 'Witness',
  steps: [
    {
      name: 'person',
      title: 'Personnel Details',
      groups: [
        {
          fields: [
            input('employee', 'custom', { width: 12, also: ['name'] }),
            text('name', { ...required, width: 12 }),
            ...address(false),
          ],
        },
      ],
    },
    statementStep('Witness Statement', 'What the witness saw and heard, in their own words.', values),
  ],
})

/**
 * Returns the form for a person in an incident: the tabs of the specification that apply to the type (section 2).
 * Retired entries of the lists are offered only if the person already has them.
 */
export function buildPersonForm(recordType: string, lists: PersonFormLists, values: Values = {}): FormSchema {
  if (recordType === 'WT') return witnessForm(values)
  const choice = (name: PersonField, list: readonly ListEntry[]): FormField =>
    input(name, 'select', {
      options: list
        .filter((one) => !one.retired || one['@id'] === values[name])
        .map((one) => ({ value: one['@id'], label: formatMarkedName(one) })),
      ...required,
    })
  const falls = lists.kinds.filter((kind) => kind.requiresFallHeight).map((kind) => kind['@id'])
  return {
    title: 'Injured Party',
    steps: [
      {
        name: 'person',
        title: 'Personnel Details',
        groups: [
          {
            fields: [
              input('employee', 'custom', { width: 12 }),
              text('name', required),
              input('sex', 'select', { options: GENDERS, ...required }),
              choice('jobClass', lists.jobClasses),
              text('jobClassText'),
              text('payroll'),
              text('jobTitle'),
              input('commencedEmployment', 'date'),
              input('dateOfBirth', 'date'),
              input('age', 'number', {
                help: 'Age on the day of the accident, from the date of birth if it is known.',
              }),
              text('hseNumber'),
              ...address(true),
            ],
          },
        ],
      },
      {
        name: 'injury',
        title: 'Injury Details',
        groups: [
          {
            fields: [
              choice('incidentType', lists.kinds),
              input('fallHeight', 'number', { ...required, when: [{ watch: 'incidentType', in: falls }] }),
              choice('mainFactor', lists.mainFactors),
              choice('injurySustained', lists.injuries),
              input('severity', 'custom', required),
              input('bodyPart', 'custom', required),
              input('injuryEffect', 'custom', { ...required, width: 12 }),
              text('description', { ...required, width: 12 }),
            ],
          },
        ],
      },
      statementStep('Statement', 'What happened, in the words of the injured person.', values),
    ],
  }
}

const LINKS = ['jobClass', 'incidentType', 'mainFactor', 'injurySustained', 'severity', 'bodyPart'] as const

/** Returns the values of the form as the rules read them, with IDs for IRIs. */
export const detailsFromForm = (values: Values): PersonDetails => ({
  ...values,
  ...Object.fromEntries(LINKS.map((name) => [name, idFromAnyIri(values[name]) ?? null])),
})

/**
 * Returns the derived values: an empty body part if the injury or the severity doesn't allow it, and the age on the day
 * of the accident.
 */
export function deriveFormValues(values: Values, lists: PersonLookups, day: string | undefined): Values {
  const person = detailsFromForm(values)
  const { dateOfBirth } = person
  const age = dateOfBirth && day ? calculateAgeOn(dateOfBirth, day) : undefined
  return {
    ...(deriveInjuryValues(person, lists).bodyPart === person.bodyPart ? {} : { bodyPart: null }),
    ...(age === undefined || age === values.age ? {} : { age }),
  }
}

type EmployeeDetails = RecordOf<typeof employeeWithDetails>

/**
 * Returns the values that choosing an employee fills in (safety section 3). The job title stays blank, because the
 * form needs the title at the time of the accident.
 */
export function valuesFromEmployee(employee: EmployeeDetails, day: string | undefined): Values {
  const { name, address1, address2, city, county, postcode, telephone, extCStartDate, payroll, dob, sex } = employee
  return {
    employee: employee['@id'],
    name,
    address1,
    address2,
    city,
    county,
    postcode,
    telephone,
    commencedEmployment: extCStartDate,
    payroll,
    dateOfBirth: dob || null,
    age: (dob && day ? calculateAgeOn(dob, day) : employee.age) || 0,
    jobTitle: '',
    sex: sex || 0,
  }
}
