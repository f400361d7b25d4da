import type { ReactNode } from 'react'
import { type Field, labelOf } from '#kernel/fields.ts'
import type { Values } from '#kernel/forms/visible.ts'
import type { Resource } from '#kernel/resource.ts'
import { FieldValue } from '../../forms/field-value.tsx'
import { words } from '../../forms/words.ts'
import { RetiredChip } from '../../ui/status-chip.tsx'

export interface Column<T> {
  readonly key: string
  readonly title: string
  readonly render: (row: T) => ReactNode
  /** The field that its head sorts by. */
  readonly order?: string
  readonly align?: 'left' | 'right' | 'center'
  readonly width?: number | string
  /** Only where there is module, the first of these the longest; always once somebody has chosen it. */
  readonly wide?: boolean
  /** Left out of the cards on a phone. */
  readonly inCard?: boolean
  /** It carries the row's link, and is always shown; without one, the first column does. */
  readonly link?: boolean
  /** The fields that a file has in its place, where it is no field itself; of `a;b`, whichever of them says something first. */
  readonly fields?: readonly string[]
  /** What a file calls it, where that has something else in it: a day instead of an age. */
  readonly inFile?: string
  /** One knows the row by it, and so it is cut after all others; without one, the row's link. */
  readonly known?: boolean
  /** What stands in it is never broken over two lines. */
  readonly tight?: boolean
}

/** A column as a screen names it: a field, or a field with changes, or a column of its own. */
export type ColumnSpec<T> = string | ({ readonly key: string } & Partial<Column<T>>)

const NUMBERS = new Set<Field['kind']>(['integer', 'decimal'])
const SHORT = new Set<Field['kind']>(['integer', 'decimal', 'date', 'instant', 'unixSeconds', 'phone', 'flag'])

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
          <FieldValue field={field} value={value(row)} record={row as Values} />
        ),
      ...(field?.order ? { order: given.key } : {}),
      ...(field && NUMBERS.has(field.kind) ? { align: 'right' as const } : {}),
      ...(field && SHORT.has(field.kind) ? { tight: true } : {}),
      ...given,
    }
  })

const isRetired = (key: string) => key === 'retired' || key === 'isRetired'
