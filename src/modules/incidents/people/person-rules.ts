import { type Violation, violation } from '#kernel/errors.ts'
import { offeredBodyParts, offeredSeverities } from '../lookups/injury-rules.ts'
import type { RiddorRules } from '../lookups/lookup.ts'

interface LookupRow {
  readonly id: number
  readonly retired: boolean
}

/** Lists against which the details of a person are checked. */
export interface PersonLookups {
  readonly jobClasses: readonly (LookupRow & {
    readonly payrollRequired: boolean
    readonly jobTitleRequired: boolean
  })[]
  readonly kinds: readonly (LookupRow & { readonly requiresFallHeight: boolean })[]
  readonly injuries: readonly (LookupRow & { readonly riddorRules: RiddorRules })[]
  readonly severities: readonly (LookupRow & { readonly severity: string; readonly riddor: boolean })[]
  readonly bodyParts: readonly (LookupRow & { readonly hseCode: number })[]
  readonly injuryEffects: readonly (LookupRow & { readonly exclusive: boolean })[]
}

/** Details of a person as entered. Relations are IDs. */
export interface PersonDetails {
  readonly recordType?: string | null
  readonly name?: string | null
  readonly jobClass?: number | null
  readonly payroll?: string | null
  readonly jobTitle?: string | null
  readonly sex?: number | null
  readonly address1?: string | null
  readonly city?: string | null
  readonly county?: string | null
  readonly postcode?: string | null
  readonly telephone?: string | null
  readonly mobile?: string | null
  readonly incidentType?: number | null
  readonly fallHeight?: number | null
  readonly mainFactor?: number | null
  readonly injurySustained?: number | null
  readonly severity?: number | null
  readonly injuryEffect?: readonly number[] | null
  readonly bodyPart?: number | null
  readonly description?: string | null
  readonly dateOfBirth?: string | null
}

export const BLANK = 'Cannot be left blank'
export const NO_BODY_PARTS = 'No available body parts: this is likely due to the combination of injury/severity'

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === 0 ||
  (typeof value === 'string' && !value.trim()) ||
  (Array.isArray(value) && !value.length)

const INJURY_FIELDS = [
  'jobClass',
  'incidentType',
  'mainFactor',
  'injurySustained',
  'severity',
  'injuryEffect',
  'bodyPart',
] as const

/**
 * Returns true if any detail of an injury is entered. A person without such details was only named, as in a report from
 * a site.
 */
export const hasInjuryDetails = (person: PersonDetails): boolean => INJURY_FIELDS.some((name) => !isEmpty(person[name]))

/**
 * Returns the person with the derived values (safety section 4): the body part is empty without a severity or injury,
 * or if the two do not allow it.
 */
export function deriveInjuryValues<P extends PersonDetails>(person: P, lookups: PersonLookups): P {
  const offered = bodyPartsFor(person, lookups)
  const fits = offered.some(({ id }) => id === person.bodyPart)
  return person.bodyPart && !fits ? { ...person, bodyPart: null } : person
}

/**
 * Returns the effects of an injury after one of them was chosen or cleared. An exclusive effect, such as “None of the
 * above”, can't be combined with the others.
 */
export function toggleEffect(chosen: readonly number[], effect: number, { injuryEffects }: PersonLookups): number[] {
  if (chosen.includes(effect)) return chosen.filter((id) => id !== effect)
  const isExclusive = (id: number) => injuryEffects.find((one) => one.id === id)?.exclusive === true
  return isExclusive(effect) ? [effect] : [...chosen.filter((id) => !isExclusive(id)), effect]
}

/** Returns the parts of the body that the injury and the severity of a person allow; none without both. */
export function bodyPartsFor(person: PersonDetails, { injuries, severities, bodyParts }: PersonLookups) {
  const injury = injuries.find(({ id }) => id === person.injurySustained)
  const severity = severities.find(({ id }) => id === person.severity)
  return injury && severity ? offeredBodyParts(bodyParts, injury, severity) : []
}

