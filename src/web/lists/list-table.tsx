import { UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import { DataTable } from 'mantine-datatable'
import { type ReactNode, useEffect, useRef } from 'react'
import 'mantine-datatable/styles.layer.css'
import type { Column } from './columns.tsx'
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
  readonly chosen?: readonly T[]
  readonly onChosen?: (rows: T[]) => void
  readonly rowMuted?: (row: T) => boolean
}

/** Rows and columns. */
export function ListTable<T>(props: ListViewProps<T>) {
  const { rows, columns, idOf, nameOf, order = '', onOrder, rowActions, chosen, onChosen, rowMuted, ...opening } = props
  const table = useRef<HTMLTableElement>(null)
  useAriaSort(table, order, columns)
  return (
    <DataTable<Record<string, unknown>>
      tableRef={(element) => {
        table.current = element
      }}
      records={rows as unknown as Record<string, unknown>[]}
      idAccessor={(row) => idOf(row as T)}
      className={css.table ?? ''}
      highlightOnHover={!!(opening.href || opening.onOpen)}
      minHeight={120}
      verticalSpacing={6}
      noRecordsText=""
      customRowAttributes={(row) => ({
        'data-row': idOf(row as T),
        'data-muted': rowMuted?.(row as T) || undefined,
        onPointerEnter: () => opening.onNear?.(row as T),
        onClick: pressRow,
      })}
      {...(onChosen
        ? {
            selectedRecords: (chosen ?? []) as unknown as Record<string, unknown>[],
            onSelectedRecordsChange: (all: Record<string, unknown>[]) => onChosen(all as T[]),
            getRecordSelectionCheckboxProps: (row: Record<string, unknown>) => ({
              'aria-label': `Choose ${nameOf(row as T)}`,
            }),
            allRecordsSelectionCheckboxProps: { 'aria-label': 'Choose all on this page' },
          }
        : {})}
      columns={[
        ...columns.map((c, i) => ({
          accessor: c.key,
          title: c.order && onOrder ? <SortHead column={c} order={order} onOrder={onOrder} /> : c.title,
          textAlign: c.align ?? ('left' as const),
          ...(c.width === undefined ? {} : { width: c.width }),
          ...(c.wide ? { visibleMediaQuery: '(min-width: 992px)' } : {}),
          render: (row: Record<string, unknown>) =>
            i === 0 ? (
              <RowLink row={row as T} id={idOf(row as T)} {...opening}>
                {c.render(row as T)}
              </RowLink>
            ) : (
              c.render(row as T)
            ),
        })),
        ...(rowActions
          ? [
              {
                accessor: 'actions',
                title: <span className={css.hidden}>Actions</span>,
                textAlign: 'right' as const,
                width: '0%',
                render: (row: Record<string, unknown>) => <div className={css.actions}>{rowActions(row as T)}</div>,
              },
            ]
          : []),
      ]}
    />
  )
}

interface HeadProps<T> {
  readonly column: Column<T>
  readonly order: string
  readonly onOrder: (order: string) => void
}

function SortHead<T>({ column, order, onOrder }: HeadProps<T>) {
  const by = column.order ?? column.key
  const Picture = order === by ? IconArrowUp : order === `-${by}` ? IconArrowDown : IconArrowsSort
  return (
    <UnstyledButton
      className={css.head}
      data-sorted={order.replace('-', '') === by || undefined}
      onClick={() => onOrder(nextOrder(order, by))}
    >
      {column.title}
      <Picture size={14} aria-hidden />
    </UnstyledButton>
  )
}

/** The table's own heads don't say how they are sorted. */
function useAriaSort<T>(table: React.RefObject<HTMLTableElement | null>, order: string, columns: readonly Column<T>[]) {
  useEffect(() => {
    for (const c of columns) {
      const head = table.current?.querySelector(`th[data-accessor="${CSS.escape(c.key)}"]`)
      const by = c.order ?? c.key
      if (head && order.replace('-', '') === by)
        head.setAttribute('aria-sort', order.startsWith('-') ? 'descending' : 'ascending')
      else head?.removeAttribute('aria-sort')
    }
  })
}
