// biome-ignore-all lint/a11y/useSemanticElements: elements of a table could not be laid out anew on a narrow screen
import { VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import css from './cell.module.css'
import type { CellPosition } from './cell-place.ts'

const PAUSE_MS = 250

const MAX_DELAY_MS = 1000

/** Keys that end editing or that need the current text. */
const ENDS = new Set(['Enter', 'Escape', 'Tab'])

/**
 * Manages the text of a cell while it is being edited. The text is passed to `onChange` after a pause in typing, after
 * a second at the latest, and before any other event. A keystroke therefore takes the same time in a table with 300
 * rows as in a table with 3 rows.
 */
export function useDebouncedText(value: string, onChange: (text: string) => void) {
  const [typed, setTyped] = useState<string>()
  const kept = useRef<{ text?: string; since?: number; timer?: ReturnType<typeof setTimeout> }>({})
  const pass = useRef(onChange)
  useLayoutEffect(() => {
    pass.current = onChange
  })
  const [commit] = useState(() => () => {
    const { text, timer } = kept.current
    clearTimeout(timer)
    kept.current = {}
    if (text === undefined) return
    pass.current(text)
    setTyped(undefined)
  })
  useEffect(() => {
    // These listeners must run before the form stores its draft.
    addEventListener('pagehide', commit, true)
    document.addEventListener('visibilitychange', commit, true)
    return () => {
      removeEventListener('pagehide', commit, true)
      document.removeEventListener('visibilitychange', commit, true)
      commit()
    }
  }, [commit])
  return {
    text: typed ?? value,
    type: (text: string) => {
      const now = performance.now()
      const since = kept.current.since ?? now
      clearTimeout(kept.current.timer)
      const wait = Math.min(PAUSE_MS, Math.max(0, since + MAX_DELAY_MS - now))
      kept.current = { text, since, timer: setTimeout(commit, wait) }
      setTyped(text)
    },
    commit,
    onKeyDown: (e: KeyboardEvent) => {
      if (ENDS.has(e.key) || e.ctrlKey || e.metaKey) commit()
    },
  }
}

/** Position and callbacks of a cell. */
export interface GridCellContext<Column extends string = string> {
  readonly row: string
  readonly col: Column
  /** Number of the column, starting from 1. */
  readonly nth: number
  /** Position of the focused cell, if it is this cell. */
  readonly at: CellPosition<Column> | undefined
  readonly actions: {
    readonly activate: (row: string, col: Column) => void
    readonly edit: (row: string, col: Column) => void
    /** Called when the focus leaves the cell while it is being edited. */
    readonly left: (row: string) => void
  }
  readonly id?: string
  /** Additional IDs that the cell represents, separated by spaces. */
  readonly also?: string | undefined
}

interface FrameProps<Column extends string> {
  readonly of: Pick<GridCellContext<Column>, 'row' | 'col' | 'nth' | 'id' | 'also'>
  readonly editing?: boolean
  readonly onLeft?: () => void
  readonly children: ReactNode
}

/** Frame of a cell, which can contain anything. */
export const CellFrame = <Column extends string>({ of, editing, onLeft, children }: FrameProps<Column>) => (
  <div
    role="gridcell"
    tabIndex={-1}
    className={css.cell}
    id={of.id}
    data-at={of.also}
    data-row={of.row}
    data-col={of.col}
    data-editing={editing || undefined}
    aria-colindex={of.nth}
    onBlur={(e) => {
      if (editing && !e.currentTarget.contains(e.relatedTarget) && !inFloating(e.relatedTarget)) onLeft?.()
    }}
  >
    {children}
  </div>
)

/** Returns true if the element is in a menu or list. A cell's menus and lists are rendered outside the cell. */
const inFloating = (to: EventTarget | null) =>
  to instanceof Element && to.closest('[role="menu"], [role="listbox"], [data-portal]') !== null

interface CellProps<Column extends string> extends GridCellContext<Column> {
  /** Label that screen readers read before the cell's content. */
  readonly label: string
  readonly editor: ReactNode
  readonly children: ReactNode
}

/** Cell that shows its content or, while being edited, its input. */
export const GridCell = <Column extends string>({ label, editor, children, ...of }: CellProps<Column>) => (
  <CellFrame of={of} editing={of.at?.editing ?? false} onLeft={() => of.actions.left(of.row)}>
    {of.at?.editing ? (
      editor
    ) : (
      <CellButton of={of} label={label}>
        {children}
      </CellButton>
    )}
  </CellFrame>
)

interface OpenerProps<Column extends string> {
  readonly of: GridCellContext<Column>
  readonly label: string
  readonly children: ReactNode
}

/** Button in a cell that is not being edited. Clicking it starts editing. */
export const CellButton = <Column extends string>({ of, label, children }: OpenerProps<Column>) => (
  <button
    type="button"
    className={css.open}
    data-cell
    tabIndex={of.at ? 0 : -1}
    onFocus={() => of.actions.activate(of.row, of.col)}
    onClick={() => of.actions.edit(of.row, of.col)}
  >
    <VisuallyHidden>{label}</VisuallyHidden>
    {children}
  </button>
)

export const CellPlaceholder = ({ children }: { readonly children: string }) => (
  <span className={css.missing}>{children}</span>
)
