import { problem, type Violation, violation } from '#kernel/errors.ts'
import { settleAll } from '#kernel/settle-all.ts'
import { isCalendarDate, londonDate } from '#kernel/time.ts'
import { employee } from '#modules/people/employees/employee.ts'
import type { BeforeSaveInput } from '#server/engine/behaviour.ts'
import type { Context, RecordReader } from '#server/engine/types.ts'
import { lookups } from '../lookups/lookup.ts'
import type { incidentReport } from '../reports/incident-report.ts'
import { SPECIFIED_INJURIES } from '../riddor/facts.ts'
import { areAnswers, PERSON_QUESTIONS } from '../riddor/questions.ts'
import { reporterId } from '../rights.ts'
import { type IncidentPerson, REPORTER_DETAILS } from './incident-person.ts'
import {
  calculateAgeOn,
  deriveInjuryValues,
  hasInjuryDetails,
  isRiddorSeverity,
  type PersonLookups,
  validatePerson,
} from './person-rules.ts'
import { protectStatements } from './protect-statements.server.ts'

type Save = Context & BeforeSaveInput<typeof incidentReport>
type PersonDraft = Partial<IncidentPerson>

/** Maximum number of injured parties and witnesses in an incident. */
const MAX_PEOPLE = 100

/** Reads the lists against which people are checked, in one round trip. */
async function readPersonLookups(c: Pick<RecordReader, 'find'>): Promise<PersonLookups> {
  const [jobClasses, kinds, injuries, severities, bodyParts, injuryEffects] = await settleAll(
    c.find(lookups.jobClasses, {}),
    c.find(lookups.kinds, {}),
    c.find(lookups.injuries, {}),
    c.find(lookups.severities, {}),
    c.find(lookups.bodyParts, {}),
    c.find(lookups.injuryEffects, {}),
  )
  return { jobClasses, kinds, injuries, severities, bodyParts, injuryEffects }
}

/**
 * Returns the people in an incident with their derived values. Throws 422 for new or changed people who are not valid.
 */
export async function preparePeople(c: Save): Promise<PersonDraft[]> {
  const all: PersonDraft[] = (c.values.personnel ?? []) as PersonDraft[]
  if (all.filter(({ retired }) => !retired).length > MAX_PEOPLE)
    throw problem.invalid([violation('personnel', `An incident has at most ${MAX_PEOPLE} people`)])
  const former = new Map((c.before?.personnel ?? []).map((row) => [row.id, row]))
  await protectStatements(c, all)
  const known = await readPersonLookups(c)
  const accounts = await accountsOf(c, all)
  const day = c.values.datetime ? londonDate(Temporal.Instant.from(c.values.datetime)).toString() : undefined
  const today = londonDate(c.now).toString()
  const wrong: Violation[] = []
  const people = all.map((given, place) => {
    const stored = former.get(given.id ?? 0)
    const isSamePart = stored !== undefined && stored.bodyPart === given.bodyPart
    const person = isSamePart ? deriveInjuryValues(given, known) : given
    const age = ageAt(person, day)
    const isChanged = !stored || JSON.stringify(stored) !== JSON.stringify(given)
    if (isChanged) {
      const malformed = factViolations(person)
      const own =
        person.retired || malformed.length
          ? []
          : [...validatePerson(person, known), ...dayViolations(person, day, today)]
      wrong.push(
        ...[...malformed, ...own].map((v) => ({ ...v, propertyPath: `personnel[${place}].${v.propertyPath}` })),
      )
    }
    return {
      ...person,
      age,
      riddor: isRiddorSeverity(person, known),
      statementReceivedAt: stored?.statementReceivedAt ?? null,
      detailed: person.recordType === 'WT' || hasInjuryDetails(person),
      user: person.employee ? (accounts.get(person.employee) ?? null) : null,
      reporter: stored ? stored.reporter : reporterId(c.actor),
      detailsBy: detailsByAfter(c, stored, given),
    }
  })
  // The message names no person and no fact, because the day may be changed without access to health details.
  if (!wrong.length && c.changes.datetime !== undefined) {
    const isMisfit = people.some((person) => !person.retired && dayViolations(person, day, today).length > 0)
    if (isMisfit) wrong.push(violation('datetime', 'The dates of a person in this incident do not fit this day'))
  }
  wrong.push(...repeatedEmployees(people))
  if (wrong.length) throw problem.invalid(wrong)
  return people
}

