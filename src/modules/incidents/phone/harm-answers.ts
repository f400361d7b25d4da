/**
 * Answers of a first report to “How bad was it?”, in the words of a witness. They are not an assessment of the
 * severity.
 */
export const HARM_ANSWERS = [
  { value: 'none', label: 'Nobody was hurt' },
  { value: 'minor', label: 'First aid, or no treatment' },
  { value: 'serious', label: 'Somebody had to stop working' },
  { value: 'major', label: 'Somebody went to hospital, or was badly hurt' },
  { value: 'fatal', label: 'Somebody died' },
] as const
export type ReportedSeverity = (typeof HARM_ANSWERS)[number]['value']

/** Maximum number of injured people in a first report. */
const MAX_INJURED = 40
const MAX_NAME_CHARACTERS = 200

/** Injured party of a first report: the name and, if stated, the harm. */
interface InjuredPerson {
  readonly recordType: 'IP'
  readonly name: string
  readonly harm: 'injured' | null
}

/** Returns the reason why the injured people can't be sent; undefined if they can. */
export function injuredProblem(names: string): string | undefined {
  const all = namesIn(names)
  if (all.length > MAX_INJURED) return `Please name at most ${MAX_INJURED} people, and state above that there were more`
  return all.some((name) => name.length > MAX_NAME_CHARACTERS)
    ? `Please enter one name on each line, with at most ${MAX_NAME_CHARACTERS} characters`
    : undefined
}

const namesIn = (names: string): string[] => names.split('\n').flatMap((name) => name.trim() || [])

/**
 * Returns the injured parties whose names are listed, one on each line. In a fatal incident, the harm to each person
 * remains unknown, because the report does not state who died; the screening asks.
 */
export const toInjuredPeople = (names: string, severity: ReportedSeverity | null): InjuredPerson[] =>
  namesIn(names).map((name) => ({
    recordType: 'IP',
    name,
    harm: severity === null || severity === 'none' || severity === 'fatal' ? null : 'injured',
  }))
