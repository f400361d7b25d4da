import { type ReactNode, startTransition, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { useIsPhone } from '../ui/is-phone.ts'
import { ErrorState, LoadingRows, NoResults } from '../ui/states.tsx'
import { findLinkColumn } from './columns/pick-columns.ts'
import css from './data-list.module.css'
import type { ListViewProps } from './list-row.tsx'
import { buildRowProps, ListCardRow, useRowHandlers } from './list-row.tsx'
import { ListTable } from './list-table.tsx'
import { findListPosition } from './pager/list-position.ts'
import { useRowFocus } from './use-row-focus.ts'

interface Settings {
  /** Identifier of the list's query. When the query changes, the list starts at the top again. */
  readonly question: string
  /** Whether the records are still those of the previous query. */
  readonly old: boolean
  readonly count: number
  /** Minimum height of a card in pixels. */
  readonly height: number
}

/**
 * Returns the number of cards to render. At first, these are the cards that fit the window and all cards above the
 * scroll position to restore. The other cards follow a moment later.
 */
function useCardsAtOnce({ question, old, count, height }: Settings): number {
  const { pathname, search, key } = useLocation()
  const back = useNavigationType() === 'POP' && key !== 'default'
  const begin = () => {
    const place = findListPosition(pathname, search)
    // On Back, the browser restores its own scroll position. Because this position is unknown here, all cards are
    // rendered.
    const shown = back && !place ? Number.POSITIVE_INFINITY : (place?.scroll ?? 0) + window.innerHeight
    return { question, cards: Math.ceil(shown / height) }
  }
  const [held, hold] = useState(begin)
  const now = old || held.question === question ? held : begin()
  if (now !== held) hold(now)
  const all = now.cards >= count
  useEffect(() => {
    if (!all) startTransition(() => hold({ question: now.question, cards: Number.POSITIVE_INFINITY }))
  }, [all, now.question])
  return Math.min(count, now.cards)
}

interface Props<T> extends Omit<ListViewProps<T>, 'rows'> {
  /** Name of the list: "Users". */
  readonly label: string
  readonly rows: readonly T[] | undefined
  readonly error?: unknown
  readonly onRetry?: () => void
  /** Content shown if there are no rows, unless a filter is set. */
  readonly empty: ReactNode
  readonly narrowed: boolean
  readonly onClear?: () => void
  /** Identifier of the list's query. When the query changes, the list starts at the top again. */
  readonly question?: string
  /** Whether the rows on screen are still those of the previous query. */
  readonly old?: boolean
  /** Number of placeholder rows while loading. */
  readonly size?: number
  /** Enables the keys `j` and `k`. If a page has several lists, enable them for one list only. */
  readonly keys?: boolean
}

/** Height of a row and of a card in pixels. */
const ROW = 40
const CARD = 116
/** Maximum number of placeholder rows. More rows would not fit the window. */
const MAX_ROWS_AWAITED = 16

/** List as a table or, on a phone, as cards. If there are no rows, the reason is shown. */
export function ListView<T>({
  label,
  rows,
  error,
  onRetry,
  empty,
  narrowed,
  onClear,
  old = false,
  size = 8,
  keys = true,
  question = '',
  ...view
}: Props<T>) {
  const list = useRef<HTMLElement>(null)
  const phone = useIsPhone()
  const ready = rows !== undefined && rows.length > 0
  const onKeyDown = useRowFocus(list, { ready, keys, chosen: view.chosen })
  const cards = useCardsAtOnce({ question, old, count: rows?.length ?? 0, height: CARD })
  // The column widths of a table depend on all of its rows, so all rows are rendered together.
  const shown = phone && rows && cards < rows.length ? rows.slice(0, cards) : rows
  return (
    <section
      ref={list}
      aria-label={label}
      aria-busy={old}
      data-growing={shown !== rows || undefined}
      className={css.list}
      onKeyDown={onKeyDown}
    >
      {shown === undefined ? (
        error ? (
          <ErrorState error={error} {...(onRetry ? { onRetry } : {})} />
        ) : (
          <LoadingRows rows={Math.min(size, MAX_ROWS_AWAITED)} height={phone ? CARD : ROW} />
        )
      ) : shown.length === 0 ? (
        narrowed ? (
          <NoResults {...(onClear ? { onClear } : {})} />
        ) : (
          empty
        )
      ) : phone ? (
        <ListCards rows={shown} {...view} />
      ) : (
        <ListTable rows={shown} {...view} />
      )}
    </section>
  )
}

function ListCards<T>(props: ListViewProps<T>) {
  const propsOf = buildRowProps(props, findLinkColumn(props.columns), useRowHandlers(props))
  return (
    <ul className={css.cards}>
      {props.rows.map((row) => (
        <ListCardRow key={props.idOf(row)} {...propsOf(row)} />
      ))}
    </ul>
  )
}
