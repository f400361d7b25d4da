/** Answers that a company can require of a reporter, in addition to the description, time, severity and place. */
export const REQUIRABLE_ANSWERS = [
  { value: 'place', label: 'Where exactly, or the position of the device', short: 'where exactly' },
  {
    value: 'injured',
    label: 'A name or description of the injured person, if anyone was hurt',
    short: 'injured person',
  },
  { value: 'photo', label: 'A photo, from people with an account', short: 'photo' },
  {
    value: 'contact',
    label: 'A telephone number or e-mail address, from visitors with a QR code',
    short: 'contact of the reporter',
  },
] as const
export type RequirableAnswer = (typeof REQUIRABLE_ANSWERS)[number]['value']

export const isRequirableAnswer = (value: unknown): value is RequirableAnswer =>
  REQUIRABLE_ANSWERS.some((answer) => answer.value === value)

/** Answers in a report that can be required. */
interface ReportAnswers {
  /** Person who reports: with an account, or a visitor with the QR code of a site. */
  readonly reporter: 'user' | 'visitor'
  readonly nearMiss: boolean
  readonly severity: string | null
  readonly internalLocation: string
  readonly latitude: number | null
  readonly injuredCount: number
  readonly photoCount: number
  readonly contact: string
}

/** Returns the required answers that a report lacks. The form and the server apply the same rule. */
export function missingAnswers(required: readonly string[], report: ReportAnswers): RequirableAnswer[] {
  const { reporter, nearMiss, severity, internalLocation, latitude, injuredCount, photoCount, contact } = report
  const isMissing = {
    place: !internalLocation.trim() && latitude === null,
    injured: !nearMiss && severity !== null && severity !== 'none' && injuredCount === 0,
    photo: reporter === 'user' && photoCount === 0,
    contact: reporter === 'visitor' && !contact.trim(),
  }
  return REQUIRABLE_ANSWERS.map(({ value }) => value).filter((name) => required.includes(name) && isMissing[name])
}

/** Message for a missing answer. */
export const MISSING_ANSWER: Readonly<Record<RequirableAnswer, string>> = {
  place: 'Please state where exactly it happened, or use your position',
  injured: 'Please name or describe each injured person',
  photo: 'Please add a photo',
  contact: 'Please enter your telephone number or e-mail address',
}
