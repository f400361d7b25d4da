import { UnstyledButton } from '@mantine/core'
import { memo, type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { CallBlockReasonContext } from '../ui/phone-link.tsx'
import { SelectRowCheckbox } from './choosing/row-checkbox.tsx'
import type { RowSelection } from './choosing/use-selection.ts'
import type { ListColumn } from './columns/columns.tsx'
import { findLinkColumn } from './columns/pick-columns.ts'
import css from './data-list.module.css'
import { storeListPosition } from './pager/list-position.ts'
import { startRecordPager } from './pager/record-pager.ts'

/** URL or handler with which a list opens a record. */
export interface RowNavigation<T> {
  readonly href?: (row: T) => string
  readonly onOpen?: (row: T) => void
  /** Called when the pointer or the focus is on the record, before it is opened. */
  readonly onNear?: (row: T) => void
}

interface Props {
  readonly id: string
  readonly to: string | undefined
  /** Navigates to the link's URL. */
  readonly go: (to: string) => void
  readonly onOpen: (() => void) | undefined
  readonly onNear: () => void
  readonly children: ReactNode
}

/** Returns true if the browser handles the click itself, for example to open a new tab or the context menu. */
const isItsOwn = (e: React.MouseEvent) => e.button !== 0 || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey

/**
 * The only link or button of a row, and the row's keyboard target. It is not a router link, because a router link would
 * re-render at every change of the URL.
 */
function RowLink({ id, to, go, onOpen, onNear, children }: Props) {
  const shared = { className: css.rowLink ?? '', 'data-row-link': id, onFocus: onNear }
  if (to !== undefined)
    return (
      <a
        {...shared}
        href={to}
        onClick={(e) => {
          if (isItsOwn(e)) return
          e.preventDefault()
          remember(id)
          go(to)
        }}
      >
        {children}
      </a>
    )
  if (onOpen)
    return (
      <UnstyledButton
        {...shared}
        onClick={() => {
          remember(id)
          onOpen()
        }}
      >
        {children}
      </UnstyledButton>
    )
  return (
    <span {...shared} tabIndex={-1}>
      {children}
    </span>
  )
}

function remember(row: string): void {
  const { pathname, search } = location
  storeListPosition(pathname, { search, row, scroll: window.scrollY })
  startRecordPager(pathname, search, row)
}

/** Opens the record when its row is clicked, except on controls or while text is selected. */
function handleRowClick(e: React.MouseEvent) {
  if (!(e.target instanceof HTMLElement) || e.target.closest('a, button, input, label, [role=menu]')) return
  // Clicks in a row's dialog bubble up to this handler, although the dialog is rendered elsewhere.
  if (!e.currentTarget.contains(e.target)) return
  if (getSelection()?.toString()) return
  e.currentTarget.querySelector<HTMLElement>('[data-row-link]:is(a, button)')?.click()
}

export interface ListViewProps<T> extends RowNavigation<T> {
  readonly rows: readonly T[]
  readonly columns: readonly ListColumn<T>[]
  readonly idOf: (row: T) => string
  /** Returns the name of a row, for its checkbox. */
  readonly nameOf: (row: T) => string
  readonly order?: string
  /** Sorts by a heading. If not set, clicking a heading does not sort. */
  readonly onOrder?: (order: string) => void
  /** Called when the pointer or the focus is on a heading, before sorting. */
  readonly onNearOrder?: (order: string) => void
  /** Buttons at the end of each row. */
  readonly rowActions?: (row: T) => ReactNode
  /** Row selection. If not set, rows can't be selected. */
  readonly chosen?: RowSelection<T>
  readonly rowMuted?: (row: T) => boolean
  /** Returns the reason why the row's telephone numbers must not be called at present, if any. */
  readonly rowBarred?: (row: T) => string | undefined
}

/** Ref to the current row handlers, so that changed handlers do not re-render the rows. */
export type RowHandlers<T> = RefObject<
  Pick<ListViewProps<T>, 'onOpen' | 'onNear' | 'chosen'> & { readonly go: (to: string) => void }
>

/** Returns a ref to the row handlers, for memoised rows. */
export function useRowHandlers<T>({ onOpen, onNear, chosen }: ListViewProps<T>): RowHandlers<T> {
  const navigate = useNavigate()
  const go = (to: string) => void navigate(to)
  const now = { go, ...(onOpen ? { onOpen } : {}), ...(onNear ? { onNear } : {}), ...(chosen ? { chosen } : {}) }
  const ways = useRef<RowHandlers<T>['current']>(now)
  useLayoutEffect(() => {
    ways.current = now
  })
  return ways
}

interface RowProps<T> {
  readonly row: T
  readonly id: string
  /** Name of the row, for its checkbox. */
  readonly name: string
  readonly columns: readonly ListColumn<T>[]
  /** Column that contains the row's link. */
  readonly link: ListColumn<T> | undefined
  /** URL of the link. */
  readonly to: string | undefined
  /** Whether the row is opened by a handler rather than a URL. */
  readonly acts: boolean
  readonly muted: boolean
  readonly barred: string | undefined
  /** Whether the row is selected; `undefined` if rows can't be selected. */
  readonly isChosen: boolean | undefined
  readonly actions: ReactNode
  readonly ways: RowHandlers<T>
}

/** Builds the props of a row. A row whose props are unchanged is not re-rendered. */
export function buildRowProps<T>(props: ListViewProps<T>, link: ListColumn<T> | undefined, ways: RowHandlers<T>) {
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
  <SelectRowCheckbox name={name} checked={isChosen} onToggle={(range) => ways.current.chosen?.toggle(id, range)} />
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
  /** Called with the row under the pointer, and with no argument when the pointer leaves the row. */
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
      onClick={handleRowClick}
    >
      {isChosen !== undefined && (
        <td className={css.choose}>
          <Choose {...props} />
        </td>
      )}
      <CallBlockReasonContext value={barred}>
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
      </CallBlockReasonContext>
      {actions !== undefined && (
        <td className={css.end}>
          <div className={css.actions}>{actions}</div>
        </td>
      )}
    </tr>
  )
}

