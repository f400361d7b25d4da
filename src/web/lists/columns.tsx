import type { ReactNode } from 'react'
import { type Field, labelOf, seenBy } from '#kernel/fields.ts'
import type { Resource } from '#kernel/resource.ts'
import { type Actor, holds } from '#kernel/roles.ts'
import { FieldValue } from '../forms/field-value.tsx'
import { words } from '../forms/words.ts'
import { RetiredChip } from '../ui/status-chip.tsx'

export interface Column<T> {
  readonly key: string
  readonly title: string
  readonly render: (row: T) => ReactNode
  /** The field that its head sorts by. */
  readonly order?: string
  readonly align?: 'left' | 'right' | 'center'
  readonly width?: number | string
  /** Only where there is room: not in a list below 900 px, unless somebody has chosen it. */
  readonly wide?: boolean
  /** Left out of the cards on a phone. */
  readonly inCard?: boolean
  /** It carries the row's link, and is always shown; without one, the first column does. */
  readonly link?: boolean
  /** The fields that a file has in its place, where it is no field itself. */
  readonly fields?: readonly string[]
  /** What stands in it is never broken over two lines. */
  readonly tight?: boolean
}

/** A column as a screen names it: a field, or a field with changes, or a column of its own. */
export type ColumnSpec<T> = string | ({ readonly key: string } & Partial<Column<T>>)

const NUMBERS = new Set<Field['kind']>(['integer', 'decimal'])
const SHORT = new Set<Field['kind']>(['integer', 'decimal', 'date', 'instant', 'unixSeconds', 'phone', 'flag'])
const LONG = new Set<Field['kind']>(['rows', 'json', 'richText', 'longText'])

/** Columns from a declaration's fields. */
export const columnsOf = <T,>(r: Pick<Resource, 'fields'>, specs: readonly ColumnSpec<T>[]): Column<T>[] =>
  specs.map((spec) => {
    const given: { readonly key: string } & Partial<Column<T>> = typeof spec === 'string' ? { key: spec } : spec
    const field = r.fields[given.key]
    const value = (row: T) => (row as Record<string, unknown>)[given.key]
    return {
      title: field ? labelOf(given.key, field) : given.key,
      render: (row: T) =>
        field === undefined ? (
          words(value(row))
        ) : isRetired(given.key) ? (
          <RetiredChip retired={value(row) === true} />
        ) : (
          <FieldValue field={field} value={value(row)} />
        ),
      ...(field?.order ? { order: given.key } : {}),
      ...(field && NUMBERS.has(field.kind) ? { align: 'right' as const } : {}),
      ...(field && SHORT.has(field.kind) ? { tight: true } : {}),
      ...given,
    }
  })

const isRetired = (key: string) => key === 'retired' || key === 'isRetired'

/** Fields that a list could show as well: what the actor sees, and what fits into a row. */
export const furtherFields = (r: Pick<Resource, 'fields'>, actor: Actor, taken: readonly string[]): string[] =>
  Object.entries<Field>(r.fields)
    .filter(
      ([name, f]) =>
        !taken.includes(name) &&
        !LONG.has(f.kind) &&
        !f.detail &&
        !f.writeOnly &&
        !f.confidential &&
        holds(actor, seenBy(f) ?? 'member'),
    )
    .map(([name]) => name)

/** The columns named between commas, in their order, as far as there are such; without any, the `usual` ones. The link's stays. */
export function pickColumns<T>(all: readonly Column<T>[], usual: readonly Column<T>[], names: string): Column<T>[] {
  const picked = names
    .split(',')
    .filter((name, i, every) => every.indexOf(name) === i)
    .flatMap((name) => all.filter((c) => c.key === name))
    // Whoever asks for a column sees it on every screen.
    .map((column): Column<T> => ({ ...column, wide: false }))
  if (!picked.length) return [...usual]
  const link = linkColumn(usual)
  return link && !picked.some((c) => c.key === link.key) ? [link, ...picked] : picked
}

/** The column that carries the row's link. */
export const linkColumn = <T,>(columns: readonly Column<T>[]): Column<T> | undefined =>
  columns.find((c) => c.link) ?? columns[0]

/** The fields behind some columns: what a file of them holds. */
export const fieldsBehind = <T,>(r: Pick<Resource, 'fields'>, columns: readonly Column<T>[]): string[] => [
  ...new Set(columns.flatMap((c) => c.fields ?? [c.key]).filter((name) => name === 'id' || name in r.fields)),
]
