import { rowsOf } from '#kernel/forms/rows.ts'
import type { FormField } from '#kernel/forms/schema.ts'
import { readSignature } from '#kernel/signature.ts'
import { htmlToText } from '#kernel/text/runs.ts'
import { formatDay, formatMoment } from '../../dates/uk-dates.ts'
import { valueText } from '../words.ts'

/** The value of a field as plain text, for comparing two versions. */
export function formatDisplayValue(field: FormField | undefined, value: unknown): string {
  if (value === null || value === undefined || value === '') return 'Empty'
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  switch (field?.kind) {
    case 'date':
      return formatDay(valueText(value))
    case 'dateTime':
      return formatMoment(valueText(value))
    case 'select':
      return field.options?.find((o) => o.value === value)?.label ?? valueText(value)
    case 'richText':
      return htmlToText(valueText(value)) || 'Empty'
    case 'signature':
      return readSignature(value)?.name || 'Empty'
    case 'emergencyContacts':
      return showLines(rowsOf(value).map((c) => `${valueText(c.name)} ${valueText(c.number)}`.trim()))
    case 'rows':
      return showLines(
        rowsOf(value).map((row, i) => {
          const parts = (field.fields ?? []).map((f) => `${f.label}: ${formatDisplayValue(f, row[f.name])}`)
          return `${i + 1}. ${parts.join('; ')}`
        }),
      )
    default:
      return Array.isArray(value) ? showLines(value.map(nameOf)) : nameOf(value)
  }
}

const showLines = (all: readonly string[]): string => all.filter(Boolean).join('\n') || 'Empty'

/** Names a record by its name, title or label. */
function nameOf(value: unknown): string {
  if (value === null || typeof value !== 'object') return valueText(value)
  const row = value as Readonly<Record<string, unknown>>
  const names = Object.entries(row).flatMap(([k, v]) => (/(name|title|label)$/i.test(k) && v ? [valueText(v)] : []))
  return names.join(': ') || valueText(row['@id'] ?? value)
}
