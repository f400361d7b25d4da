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
  const frame = useSideways()
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
              <Head key={c.key} column={c} order={order} onOrder={onOrder} />
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
                    <th key={c.key} scope="row" {...lookOf(c)}>
                      <RowLink row={row} id={id} {...opening}>
                        {c.render(row)}
                      </RowLink>
                    </th>
                  ) : (
                    <td key={c.key} {...lookOf(c)}>
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

const lookOf = <T,>(c: Column<T>) => ({
  'data-align': c.align === 'left' ? undefined : c.align,
  'data-wide': c.wide || undefined,
  'data-tight': c.tight || undefined,
})

interface HeadProps<T> {
  readonly column: Column<T>
  readonly order: string
  readonly onOrder: ((order: string) => void) | undefined
}

function Head<T>({ column, order, onOrder }: HeadProps<T>) {
  const by = column.order
  const sorted = by !== undefined && order.replace(/^-/, '') === by
  const down = order.startsWith('-')
  const Picture = sorted ? (down ? IconArrowDown : IconArrowUp) : IconArrowsSort
  return (
    <th
      scope="col"
      aria-sort={sorted ? (down ? 'descending' : 'ascending') : undefined}
      style={column.width === undefined ? undefined : { width: column.width }}
      {...lookOf(column)}
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

/** Marks the frame of a table that is wider than it: it is then moved sideways, and its head no longer stays in sight. */
function useSideways() {
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const table = frame.current?.firstElementChild
    if (!frame.current || !table) return
    const watched = new ResizeObserver(() => {
      if (frame.current) frame.current.toggleAttribute('data-wide-table', table.clientWidth > frame.current.clientWidth)
    })
    watched.observe(frame.current)
    watched.observe(table)
    return () => watched.disconnect()
  }, [])
  return frame
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