/** Returns true if RIDDOR makes the severity reportable. */
export const isRiddorSeverity = ({ severity }: PersonDetails, { severities }: PersonLookups): boolean =>
  severities.find(({ id }) => id === severity)?.riddor === true

const blankFields = (person: PersonDetails, ...names: (keyof PersonDetails)[]): Violation[] =>
  names.filter((name) => isEmpty(person[name])).map((name) => violation(name, BLANK))

/**
 * Returns the violations of a person's details, by field (safety sections 4 and 5). A witness needs a name only. An
 * injured party needs all details, unless nothing about the injury is known yet.
 */
export const validatePerson = (person: PersonDetails, lookups: PersonLookups): Violation[] =>
  person.recordType === 'WT' || hasInjuryDetails(person)
    ? validateCompletePerson(person, lookups)
    : blankFields(person, 'name')

/** Returns the violations of a person whose details have all been entered, as a person's form requires. */
export function validateCompletePerson(person: PersonDetails, lookups: PersonLookups): Violation[] {
  const blank = (...names: (keyof PersonDetails)[]) => blankFields(person, ...names)
  if (person.recordType === 'WT') return blank('name')
  const jobClass = lookups.jobClasses.find(({ id }) => id === person.jobClass)
  const kind = lookups.kinds.find(({ id }) => id === person.incidentType)
  return [
    ...blank('jobClass', 'name', 'sex', 'incidentType', 'mainFactor', 'injurySustained', 'severity', 'injuryEffect'),
    ...blank('address1', 'city', 'county', 'postcode'),
    ...(isEmpty(person.telephone) && isEmpty(person.mobile) ? blank('telephone') : []),
    ...(jobClass?.payrollRequired ? blank('payroll') : []),
    ...(jobClass?.jobTitleRequired ? blank('jobTitle') : []),
    ...(kind?.requiresFallHeight ? blank('fallHeight') : []),
    ...(isEmpty(person.description) ? [violation('description', 'Please type short description')] : []),
    ...severityViolations(person, lookups),
    ...effectViolations(person, lookups),
    ...bodyPartViolations(person, lookups),
  ]
}

function severityViolations({ severity, jobClass }: PersonDetails, { severities }: PersonLookups): Violation[] {
  if (!severity || offeredSeverities(severities, jobClass ?? null).some(({ id }) => id === severity)) return []
  return [violation('severity', 'This severity is not possible for this job class. Please choose another')]
}

function effectViolations({ injuryEffect }: PersonDetails, { injuryEffects }: PersonLookups): Violation[] {
  const chosen = injuryEffect ?? []
  const known = injuryEffects.filter(({ id }) => chosen.includes(id))
  if (known.length < new Set(chosen).size) return [violation('injuryEffect', 'Please choose effects from the list')]
  return known.length > 1 && known.some(({ exclusive }) => exclusive)
    ? [violation('injuryEffect', 'Please choose either effects, or none of them')]
    : []
}

function bodyPartViolations(person: PersonDetails, lookups: PersonLookups): Violation[] {
  if (!person.severity || !person.injurySustained) return person.bodyPart ? [] : [violation('bodyPart', BLANK)]
  const offered = bodyPartsFor(person, lookups)
  if (!offered.length) return [violation('bodyPart', NO_BODY_PARTS)]
  if (!person.bodyPart) return [violation('bodyPart', BLANK)]
  return offered.some(({ id }) => id === person.bodyPart)
    ? []
    : [violation('bodyPart', 'This injury can’t affect this part of the body. Please choose another')]
}

/**
 * Returns a person's age in completed years on a day. A person born on 29 February attains an age on 1 March in a year
 * that has no 29 February. Null if the person was not born yet.
 */
export function calculateAgeOn(dateOfBirth: string, day: string): number | null {
  const [born, on] = [Temporal.PlainDate.from(dateOfBirth), Temporal.PlainDate.from(day)]
  if (Temporal.PlainDate.compare(born, on) > 0) return null
  const hadBirthday = on.month > born.month || (on.month === born.month && on.day >= born.day)
  return on.year - born.year - (hadBirthday ? 0 : 1)
}