/** Returns the reporter of a person while all details are theirs; null once another user has entered details. */
function detailsByAfter({ actor }: Save, stored: IncidentPerson | undefined, given: PersonDraft): number | null {
  const own = reporterId(actor)
  if (!stored) return own
  const isEntered = REPORTER_DETAILS.some((name) => JSON.stringify(stored[name]) !== JSON.stringify(given[name]))
  return isEntered && stored.detailsBy !== own ? null : stored.detailsBy
}

/** Returns the accounts of the chosen employees, by employee ID. */
async function accountsOf(c: Context, people: readonly PersonDraft[]): Promise<ReadonlyMap<number, number | null>> {
  const ids = [...new Set(people.flatMap((person) => person.employee ?? []))]
  if (!ids.length) return new Map()
  const found = await c.find(employee, { id: ids })
  return new Map(found.map(({ id, user }) => [id, user]))
}

/** Returns the age on the day of the accident, or the entered age if the date of birth is not known. */
const ageAt = ({ dateOfBirth, age }: PersonDraft, day: string | undefined): number | null =>
  dateOfBirth && day ? calculateAgeOn(dateOfBirth, day) : (age ?? null)

function dayViolations(person: PersonDraft, day: string | undefined, today: string): Violation[] {
  const { dateOfBirth, diedOn, absences } = person
  const isReversed = (absences ?? []).some(({ from, until }) => until !== undefined && until < from)
  return [
    ...(day && dateOfBirth && dateOfBirth > day
      ? [violation('dateOfBirth', 'The date of birth is after the accident')]
      : []),
    ...(day && diedOn && diedOn < day ? [violation('diedOn', 'The death is before the accident')] : []),
    ...(diedOn && diedOn > today ? [violation('diedOn', 'This day is in the future')] : []),
    ...(isReversed ? [violation('absences', 'An absence ends before it begins')] : []),
    ...(day && (absences ?? []).some(({ from }) => from < day)
      ? [violation('absences', 'An absence begins before the accident')]
      : []),
  ]
}

/** Checks the JSON values of a person, which clients may send in any shape. */
function factViolations({ specified, absences, answers, injuryEffect, hseNumber }: PersonDraft): Violation[] {
  const isDay = (value: unknown) => typeof value === 'string' && isCalendarDate(value)
  const areAbsences =
    absences === null ||
    absences === undefined ||
    (Array.isArray(absences) &&
      absences.every(
        (one) =>
          isDay(one?.from) &&
          (one.until === undefined || isDay(one.until)) &&
          Object.keys(one).every((key) => key === 'from' || key === 'until'),
      ))
  const areSpecified =
    specified === null ||
    specified === undefined ||
    (Array.isArray(specified) &&
      specified.every((letter) => typeof letter === 'string' && Object.hasOwn(SPECIFIED_INJURIES, letter)))
  const areEffects = Array.isArray(injuryEffect ?? []) && (injuryEffect ?? []).every(Number.isSafeInteger)
  return [
    ...(areAbsences ? [] : [violation('absences', 'Please enter each absence with its first day')]),
    ...(areSpecified ? [] : [violation('specified', 'Please choose injuries of regulation 4(1)')]),
    ...(areAnswers(answers ?? {}, PERSON_QUESTIONS) ? [] : [violation('answers', 'Please answer with yes or no')]),
    ...(areEffects ? [] : [violation('injuryEffect', 'Please choose effects from the list')]),
    ...(/^\d*$/.test(hseNumber ?? '') ? [] : [violation('hseNumber', 'Please enter digits only')]),
  ]
}

/** Returns a violation for each employee who is listed twice. */
function repeatedEmployees(people: readonly PersonDraft[]): Violation[] {
  const listed = new Map<number, number>()
  return people.flatMap((person, place) => {
    if (!person.employee || person.retired) return []
    const first = listed.get(person.employee)
    listed.set(person.employee, place)
    return first === undefined
      ? []
      : [
          violation(
            `personnel[${place}].employee`,
            'This person is already listed. Add the statement to their first entry',
            'duplicate',
          ),
        ]
  })
}