const isEmpty = (value: unknown): boolean => value === null || value === ''

function Card<T>(props: RowProps<T>) {
  const { row, columns, link, barred, isChosen, actions } = props
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: its link takes the keyboard
    <li {...dataOf(props)} className={css.card} onClick={handleRowClick}>
      <div className={css.cardHead}>
        {isChosen !== undefined && <Choose {...props} />}
        <Opening {...props} />
        {actions !== undefined && <div className={css.actions}>{actions}</div>}
      </div>
      <dl className={css.facts}>
        <CallBlockReasonContext value={barred}>
          {columns
            .filter((c) => c !== link && c.inCard !== false)
            .map((c) => {
              const value = isEmpty((row as Record<string, unknown>)[c.key]) ? null : c.render(row)
              // Empty values are omitted to save space.
              if (value === null || value === '') return null
              return (
                <div key={c.key}>
                  <dt>{c.title}</dt>
                  <dd>{value}</dd>
                </div>
              )
            })}
        </CallBlockReasonContext>
      </dl>
    </li>
  )
}

type Looks = ReadonlyMap<string, ReturnType<typeof lookOf>>

const lookOf = <T,>(c: ListColumn<T>, rank: number, known: boolean) => ({
  'data-align': c.align === 'left' ? undefined : c.align,
  'data-rank': c.wide ? rank : undefined,
  'data-tight': c.tight || undefined,
  'data-known': known || undefined,
})

/**
 * Returns the data attributes of the columns, for the stylesheet and for fitting the table. The last optional column is
 * hidden first; those that are hidden last follow.
 */
export function buildColumnAttributes<T>(columns: readonly ListColumn<T>[]): Looks {
  const known = columns.find((c) => c.known) ?? findLinkColumn(columns)
  const wide = [true, 'last'].flatMap((when) => columns.filter((c) => c.wide === when).toReversed())
  return new Map(columns.map((c) => [c.key, lookOf(c, wide.indexOf(c) + 1, c === known && !c.tight)]))
}

export const ListTableRow = memo(Row) as typeof Row
export const ListCardRow = memo(Card) as typeof Card
