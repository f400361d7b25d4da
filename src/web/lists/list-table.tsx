import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import { SelectPageCheckbox } from './choosing/row-checkbox.tsx'
import type { ListColumn } from './columns/columns.tsx'
import { findLinkColumn } from './columns/pick-columns.ts'
import css from './data-list.module.css'
import { FullTextTooltip } from './full-text.tsx'
import {
  buildColumnAttributes,
  buildRowProps,
  ListTableRow,
  type ListViewProps,
  type RowHandlers,
  useRowHandlers,
} from './list-row.tsx'
import { nextSortOrder } from './url-state.ts'
import { useFittedTable } from './use-fitting.ts'

export function ListTable<T>(props: ListViewProps<T>) {
  const { rows, columns, idOf, order = '', onOrder, onNearOrder, rowActions, chosen } = props
  const frame = useFittedTable(rows, columns.map((c) => c.key).join())
  const looks = useMemo(() => buildColumnAttributes(columns), [columns])
  const ways = useRowHandlers(props)
  const near = useNear(ways)
  const propsOf = buildRowProps(props, findLinkColumn(columns), ways)
  return (
    <div ref={frame} className={css.scroller}>
      <table className={css.table}>
        <thead>
          <tr>
            {chosen && (
              <th className={css.choose}>
                <SelectPageCheckbox chosen={chosen} />
              </th>
            )}
            {columns.map((c) => (
              <Head
                key={c.key}
                column={c}
                look={looks.get(c.key)}
                order={order}
                onOrder={onOrder}
                onNearOrder={onNearOrder}
              />
            ))}
            {rowActions && (
              <th className={css.end}>
                <VisuallyHidden>Actions</VisuallyHidden>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <ListTableRow key={idOf(row)} {...propsOf(row)} looks={looks} near={near} />
          ))}
        </tbody>
      </table>
      <FullTextTooltip of={frame} />
    </div>
  )
}

interface HeadProps<T> {
  readonly column: ListColumn<T>
  readonly look: object | undefined
  readonly order: string
  readonly onOrder: ((order: string) => void) | undefined
  readonly onNearOrder: ((order: string) => void) | undefined
}

function Head<T>({ column, look, order, onOrder, onNearOrder }: HeadProps<T>) {
  const by = column.order
  const sorted = by !== undefined && order.replace(/^-/, '') === by
  const down = order.startsWith('-')
  const near = () => by !== undefined && onNearOrder?.(nextSortOrder(order, by))
  const Picture = sorted ? (down ? IconArrowDown : IconArrowUp) : IconArrowsSort
  return (
    <th
      scope="col"
      aria-sort={sorted ? (down ? 'descending' : 'ascending') : undefined}
      style={column.width === undefined ? undefined : { width: column.width }}
      {...look}
    >
      {by !== undefined && onOrder ? (
        <UnstyledButton
          className={css.head}
          data-sorted={sorted || undefined}
          onPointerEnter={near}
          onFocus={near}
          onClick={() => onOrder(nextSortOrder(order, by))}
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

/** Time in milliseconds that the pointer has to rest on a row before `onNear` is called. */
const REST_MS = 80

/**
 * Returns a function to call with the row under the pointer, and without a row once the pointer has left. It calls
 * `onNear` once the pointer has rested on a row.
 */
function useNear<T>(ways: RowHandlers<T>): (row?: T) => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return useCallback(
    (row) => {
      clearTimeout(timer.current)
      if (row !== undefined) timer.current = setTimeout(() => ways.current.onNear?.(row), REST_MS)
    },
    [ways],
  )
}
