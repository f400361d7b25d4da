import { type ReactNode, startTransition, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { useIsPhone } from '../ui/is-phone.ts'
import { ErrorState, LoadingRows, NothingFound } from '../ui/states.tsx'
import { linkColumn } from './columns/pick-columns.ts'
import css from './data-list.module.css'
import { CardRow, rowPropsOf, useWays } from './list-row.tsx'
import { ListTable, type ListViewProps } from './list-table.tsx'
import { listPositionAt } from './pager/list-position.ts'
import { useRowFocus } from './use-row-focus.ts'

interface Settings {
  /** What the list is asked: with another question it begins anew. */
  readonly question: string
  /** The records are still those of the question before. */
  readonly old: boolean
  readonly count: number
  /** Pixels that a card has at least. */
  readonly height: number
}

/**
 * As many cards as are drawn now: at first those that a window shows, with all that lie above the place that one comes back to, and a
 * moment later the others.
 */
function useCardsAtOnce({ question, old, count, height }: Settings): number {
  const { pathname, search, key } = useLocation()
  const back = useNavigationType() === 'POP' && key !== 'default'
  const begin = () => {
    const place = listPositionAt(pathname, search)
    // The browser goes back to where it was, wherever that is.
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
  /** Of the whole list: "Users". */
  readonly label: string
  readonly rows: readonly T[] | undefined
  readonly error?: unknown
  readonly onRetry?: () => void
  /** Shown when there is nothing, unless something narrows the list. */
  readonly empty: ReactNode
  readonly narrowed: boolean
  readonly onClear?: () => void
  /** What is listed, in words of its own: with other words the list begins anew. */
  readonly question?: string
  /** The rows on screen are those of before. */
  readonly old?: boolean
  /** As many rows are waited for. */
  readonly size?: number
  /** `j` and `k` move in it; of several lists on a page, in one. */
  readonly keys?: boolean
}

/** The height of a row, and of a card, in pixels. */
const ROW = 40
const CARD = 116
/** More grey rows than a window shows would be of no use. */
const MAX_ROWS_AWAITED = 16

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
  // A table's columns are as wide as all of its rows want: they come together.
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
          <NothingFound {...(onClear ? { onClear } : {})} />
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

/** Rows as cards, for a phone. */
function ListCards<T>(props: ListViewProps<T>) {
  const propsOf = rowPropsOf(props, linkColumn(props.columns), useWays(props))
  return (
    <ul className={css.cards}>
      {props.rows.map((row) => (
        <CardRow key={props.idOf(row)} {...propsOf(row)} />
      ))}
    </ul>
  )
}
