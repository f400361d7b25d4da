import type { ReactNode } from 'react'
import { type Field, labelOf } from '#kernel/fields.ts'
import type { Values } from '#kernel/forms/visible.ts'
import type { Resource } from '#kernel/resource.ts'
import { FieldValue } from '../../forms/field-value.tsx'
import { formatPlainValue } from '../../forms/words.ts'
import { RetiredChip } from '../../ui/status-chip.tsx'

export interface ListColumn<T> {
  readonly key: string
  readonly title: string
  readonly render: (row: T) => ReactNode
  /** Field to sort by. */
  readonly order?: string
  readonly align?: 'left' | 'right' | 'center'
  readonly width?: number | string
  /**
   * True if the column is hidden on narrow screens; of several such columns, the last is hidden first, and those with
   * `'last'` only after all others. A column that the person has chosen is always shown.
   */
  readonly wide?: boolean | 'last'
  /** If false, the column is hidden in the cards on a phone. */
  readonly inCard?: boolean
  /** True if the column contains the row's link and is therefore always shown. By default, this is the first column. */
  readonly link?: boolean
  /**
   * Fields that replace the column in an exported file, if the column is not a field itself. `a;b` exports the first
   * non-empty field.
   */
  readonly fields?: readonly string[]
  /** Heading in an exported file, if the exported content differs from the screen, such as a date instead of an age. */
  readonly inFile?: string
  /**
   * True if the column identifies the row and is therefore truncated last. By default, this is the column with the
   * row's link.
   */
  readonly known?: boolean
  /** Whether the column's content never wraps. */
  readonly tight?: boolean
}

/**
 * Column as declared by a screen: a field name, a field with overridden properties, or a column that is not a field.
 */
export type ColumnSpec<T> = string | ({ readonly key: string } & Partial<ListColumn<T>>)

const NUMBERS = new Set<Field['kind']>(['integer', 'decimal'])
const SHORT = new Set<Field['kind']>(['integer', 'decimal', 'date', 'instant', 'unixSeconds', 'phone', 'flag'])

export const buildColumns = <T,>(r: Pick<Resource, 'fields'>, specs: readonly ColumnSpec<T>[]): ListColumn<T>[] =>
  specs.map((spec) => {
    const given: { readonly key: string } & Partial<ListColumn<T>> = typeof spec === 'string' ? { key: spec } : spec
    const field = r.fields[given.key]
    const value = (row: T) => (row as Record<string, unknown>)[given.key]
    return {
      title: field ? labelOf(given.key, field) : given.key,
      render: (row: T) =>
        field === undefined ? (
          formatPlainValue(value(row))
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
