import { labelOf } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'
import { formatDocumentValue } from '#modules/documents/types/value-text.ts'
import type { IncidentState } from '../incident-facts.ts'
import { incidentFacts } from '../incident-facts.ts'
import type { SheetField } from '../riddor/sheet.ts'

type Values = Readonly<Record<string, unknown>>

/** Returns the labels and values of fields of a record. Fields that the reader may not see are left out. */
export const printFields = (r: Resource, record: Values, names: readonly string[]): SheetField[] =>
  names.flatMap((name) => {
    const field = r.fields[name]
    if (!field || !(name in record)) return []
    return [{ label: labelOf(name, field), value: formatDocumentValue(field, record[name]) }]
  })

/** Returns only the fields that have a value. */
export const entered = (fields: readonly SheetField[]): SheetField[] => fields.filter(({ value }) => value !== '')

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
  /** Word across each page; null for a final record. */
  readonly mark: string | null
  readonly notices: readonly string[]
}

/** Returns the status as printed. An incident that is not closed, or is deleted, never looks final. */
export function printStatus({ state, retired }: StatusFacts): PrintedStatus {
  if (retired)
    return { status: 'Deleted', final: false, mark: 'DELETED', notices: ['This incident is deleted. It stays stored.'] }
  const status = incidentFacts.fields.state.options?.find(({ value }) => value === state)?.label ?? ''
  if (state === 'closed') return { status, final: true, mark: null, notices: [] }
  const notice = 'This incident is not closed. Its record can still change.'
  return { status: `${status}, not closed`, final: false, mark: 'OPEN', notices: [notice] }
}

/** Returns the name of each person for whom a number is used: `Injured person 1`, `Witness 1`. */
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
