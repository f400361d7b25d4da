import { labelOf } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'
import { figure } from '#kernel/text.ts'
import { iriOfLink } from '../../forms/values.ts'
import { words } from '../../forms/words.ts'

interface Row {
  readonly id: number
}

/** Rows that share a value of a field. */
export interface Former {
  readonly field: string
  readonly value: unknown
  readonly ids: readonly number[]
}

const readValue = (row: Row, field: string): unknown => (row as unknown as Record<string, unknown>)[field] ?? null

/** What the rows say now, those with the same value together: to take a change of many back. */
export function formerOf(rows: readonly Row[], field: string): Former[] {
  const sent = (row: Row) => {
    const value = readValue(row, field)
    return value !== null && typeof value === 'object' ? (iriOfLink(value) ?? null) : value
  }
  const groups = Map.groupBy(rows, sent)
  return [...groups].map(([value, of]) => ({ field, value, ids: of.map(({ id }) => id) }))
}

/** "Owner until now: 12 of Ann Bell, 3 of nobody." */
export function untilNow(r: Resource, rows: readonly Row[], field: string): string {
  const isOwner = field === 'owner'
  const declared = r.fields[field]
  const title = declared?.target?.().title ?? ''
  const nameOf = (value: unknown) =>
    words(value !== null && typeof value === 'object' ? (value as Record<string, unknown>)[title] : value)
  const named = Map.groupBy(rows, (row) => nameOf(readValue(row, field) ?? '') || (isOwner ? 'nobody' : 'none'))
  const parts = [...named]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([name, of]) => `${figure(of.length)} ${isOwner ? 'of ' : ''}${name}`)
  return `${declared ? labelOf(field, declared) : field} until now: ${parts.join(', ')}.`
}
