import { type KeyboardEvent, type RefObject, useCallback, useEffect } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import { useShortcuts } from '../ui/shortcuts.ts'
import { rowAt } from './places.ts'

const ROWS = '[data-row-link]'

/**
 * Rows by keyboard: `j` and `k` anywhere, arrows, Home and End inside the list. The focus itself moves, to each row's
 * link, so that Enter opens and a screen reader reads. Coming back, it is where one left.
 */
export function useRowFocus(list: RefObject<HTMLElement | null>, ready: boolean, keys = true) {
  const { pathname, search } = useLocation()
  const back = useNavigationType() === 'POP'
  const rows = useCallback(() => [...(list.current?.querySelectorAll<HTMLElement>(ROWS) ?? [])], [list])
  const go = useCallback(
    (step: 1 | -1) => {
      const all = rows()
      const at = all.findIndex((row) => row.closest('[data-row]')?.contains(document.activeElement))
      const next = at < 0 ? (step > 0 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, at + step))
      all[next]?.focus()
      all[next]?.scrollIntoView({ block: 'nearest' })
    },
    [rows],
  )
  useShortcuts(
    keys
      ? [
          { keys: 'j', label: 'Next row', run: () => go(1) },
          { keys: 'k', label: 'Previous row', run: () => go(-1) },
        ]
      : [],
  )
  useEffect(() => {
    const left = ready ? rowAt(pathname, search) : undefined
    if (left === undefined || (document.activeElement && document.activeElement !== document.body && !back)) return
    rows()
      .find((row) => row.dataset.rowLink === left)
      ?.focus({ preventScroll: back })
  }, [ready, rows, pathname, search, back])

  return (e: KeyboardEvent) => {
    if (e.defaultPrevented || e.altKey || e.ctrlKey || e.metaKey || !(e.target instanceof HTMLElement)) return
    if (
      !e.target.closest('[data-row]') ||
      e.target.closest('input, select, textarea, [role=menu], [aria-expanded=true]')
    )
      return
    const all = rows()
    if (e.key === 'ArrowDown') go(1)
    else if (e.key === 'ArrowUp') go(-1)
    else if (e.key === 'Home') all[0]?.focus()
    else if (e.key === 'End') all.at(-1)?.focus()
    else return
    e.preventDefault()
  }
}
