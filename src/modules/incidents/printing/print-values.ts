import { labelOf } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { formatDocumentValue } from '#modules/documents/types/value-text.ts'
import { type IncidentState, incidentFacts } from '../incident-facts.ts'
import { COMPOSED_MARK } from '../lookups/lookup.ts'
import { type AbsencePeriod, SPECIFIED_INJURIES } from '../riddor/facts.ts'
import type { Question } from '../riddor/questions.ts'
import type { SheetField } from '../riddor/sheet.ts'

type Values = Readonly<Record<string, unknown>>

/** Returns the labels and values of fields of a record. Fields that the reader may not see are omitted. */
export const formatPrintFields = (r: Resource, record: Values, names: readonly string[]): SheetField[] =>
  names.flatMap((name) => {
    const field = r.fields[name]
    if (!field || !(name in record)) return []
    const value = record[name]
    return [{ label: labelOf(name, field), value: `${formatDocumentValue(field, value)}${composedMark(value)}` }]
  })

const composedMark = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'composed' in value && value.composed === true ? COMPOSED_MARK : ''

/** Returns only the fields that have a value. */
export const pickEnteredFields = (fields: readonly SheetField[]): SheetField[] =>
  fields.filter(({ value }) => value !== '')

export const formatInstant = (at: string | null | undefined): string => formatDocumentValue({ kind: 'instant' }, at)

interface StatusFacts {
  readonly state: IncidentState
  readonly retired: boolean
}

/** Status of an incident on each page of its PDF. */
interface PrintedStatus {
  readonly status: string
  /** True if the record is closed and not deleted. */
  readonly final: boolean
  /** Word printed across each page; null for a final record. */
  readonly mark: string | null
  readonly notices: readonly string[]
}

/** Returns the status as printed. An incident that is not closed, or is deleted, never looks final. */
export function describePrintStatus({ state, retired }: StatusFacts): PrintedStatus {
  if (retired)
    return { status: 'Deleted', final: false, mark: 'DELETED', notices: ['This incident is deleted. It stays stored.'] }
  const status = incidentFacts.fields.state.options?.find(({ value }) => value === state)?.label ?? ''
  if (state === 'closed') return { status, final: true, mark: null, notices: [] }
  const notice = 'This incident is not closed. Its record can still change.'
  return { status: `${status}, not closed`, final: false, mark: 'OPEN', notices: [notice] }
}

/** Returns a numbered name for each person: `Injured person 1`, `Witness 1`. */
export function numberPeople<P extends { readonly id: number; readonly recordType?: string | null }>(
  people: readonly P[],
): ReadonlyMap<number, string> {
  const counts = { IP: 0, WT: 0 }
  return new Map(
    people.map(({ id, recordType }) => {
      const type = recordType === 'WT' ? 'WT' : 'IP'
      counts[type] += 1
      return [id, `${type === 'WT' ? 'Witness' : 'Injured person'} ${counts[type]}`]
    }),
  )
}

/** Returns each period in which a person could not do their routine work. */
export const formatAbsences = (absences: readonly AbsencePeriod[] | null | undefined): string[] =>
  (absences ?? []).map(
    ({ from, until }) => `${formatIsoDateAsUk(from)} to ${until ? formatIsoDateAsUk(until) : 'no end entered'}`,
  )

/** Returns each chosen specified injury with its letter; `None` if there are none, and nothing while unknown. */
export const formatSpecifiedInjuries = (letters: readonly string[] | null | undefined): string[] => {
  if (!letters) return []
  const words = letters.map((letter) =>
    `(${letter}) ${SPECIFIED_INJURIES[letter as keyof typeof SPECIFIED_INJURIES] ?? ''}`.trim(),
  )
  return words.length ? words : ['None']
}

type Answers = Readonly<Partial<Record<string, 'yes' | 'no'>>> | null | undefined

/** Returns the answered questions of the screening, each with its regulation. */
export const formatAnswerFields = (answers: Answers, questions: Readonly<Record<string, Question>>): SheetField[] =>
  Object.entries(answers ?? {}).map(([name, answer]) => ({
    label: questions[name] ? `${questions[name].text} (regulation ${questions[name].regulation})` : name,
    value: answer === 'yes' ? 'Yes' : 'No',
  }))
