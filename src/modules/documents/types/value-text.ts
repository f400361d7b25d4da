import { type FieldOption, labelOf } from '#kernel/fields.ts'
import type { Values } from '#kernel/forms/visible.ts'
import { htmlToText } from '#kernel/text/runs.ts'
import { toText } from '#kernel/text.ts'
import { formatIsoDateAsUk, LONDON_TIME_ZONE } from '#kernel/time.ts'

interface Shape {
  readonly kind: string
  readonly options?: readonly FieldOption[]
}

/** Formats a document's value as plain text. Returns an empty string for an empty value. */
export function formatDocumentValue(field: Shape | undefined, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value))
    return value
      .map((v: unknown) => formatDocumentValue(field, v))
      .filter(Boolean)
      .join(', ')
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'object') return recordTitle(value as Values)
  const option = field?.options?.find((o) => o.value === value)
  if (option) return option.label
  if (typeof value !== 'string') return toText(value)
  if (field?.kind === 'richText' || /^<\w/.test(value)) return htmlToText(value)
  if (field?.kind === 'date') return formatIsoDateAsUk(value)
  if (field?.kind === 'dateTime' || field?.kind === 'instant') return moment(value)
  return value
}

/** Returns the title of a linked record: of a document with its number and revision, of a file with its caption. */
function recordTitle(record: Values): string {
  const { documentNumber, revision, name, label } = record
  if (documentNumber && revision) return `${toText(documentNumber)} revision ${toText(revision)}, ${rowTitle(record)}`
  return name && label && name !== label ? `${toText(name)} (${toText(label)})` : rowTitle(record)
}

export function rowTitle(row: Values): string {
  const own = row.title ?? row.name ?? row.label ?? row.fileName ?? row.description
  if (typeof own === 'string' && own !== '') return own
  const words = Object.entries(row).filter(([key, v]) => !key.startsWith('@') && typeof v === 'string' && v !== '')
  if (words.length === 1) return words[0]?.[1] as string
  return words.map(([key, v]) => `${labelOf(key, { kind: 'text' })} ${v as string}`).join(', ')
}

function moment(iso: string): string {
  try {
    const at = Temporal.Instant.from(iso).toZonedDateTimeISO(LONDON_TIME_ZONE)
    const day = formatIsoDateAsUk(at.toPlainDate().toString())
    return `${day} ${at.toPlainTime().toString({ smallestUnit: 'minute' })}`
  } catch {
    return iso
  }
}
