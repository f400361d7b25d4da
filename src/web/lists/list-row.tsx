import { memo, type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { BarredContext } from '../ui/phone-link.tsx'
import { RowCheckbox } from './choosing/row-checkbox.tsx'
import type { Column } from './columns/columns.tsx'
import { linkColumn } from './columns/pick-columns.ts'
import css from './data-list.module.css'
import type { ListViewProps } from './list-table.tsx'
import { pressRow, RowLink } from './row-link.tsx'

/** What is done with rows, as the list has it now: no reason to draw a row again. */
export type Ways<T> = RefObject<
  Pick<ListViewProps<T>, 'onOpen' | 'onNear' | 'chosen'> & { readonly go: (to: string) => void }
>

/** What is done with rows, for those that are drawn once and stay as they are. */
export function useWays<T>({ onOpen, onNear, chosen }: ListViewProps<T>): Ways<T> {
  const navigate = useNavigate()
  const go = (to: string) => void navigate(to)
  const now = { go, ...(onOpen ? { onOpen } : {}), ...(onNear ? { onNear } : {}), ...(chosen ? { chosen } : {}) }
  const ways = useRef<Ways<T>['current']>(now)
  useLayoutEffect(() => {
    ways.current = now
  })
  return ways
}

interface RowProps<T> {
  readonly row: T
  readonly id: string
  /** Its words, for its checkbox. */
  readonly name: string
  readonly columns: readonly Column<T>[]
  /** The column that carries its link. */
  readonly link: Column<T> | undefined
  /** Where it leads to. */
  readonly to: string | undefined
  /** It is opened by doing something. */
  readonly acts: boolean
  readonly muted: boolean
  readonly barred: string | undefined
  /** Nothing where rows are not chosen. */
  readonly isChosen: boolean | undefined
  readonly actions: ReactNode
  readonly ways: Ways<T>
}

/** What each row of a list is drawn from; a row whose share of it is as before is not drawn again. */
export function rowPropsOf<T>(props: ListViewProps<T>, link: Column<T> | undefined, ways: Ways<T>) {
  const { columns, idOf, nameOf, href, onOpen, chosen, rowActions, rowMuted, rowBarred } = props
  return (row: T): RowProps<T> => {
    const id = idOf(row)
    return {
      row,
      id,
      name: nameOf(row),
      columns,
      link,
      to: href?.(row),
      acts: onOpen !== undefined,
      muted: rowMuted?.(row) ?? false,
      barred: rowBarred?.(row),
      isChosen: chosen?.has(id),
      actions: rowActions?.(row),
      ways,
    }
  }
}

const dataOf = <T,>({ id, muted, isChosen }: RowProps<T>) => ({
  'data-row': id,
  'data-muted': muted || undefined,
  'data-chosen': isChosen || undefined,
})

const Choose = <T,>({ id, name, isChosen = false, ways }: RowProps<T>) => (
  <RowCheckbox name={name} checked={isChosen} onToggle={(range) => ways.current.chosen?.toggle(id, range)} />
)

const Opening = <T,>({ row, id, to, acts, link, ways }: RowProps<T>) => (
  <RowLink
    id={id}
    to={to}
    go={(there) => ways.current.go(there)}
    onOpen={acts ? () => ways.current.onOpen?.(row) : undefined}
    onNear={() => ways.current.onNear?.(row)}
  >
    {link?.render(row)}
  </RowLink>
)

interface TableRowProps<T> extends RowProps<T> {
  readonly looks: Looks
  /** Says which row the pointer is on; called without a row when it leaves. */
  readonly near: (row?: T) => void
}

function Row<T>(props: TableRowProps<T>) {
  const { row, columns, link, to, acts, barred, isChosen, actions, looks, near } = props
  return (
    <tr
      {...dataOf(props)}
      data-opens={to !== undefined || acts || undefined}
      onPointerEnter={() => near(row)}
      onPointerLeave={() => near()}
      onClick={pressRow}
    >
      {isChosen !== undefined && (
        <td className={css.choose}>
          <Choose {...props} />
        </td>
      )}
      <BarredContext value={barred}>
        {columns.map((c) =>
          c === link ? (
            <th key={c.key} scope="row" {...looks.get(c.key)}>
              <Opening {...props} />
            </th>
          ) : (
            <td key={c.key} {...looks.get(c.key)}>
              {c.render(row)}
            </td>
          ),
        )}
      </BarredContext>
      {actions !== undefined && (
        <td className={css.end}>
          <div className={css.actions}>{actions}</div>
        </td>
      )}
    </tr>
  )
}

function Card<T>(props: RowProps<T>) {
  const { row, columns, link, barred, isChosen, actions } = props
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: its link takes the keyboard
    <li {...dataOf(props)} className={css.card} onClick={pressRow}>
      <div className={css.cardHead}>
        {isChosen !== undefined && <Choose {...props} />}
        <Opening {...props} />
        {actions !== undefined && <div className={css.actions}>{actions}</div>}
      </div>
      <dl className={css.facts}>
        <BarredContext value={barred}>
          {columns
            .filter((c) => c !== link && c.inCard !== false)
            .map((c) => {
              const value = c.render(row)
              // What has nothing to say needs no row of its own where there is little module.
              if (value === null || value === '') return null
              return (
                <div key={c.key}>
                  <dt>{c.title}</dt>
                  <dd>{value}</dd>
                </div>
              )
            })}
        </BarredContext>
      </dl>
    </li>
  )
}

type Looks = ReadonlyMap<string, ReturnType<typeof lookOf>>

const lookOf = <T,>(c: Column<T>, rank: number, known: boolean) => ({
  'data-align': c.align === 'left' ? undefined : c.align,
  'data-rank': c.wide ? rank : undefined,
  'data-tight': c.tight || undefined,
  'data-known': known || undefined,
})

/** What of a table's columns the stylesheet and the fitting go by. Of those that can be done without, the last goes first. */
export function looksOf<T>(columns: readonly Column<T>[]): Looks {
  const known = columns.find((c) => c.known) ?? linkColumn(columns)
  const wide = columns.filter((c) => c.wide).toReversed()
  return new Map(columns.map((c) => [c.key, lookOf(c, wide.indexOf(c) + 1, c === known && !c.tight)]))
}

/** A row of a table. */
export const TableRow = memo(Row) as typeof Row
/** The same as a card, for a phone. */
export const CardRow = memo(Card) as typeof Card
