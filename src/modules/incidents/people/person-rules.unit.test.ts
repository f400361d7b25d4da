import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readReferenceFile } from '#server/seed/reference.ts'
import {
  BLANK,
  bodyPartsFor,
  calculateAgeOn,
  deriveInjuryValues,
  hasInjuryDetails,
  NO_BODY_PARTS,
  type PersonDetails,
  type PersonLookups,
  validatePerson,
} from './person-rules.ts'

type Row = Record<string, unknown> & { readonly id: number }
const file: Readonly<Record<string, readonly Row[]>> = readReferenceFile('incident-lookups.json')
const rows = (key: string) => (file[key] ?? []).map((row) => ({ retired: false, ...row }))
const lookups = Object.fromEntries(
  ['jobClasses', 'kinds', 'injuries', 'severities', 'bodyParts', 'injuryEffects'].map((key) => [key, rows(key)]),
) as unknown as PersonLookups

const whole: PersonDetails = {
  recordType: 'IP',
  name: 'Ann Carter',
  jobClass: 1,
  payroll: '12',
  jobTitle: 'Bricklayer',
  sex: 2,
  address1: '1 High Street',
  city: 'Leeds',
  county: 'West Yorkshire',
  postcode: 'LS1 4AP',
  telephone: '01632 960001',
  incidentType: 5,
  mainFactor: 1,
  injurySustained: 1,
  severity: 7,
  injuryEffect: [4],
  bodyPart: 10,
  description: 'Cut finger',
}
const wrong = (more: Partial<PersonDetails>) =>
  validatePerson({ ...whole, ...more }, lookups).map(({ propertyPath, message }) => [propertyPath, message])

describe('the details of an injured party', () => {
  test('the details of an injured party are complete with every value in the specification', () =>
    expect(wrong({})).toEqual([]))

  test.each([
    'jobClass',
    'name',
    'sex',
    'incidentType',
    'mainFactor',
    'injurySustained',
    'severity',
    'injuryEffect',
    'bodyPart',
  ] as const)('an injured party is refused with a blank %s', (name) =>
    expect(wrong({ [name]: name === 'injuryEffect' ? [] : null })).toContainEqual([name, BLANK]),
  )

  test('an injured party needs an address and a telephone number, while a witness needs only a name', () => {
    const none = { address1: '', city: '', county: '', postcode: '', telephone: '' }
    expect(wrong(none).map(([name]) => name)).toEqual(['address1', 'city', 'county', 'postcode', 'telephone'])
    expect(wrong({ telephone: '', mobile: '07700 900001' })).toEqual([])
    expect(validatePerson({ recordType: 'WT', name: 'Sam' }, lookups)).toEqual([])
    expect(validatePerson({ recordType: 'WT', name: ' ' }, lookups)).toHaveLength(1)
  })

  test('an injured party can be saved with only a name in a first report, and in no other', () => {
    expect(validatePerson({ recordType: 'IP', name: 'Ann' }, lookups)).toEqual([])
    expect(hasInjuryDetails({ name: 'Ann', injuryEffect: [] })).toBe(false)
  })

  test('a member of the public needs no payroll number or job title', () => {
    expect(wrong({ jobClass: 6, payroll: '', jobTitle: '' })).toEqual([])
  })

  test("the body part is cleared if the injury and the severity don't allow it", () => {
    const forbidden = { ...whole, severity: 2, bodyPart: 1 }
    expect(deriveInjuryValues(forbidden, lookups).bodyPart).toBeNull()
    expect(deriveInjuryValues({ ...whole, severity: null }, lookups).bodyPart).toBeNull()
    expect(deriveInjuryValues(whole, lookups)).toBe(whole)
  })

  test('an error says so if an injury and a severity leave no body part to choose', () => {
    const pairs = lookups.injuries.flatMap(({ id }) =>
      lookups.severities.map((severity) => ({ injurySustained: id, severity: severity.id })),
    )
    const none = pairs.find((pair) => bodyPartsFor({ ...whole, ...pair }, lookups).length === 0)
    expect(none).toBeDefined()
    expect(wrong({ ...none })).toContainEqual(['bodyPart', NO_BODY_PARTS])
  })

  test('an injured party is valid only with a body part that is offered for them', () => {
    const id = (list: readonly { readonly id: number }[]) => fc.constantFrom(...list.map((one) => one.id))
    const details = fc.record({
      injurySustained: id(lookups.injuries),
      severity: id(lookups.severities),
      bodyPart: id(lookups.bodyParts),
    })
    fc.assert(
      fc.property(details, (given) => {
        const isOffered = bodyPartsFor({ ...whole, ...given }, lookups).some((part) => part.id === given.bodyPart)
        expect(wrong(given).some(([name]) => name === 'bodyPart')).toBe(!isOffered)
      }),
    )
  })
})

describe('the age on the day of an accident', () => {
  test.each([
    ['2023-03-02', '2026-03-02', 3],
    ['2023-03-03', '2026-03-02', 2],
    ['2026-03-02', '2026-03-02', 0],
    ['2004-02-29', '2025-02-28', 20],
    ['2004-02-29', '2025-03-01', 21],
    ['2004-02-29', '2028-02-29', 24],
  ])('the age of a person born on %s is, on %s, %i', (born, day, age) => expect(calculateAgeOn(born, day)).toBe(age))

  test('the age of a person who was not yet born is unknown', () =>
    expect(calculateAgeOn('2026-03-03', '2026-03-02')).toBeNull())
})
