import { labelOf } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'
import { formatInteger, lowerFirst } from '#kernel/text.ts'
import { formatPlainValue } from '../../forms/words.ts'

interface Row {
  readonly id: number
}

const readValue = (row: Row, field: string): unknown => (row as unknown as Record<string, unknown>)[field] ?? null

/** Returns the word for an empty field: `nobody` for the owner, otherwise `none`. */
export const emptyFieldWord = (field: string) => (field === 'owner' ? 'nobody' : 'none')

/** Describes the current values of the selected rows: "Current owner: Ann Bell (12), nobody (3)." */
export function describeCurrentValues(r: Resource, rows: readonly Row[], field: string): string {
  const declared = r.fields[field]
  const title = declared?.target?.().title ?? ''
  const nameOf = (value: unknown) =>
    formatPlainValue(value !== null && typeof value === 'object' ? (value as Record<string, unknown>)[title] : value)
  const named = Map.groupBy(rows, (row) => nameOf(readValue(row, field) ?? '') || emptyFieldWord(field))
  const parts = [...named]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([name, of]) => `${name} (${formatInteger(of.length)})`)
  const label = declared ? labelOf(field, declared) : field
  // An abbreviation, such as VAT, keeps its capitals.
  const inSentence = /^[A-Z][a-z]/.test(label) ? lowerFirst(label) : label
  return `Current ${inSentence}: ${parts.join(', ')}.`
}
