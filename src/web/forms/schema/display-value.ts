import { toRowObjects } from '#kernel/forms/rows.ts'
import type { FormField } from '#kernel/forms/schema.ts'
import { parseSignature } from '#kernel/signature.ts'
import { htmlToText } from '#kernel/text/runs.ts'
import { formatIsoAsUkDate, formatIsoAsUkDateTime } from '../../dates/uk-dates.ts'
import { formatPlainValue } from '../words.ts'

/** Formats the value of a field as plain text, for comparing two versions. */
export function formatDisplayValue(field: FormField | undefined, value: unknown): string {
  if (value === null || value === undefined || value === '') return 'Empty'
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  switch (field?.kind) {
    case 'date':
      return formatIsoAsUkDate(formatPlainValue(value))
    case 'dateTime':
      return formatIsoAsUkDateTime(formatPlainValue(value))
    case 'select':
      return field.options?.find((o) => o.value === value)?.label ?? formatPlainValue(value)
    case 'richText':
      return htmlToText(formatPlainValue(value)) || 'Empty'
    case 'signature':
      return parseSignature(value)?.name || 'Empty'
    case 'emergencyContacts':
      return showLines(
        toRowObjects(value).map((c) => `${formatPlainValue(c.name)} ${formatPlainValue(c.number)}`.trim()),
      )
    case 'rows':
      return showLines(
        toRowObjects(value).map((row, i) => {
          const parts = (field.fields ?? []).map((f) => `${f.label}: ${formatDisplayValue(f, row[f.name])}`)
          return `${i + 1}. ${parts.join('; ')}`
        }),
      )
    default:
      return Array.isArray(value) ? showLines(value.map(nameOf)) : nameOf(value)
  }
}

const showLines = (all: readonly string[]): string => all.filter(Boolean).join('\n') || 'Empty'

/** Returns the names, titles and labels of a record, or its IRI if it has none. */
function nameOf(value: unknown): string {
  if (value === null || typeof value !== 'object') return formatPlainValue(value)
  const row = value as Readonly<Record<string, unknown>>
  const names = Object.entries(row).flatMap(([k, v]) =>
    /(name|title|label)$/i.test(k) && v ? [formatPlainValue(v)] : [],
  )
  return names.join(': ') || formatPlainValue(row['@id'] ?? value)
}
