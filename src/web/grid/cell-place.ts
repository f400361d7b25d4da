import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'

/** Key of the last row, which is used to add new rows. */
export const NEW_ROW_KEY = '+'

/**
 * Focused cell. `editing` is true while the cell is being edited. `start` is the character with which editing was
 * started.
 */
export interface CellPosition<Column extends string = string> {
  readonly key: string
  readonly col: Column
  readonly editing: boolean
  readonly start?: string | undefined
  /** Whether the first key of a two-key shortcut has been pressed. */
  readonly half?: boolean
}

/**
 * Manages which cell of a table has the keyboard focus. Attach `root` to the element around the cells. A cell is
 * focused once it is rendered.
 */
export function useCellPosition<Column extends string>(first: Column) {
  const [place, setPlace] = useState<CellPosition<Column>>({ key: NEW_ROW_KEY, col: first, editing: false })
  const at = useRef(place)
  const root = useRef<HTMLDivElement>(null)
  const wanted = useRef(false)

  useLayoutEffect(() => {
    if (!wanted.current) return
    wanted.current = false
    const cell = root.current?.querySelector(`[data-row="${CSS.escape(place.key)}"][data-col="${place.col}"]`)
    const found = cell?.querySelector<HTMLElement>(place.editing ? '[data-editor]' : '[data-cell]')
    found?.focus()
    if (place.editing && found instanceof HTMLInputElement) found.setSelectionRange(9999, 9999)
  })

  const stand = useCallback((next: CellPosition<Column>) => {
    at.current = next
    setPlace(next)
  }, [])
  const moves = useMemo(() => {
    const go = (next: CellPosition<Column>) => {
      wanted.current = true
      stand(next)
    }
    return {
      /** Moves the focus to a cell. */
      go,
      /** Records that a cell has received the focus. */
      activate: (key: string, col: Column) => {
        const was = at.current
        if (was.key !== key || was.col !== col) stand({ key, col, editing: false })
      },
      edit: (key: string, col: Column, start?: string) => go({ key, col, editing: true, start }),
    }
  }, [stand])
  return { place, at, root, stand, moves }
}
