import { isPlainObject } from '#kernel/forms/rows.ts'
import { hasVisibleText, toText } from '#kernel/text.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'

const FACTS = {
  presenter: 'Presenter',
  date: 'Date',
  place: 'Place',
  startTime: 'Start time',
  finishTime: 'Finish time',
  notes: 'Notes',
} as const

const shown = (name: string, value: unknown) =>
  name === 'date' ? formatIsoDateAsUk(toText(value).slice(0, 10)) : toText(value)

/**
 * Returns the text of a correction, such as `Date: 20 November 2026 (previously 19 November 2026)`. Returns an empty
 * string if the correction stores no previous values.
 */
export function talkCorrectionText(correction: Readonly<Record<string, unknown>>): string {
  const { formerly } = correction
  if (!isPlainObject(formerly)) return ''
  return Object.entries(FACTS)
    .filter(([name]) => name in formerly)
    .map(([name, label]) => `${label}: ${shown(name, correction[name])} (previously ${shown(name, formerly[name])})`)
    .join('; ')
}

/** A person on the attendance list, and whether they have signed or were absent. */
interface AttendanceState {
  readonly name?: string
  readonly signedAt?: string | null
  readonly method?: string | null
  readonly absence?: string | null
}

/** Number of people on a talk's attendance list, by how they signed. */
export interface AttendanceCounts {
  readonly all: number
  /** People who were present and signed for themselves. */
  readonly own: number
  /** People for whom someone else signed. */
  readonly behalf: number
  /** People absent on the day, including those who signed late. */
  readonly absent: number
  readonly caughtUp: number
}

/**
 * Counts attendance. A person marked absent is counted as absent even if they sign later, because they missed the talk
 * on the day.
 */
export function countAttendance(people: readonly AttendanceState[]): AttendanceCounts {
  const absent = people.filter((p) => hasVisibleText(p.absence ?? ''))
  const there = people.filter((p) => p.signedAt && !hasVisibleText(p.absence ?? ''))
  const behalf = there.filter((p) => p.method === 'on behalf').length
  return {
    all: people.length,
    own: there.length - behalf,
    behalf,
    absent: absent.length,
    caughtUp: absent.filter((p) => p.signedAt).length,
  }
}

/**
 * Returns the attendance as text, in the same words on all screens: `1 of 5 signed, 1 on behalf, 1 absent, 2 absent on
 * the day and signed late`.
 */
export function attendanceSummaryText({ all, own, behalf, absent, caughtUp }: AttendanceCounts): string {
  return [
    `${own} of ${all} signed`,
    ...(behalf ? [`${behalf} on behalf`] : []),
    ...(absent > caughtUp ? [`${absent - caughtUp} absent`] : []),
    ...(caughtUp ? [`${caughtUp} absent on the day and signed late`] : []),
  ].join(', ')
}

/** Returns true if the person has neither signed nor been marked absent. */
export const isOutstanding = ({ signedAt, absence }: AttendanceState): boolean =>
  !signedAt && !hasVisibleText(absence ?? '')

interface Closing {
  readonly people: readonly (AttendanceState & { readonly name: string })[]
  /** Labels of the empty fields. */
  readonly missing: readonly string[]
}

const NAMED = 5

/** Returns who has neither signed nor been marked absent, such as `Ann and Bob have neither signed nor …`. */
export function outstandingAttendeesText(people: Closing['people']): string {
  const left = people.filter(isOutstanding).map((p) => p.name)
  const named = left.length > NAMED ? [...left.slice(0, NAMED), `${left.length - NAMED} more`] : left
  return `${inList(named)} ${left.length === 1 ? 'has' : 'have'} neither signed nor been marked absent.`
}

/** Returns the text shown before a record is closed: the attendance counts and the empty fields. */
export function closeTalkRecordWarningText({ people, missing }: Closing): string {
  return [
    `${attendanceSummaryText(countAttendance(people))}.`,
    'A closed record can’t be changed. People who attended but have not signed can still sign late, but only for themselves.',
    ...(missing.length ? [`Not stated: ${missing.join(', ')}.`] : []),
  ].join(' ')
}

const inList = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`

/**
 * Returns the confirmation shown after a signature. `behalf` is the name of the person who signed for `person`, if
 * another person did.
 */
export const signatureConfirmationText = (person: string, behalf: string | undefined): string =>
  behalf ? `${behalf} has signed for ${person}.` : `${person} has signed.`
