import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { PageCheckbox, RowCheckbox } from './choosing/row-checkbox.tsx'
import type { Chosen } from './choosing/use-chosen.ts'
import type { Column } from './columns/columns.tsx'
import { linkColumn } from './columns/pick-columns.ts'
import css from './data-list.module.css'
import { type Opening, pressRow, RowLink } from './row-link.tsx'
import { nextOrder } from './url-state.ts'
import { useFitting } from './use-fitting.ts'

export interface ListViewProps<T> extends Opening<T> {
  readonly rows: readonly T[]
  readonly columns: readonly Column<T>[]
  readonly idOf: (row: T) => string
  /** The words for a row, for its checkbox. */
  readonly nameOf: (row: T) => string
  readonly order?: string
  /** Without it, the heads don't sort. */
  readonly onOrder?: (order: string) => void
  /** Buttons at the end of each row. */
  readonly rowActions?: (row: T) => ReactNode
  /** Without it, rows are not chosen. */
  readonly chosen?: Chosen<T>
  readonly rowMuted?: (row: T) => boolean
}

/** Rows and columns. */
export function ListTable<T>(props: ListViewProps<T>) {
  const { rows, columns, idOf, nameOf, order = '', onOrder, rowActions, chosen, rowMuted, ...opening } = props
  const link = linkColumn(columns)
  const frame = useFitting(rows, columns.map((c) => c.key).join())
  const ranks = ranksOf(columns)
  const near = useNear(opening.onNear)
  return (
    <div ref={frame} className={css.scroller}>
      <table className={css.table}>
        <thead>
          <tr>
            {chosen && (
              <th className={css.choose}>
                <PageCheckbox chosen={chosen} />
              </th>
            )}
            {columns.map((c) => (
              <Head key={c.key} column={c} rank={ranks.get(c.key)} order={order} onOrder={onOrder} />
            ))}
            {rowActions && (
              <th className={css.end}>
                <VisuallyHidden>Actions</VisuallyHidden>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const id = idOf(row)
            return (
              <tr
                key={id}
                data-row={id}
                data-muted={rowMuted?.(row) || undefined}
                data-chosen={chosen?.has(id) || undefined}
                data-opens={!!(opening.href || opening.onOpen) || undefined}
                onPointerEnter={() => near(row)}
                onPointerLeave={() => near()}
                onClick={pressRow}
              >
                {chosen && (
                  <td className={css.choose}>
                    <RowCheckbox id={id} name={nameOf(row)} chosen={chosen} />
                  </td>
                )}
                {columns.map((c) =>
                  c === link ? (
                    <th key={c.key} scope="row" {...lookOf(c, ranks.get(c.key))}>
                      <RowLink row={row} id={id} {...opening}>
                        {c.render(row)}
                      </RowLink>
                    </th>
                  ) : (
                    <td key={c.key} {...lookOf(c, ranks.get(c.key))}>
                      {c.render(row)}
                    </td>
                  ),
                )}
                {rowActions && (
                  <td className={css.end}>
                    <div className={css.actions}>{rowActions(row)}</div>
                  </td>
                )}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

/** Of the columns that can be done without, the last goes first. */
const ranksOf = <T,>(columns: readonly Column<T>[]): ReadonlyMap<string, number> =>
  new Map(
    columns
      .filter((c) => c.wide)
      .toReversed()
      .map((c, i) => [c.key, i + 1]),
  )

const lookOf = <T,>(c: Column<T>, rank: number | undefined) => ({
  'data-align': c.align === 'left' ? undefined : c.align,
  'data-rank': rank,
  'data-tight': c.tight || undefined,
})

interface HeadProps<T> {
  readonly column: Column<T>
  readonly rank: number | undefined
  readonly order: string
  readonly onOrder: ((order: string) => void) | undefined
}

function Head<T>({ column, rank, order, onOrder }: HeadProps<T>) {
  const by = column.order
  const sorted = by !== undefined && order.replace(/^-/, '') === by
  const down = order.startsWith('-')
  const Picture = sorted ? (down ? IconArrowDown : IconArrowUp) : IconArrowsSort
  return (
    <th
      scope="col"
      aria-sort={sorted ? (down ? 'descending' : 'ascending') : undefined}
      style={column.width === undefined ? undefined : { width: column.width }}
      {...lookOf(column, rank)}
    >
      {by !== undefined && onOrder ? (
        <UnstyledButton
          className={css.head}
          data-sorted={sorted || undefined}
          onClick={() => onOrder(nextOrder(order, by))}
        >
          {column.title}
          <Picture size={14} aria-hidden />
        </UnstyledButton>
      ) : (
        column.title
      )}
    </th>
  )
}

/** A pointer that rests on a row, and does not merely pass over it. */
const REST_MS = 80

/** Says which row the pointer rests on; called without a row when it leaves. */
function useNear<T>(onNear: ((row: T) => void) | undefined): (row?: T) => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return (row) => {
    clearTimeout(timer.current)
    if (onNear && row !== undefined) timer.current = setTimeout(() => onNear(row), REST_MS)
  }
}
