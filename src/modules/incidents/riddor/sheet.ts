import { formatIsoDateAsUk, LONDON_TIME_ZONE } from '#kernel/time.ts'
import { COMPOSED_MARK } from '../lookups/lookup.ts'

/** A field of HSE's online form F2508 with the value to copy; empty if it has not been entered. */
export interface SheetField {
  readonly label: string
  readonly value: string
}

export interface SheetSection {
  readonly title: string
  readonly fields: readonly SheetField[]
  /** Sentence that is printed if there are no fields. */
  readonly none?: string
}

/** Related record as the API embeds it. */
type Embedded =
  | { readonly description?: string | null; readonly name?: string | null; readonly composed?: boolean | null }
  | string
  | null
  | undefined

/** An injured person as the API sends them to readers of health details. */
interface SheetPerson {
  readonly recordType?: string | null
  readonly retired?: boolean
  readonly name?: string | null
  readonly address1?: string | null
  readonly address2?: string | null
  readonly city?: string | null
  readonly county?: string | null
  readonly postcode?: string | null
  readonly telephone?: string | null
  readonly mobile?: string | null
  readonly age?: number | null
  /** 1 male, 2 female; 0 if not stated. */
  readonly sex?: number | null
  readonly jobTitle?: string | null
  readonly jobClassText?: string | null
  readonly fallHeight?: number | null
  readonly description?: string | null
  readonly diedOn?: string | null
  readonly jobClass?: Embedded
  readonly incidentType?: Embedded
  readonly mainFactor?: Embedded
  readonly injurySustained?: Embedded
  readonly severity?: Embedded
  readonly bodyPart?: Embedded
}

/** An incident as the API sends it. */
export interface SheetReport {
  readonly number: string
  readonly datetime: string | null
  readonly description: string | null
  readonly addressLine1: string | null
  readonly addressLine2: string | null
  readonly city: string | null
  readonly county: string | null
  readonly postcode: string | null
  readonly noPostcode: boolean
  readonly internalLocation: string | null
  readonly subActivity: string | null
  readonly localAuthority: Embedded
  readonly department: Embedded
  readonly workProcess: Embedded
  readonly mainIndustry: Embedded
  readonly personnel?: readonly SheetPerson[]
  readonly dangerousOccurrences?: readonly { readonly dangerousOccurrence?: Embedded; readonly retired?: boolean }[]
}

/** The person who sends the report, and their organisation. */
export interface SheetSender {
  readonly name: string
  readonly email: string
  readonly telephone: string
  readonly organisation: string
  readonly address: string
}

/** Returns the fields of form F2508 in the order of HSE's online form. */
export function buildF2508Sheet(report: SheetReport, sender: SheetSender): SheetSection[] {
  const people = (report.personnel ?? []).filter(({ recordType, retired }) => recordType !== 'WT' && !retired)
  const several = people.length > 1
  return [
    section('About you and your organisation', [
      ['Your name', sender.name],
      ['Your e-mail address', sender.email],
      ['Your telephone number', sender.telephone],
      ['Name of the organisation', sender.organisation],
      ['Address of the organisation', sender.address],
    ]),
    section('Where the incident happened', [
      ['Address', lines(report.addressLine1, report.addressLine2, report.city, report.county)],
      ['Postcode', report.noPostcode ? 'The place has no postcode' : report.postcode],
      ['Local authority', textOf(report.localAuthority)],
      ['Where on the premises', report.internalLocation],
      ['Department', textOf(report.department)],
      chosen('Main industry', report.mainIndustry),
      ['Activity', report.subActivity],
    ]),
    section('When the incident happened', [
      ['Date', formatPart(report.datetime, 'day')],
      ['Time', formatPart(report.datetime, 'time')],
    ]),
    ...people.flatMap((person, place) => personSections(person, report, several ? ` ${place + 1}` : '')),
    section('Dangerous occurrence', occurrenceEntries(report)),
    section('Description of what happened', [['Description', report.description]]),
  ]
}

export const GENDERS: Readonly<Record<number, string>> = { 1: 'Male', 2: 'Female' }

function personSections(person: SheetPerson, { workProcess }: SheetReport, mark: string): SheetSection[] {
  const { age, sex, fallHeight } = person
  return [
    section(`Injured person${mark}`, [
      ['Full name', person.name],
      ['Home address', lines(person.address1, person.address2, person.city, person.county)],
      ['Home postcode', person.postcode],
      ['Telephone number', [person.telephone, person.mobile].filter(Boolean).join(', ')],
      ['Age', age === null || age === undefined ? '' : String(age)],
      ['Gender', GENDERS[sex ?? 0]],
      ['Job title', person.jobTitle],
      chosen('Work status', person.jobClass),
      ['Employer', person.jobClassText],
    ]),
    section(`Injury${mark}`, [
      chosen('Severity', person.severity),
      chosen('Injury', person.injurySustained),
      chosen('Part of the body', person.bodyPart),
      ['Details of the injury', person.description],
      ...(person.diedOn ? [['Date of death', formatIsoDateAsUk(person.diedOn)] as const] : []),
    ]),
    section(`Kind of accident${mark}`, [
      chosen('Kind of accident', person.incidentType),
      ...(fallHeight ? [['Height of the fall', `${fallHeight} metres`] as const] : []),
      chosen('Work process', workProcess),
      chosen('Main factor', person.mainFactor),
    ]),
  ]
}

const occurrenceEntries = ({ dangerousOccurrences = [] }: SheetReport): Entry[] => {
  const entries = dangerousOccurrences.flatMap(({ dangerousOccurrence, retired }) =>
    retired ? [] : [chosen('Dangerous occurrence', dangerousOccurrence)],
  )
  const label = entries.find(([marked]) => marked.endsWith(COMPOSED_MARK))?.[0] ?? 'Dangerous occurrence'
  return [[label, entries.map(([, value]) => value).join('; ')]]
}

type Entry = readonly [label: string, value: string | null | undefined]

const section = (title: string, entries: readonly Entry[]): SheetSection => ({
  title,
  fields: entries.map(([label, value]) => ({ label, value: value?.trim() ?? '' })),
})

const lines = (...parts: readonly (string | null | undefined)[]) => parts.filter(Boolean).join(', ')

const textOf = (it: Embedded): string =>
  it !== null && typeof it === 'object' ? (it.name ?? it.description ?? '') : ''

/**
 * Returns the entry for a row of a list. The label marks a row that we composed, so that the copied text has no mark.
 */
const chosen = (label: string, it: Embedded): Entry => [
  typeof it === 'object' && it?.composed ? `${label}${COMPOSED_MARK}` : label,
  textOf(it),
]

/** Returns the London day or time of an instant in the format of HSE's form. */
function formatPart(instant: string | null, part: 'day' | 'time'): string {
  if (!instant) return ''
  const local = Temporal.Instant.from(instant).toZonedDateTimeISO(LONDON_TIME_ZONE)
  return part === 'day'
    ? formatIsoDateAsUk(local.toPlainDate().toString())
    : local.toPlainTime().toString({ smallestUnit: 'minute' })
}
