import { type KeyboardEvent, type RefObject, useCallback, useEffect } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { useShortcuts } from '../ui/keys/shortcuts.ts'
import type { RowSelection } from './choosing/use-selection.ts'
import { findListPosition } from './pager/list-position.ts'

const ROWS = '[data-row-link]'

/** Returns the index of the focused row. */
const current = (all: readonly HTMLElement[]) =>
  all.findIndex((row) => row.closest('[data-row]')?.contains(document.activeElement))

interface Settings {
  /** Whether the rows are loaded. */
  readonly ready: boolean
  /** Whether the keys `j`, `k` and `x` are enabled for this list. */
  readonly keys: boolean
  readonly chosen: Pick<RowSelection<unknown>, 'toggle' | 'add' | 'clear' | 'all' | 'rows'> | undefined
}

/**
 * Adds keyboard navigation to the rows. `j` and `k` work anywhere on the page; the arrow keys, Home and End work inside
 * the list. `x` selects a row, and Shift with an arrow key extends the selection. The focus moves to each row's link,
 * so that Enter opens the row and a screen reader reads it. The focus is restored when the person returns to the list.
 */
export function useRowFocus(list: RefObject<HTMLElement | null>, { ready, keys, chosen }: Settings) {
  const { pathname, search } = useLocation()
  const back = useNavigationType() === 'POP'
  const rows = useCallback(() => [...(list.current?.querySelectorAll<HTMLElement>(ROWS) ?? [])], [list])
  const go = useCallback(
    (step: 1 | -1) => {
      const all = rows()
      const at = current(all)
      const next = at < 0 ? (step > 0 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, at + step))
      all[next]?.focus()
      all[next]?.scrollIntoView({ block: 'nearest' })
    },
    [rows],
  )
  const idAt = () => {
    const all = rows()
    return all[current(all)]?.dataset.rowLink
  }
  const chooseOn = (step: 1 | -1) => {
    const from = idAt()
    go(step)
    chosen?.add([from, idAt()].filter((id) => id !== undefined))
  }
  useShortcuts(
    keys
      ? [
          { keys: 'j', label: 'Next row', run: () => go(1) },
          { keys: 'k', label: 'Previous row', run: () => go(-1) },
          ...(chosen
            ? [
                {
                  keys: 'x',
                  label: 'Select or deselect the row',
                  run: () => {
                    const id = idAt()
                    if (id !== undefined) chosen.toggle(id)
                  },
                },
              ]
            : []),
        ]
      : [],
  )
  useEffect(() => {
    const left = ready ? findListPosition(pathname, search) : undefined
    if (left === undefined || (document.activeElement && document.activeElement !== document.body && !back)) return
    rows()
      .find((row) => row.dataset.rowLink === left.row)
      ?.focus({ preventScroll: true })
  }, [ready, rows, pathname, search, back])

  return (e: KeyboardEvent) => {
    if (e.defaultPrevented || e.altKey || e.ctrlKey || e.metaKey || !(e.target instanceof HTMLElement)) return
    if (
      !e.target.closest('[data-row]') ||
      e.target.closest('input:not([type=checkbox]), select, textarea, [role=menu], [aria-expanded=true]')
    )
      return
    const all = rows()
    const step = e.key === 'ArrowDown' ? 1 : e.key === 'ArrowUp' ? -1 : undefined
    if (step && e.shiftKey && chosen) chooseOn(step)
    else if (step) go(step)
    else if (e.key === 'Escape' && chosen && (chosen.all || chosen.rows.length > 0)) chosen.clear()
    else if (e.key === 'Home') all[0]?.focus()
    else if (e.key === 'End') all.at(-1)?.focus()
    else return
    e.preventDefault()
  }
}
