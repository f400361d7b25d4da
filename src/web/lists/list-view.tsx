import { type ReactNode, useRef } from 'react'
import { useIsPhone } from '../ui/is-phone.ts'
import { ErrorState, LoadingRows, NothingFound } from '../ui/states.tsx'
import css from './data-list.module.css'
import { ListCards } from './list-cards.tsx'
import { ListTable, type ListViewProps } from './list-table.tsx'
import { useRowFocus } from './use-row-focus.ts'

interface Props<T> extends Omit<ListViewProps<T>, 'rows'> {
  /** Of the whole list: "Users". */
  readonly label: string
  readonly rows: readonly T[] | undefined
  readonly error?: unknown
  readonly onRetry?: () => void
  /** Shown when there is nothing, unless something narrows the list. */
  readonly empty: ReactNode
  readonly narrowed: boolean
  readonly onClear?: () => void
  /** The rows on screen are those of before. */
  readonly old?: boolean
  /** `j` and `k` move in it; of several lists on a page, in one. */
  readonly keys?: boolean
}

/** Rows as a table, or as cards on a phone; or why there are none. */
export function ListView<T>({
  label,
  rows,
  error,
  onRetry,
  empty,
  narrowed,
  onClear,
  old = false,
  keys = true,
  ...view
}: Props<T>) {
  const list = useRef<HTMLElement>(null)
  const phone = useIsPhone()
  const onKeyDown = useRowFocus(list, rows !== undefined && rows.length > 0, keys)
  return (
    <section ref={list} aria-label={label} aria-busy={old} className={css.list} onKeyDown={onKeyDown}>
      {rows === undefined ? (
        error ? (
          <ErrorState error={error} {...(onRetry ? { onRetry } : {})} />
        ) : (
          <LoadingRows />
        )
      ) : rows.length === 0 ? (
        narrowed ? (
          <NothingFound {...(onClear ? { onClear } : {})} />
        ) : (
          empty
        )
      ) : phone ? (
        <ListCards rows={rows} {...view} />
      ) : (
        <ListTable rows={rows} {...view} />
      )}
    </section>
  )
}
