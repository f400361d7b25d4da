import type { ClipboardEvent, KeyboardEvent } from 'react'
import { hazardsFrom, isTable } from './paste.ts'
import { COLUMNS, type Column, type GridActions, NEW, type Place, type Which } from './state.web.ts'

interface Around {
  /** The keys of the rows that are shown, in their order. */
  readonly keys: readonly string[]
  readonly place: Place
  readonly actions: GridActions
}

const isRating = (col: Column): col is Which => col === 'initial' || col === 'residual'

/** The cell that an event happened in; undefined in a menu or list that only belongs to one. */
function cellOf(target: EventTarget): { key: string; col: Column } | undefined {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null
  return cell ? { key: cell.dataset.row as string, col: cell.dataset.col as Column } : undefined
}

/** What keys do in the table: as in a spreadsheet. */
export function onGridKey(e: KeyboardEvent<HTMLElement>, { keys, place, actions }: Around) {
  const cell = cellOf(e.target)
  if (!cell || e.defaultPrevented || e.nativeEvent.isComposing) return
  const { key, col } = cell
  const done = (act: () => unknown) => {
    e.preventDefault()
    e.stopPropagation()
    act()
  }
  const go = (to: { key: string; col: Column } | undefined) => to && done(() => actions.go({ ...to, editing: false }))
  const command = e.ctrlKey || e.metaKey
  if (command && e.key === 'Enter') return done(() => actions.add({}, key === NEW ? undefined : key))

  const target = e.target as HTMLElement
  if (!target.hasAttribute('data-cell')) {
    if (e.key === 'Escape') return done(() => actions.leave(key, col))
    if (!target.hasAttribute('data-editor')) return
    if (e.key === 'Enter') return done(() => actions.leave(key, col))
    if (e.key === 'Tab' && !(e.shiftKey && target.dataset.editor === 'list')) go(beside(keys, key, col, e.shiftKey))
    return
  }

  const row = keys.indexOf(key)
  if (e.altKey && !command && key !== NEW && (e.key === 'ArrowUp' || e.key === 'ArrowDown'))
    return done(() => actions.move(key, e.key === 'ArrowUp' ? -1 : 1))
  if (command && e.key === 'Delete' && key !== NEW) return done(() => actions.retire(key))
  const upTo = (i: number) => ({
    key: keys[Math.max(0, i)] ?? NEW,
    col: i >= keys.length || keys.length === 0 ? ('hazard' as const) : col,
  })
  const step = row < 0 ? keys.length : row
  switch (e.key) {
    case 'ArrowDown':
      return go(upTo(step + 1))
    case 'ArrowUp':
      return go(upTo(step - 1))
    case 'PageDown':
      return go(upTo(Math.min(step + 10, keys.length)))
    case 'PageUp':
      return go(upTo(step - 10))
    case 'ArrowRight':
      return key === NEW ? undefined : go({ key, col: COLUMNS[COLUMNS.indexOf(col) + 1] ?? col })
    case 'ArrowLeft':
      return go({ key, col: COLUMNS[COLUMNS.indexOf(col) - 1] ?? col })
    case 'Home':
      return go(command ? upTo(0) : { key, col: 'hazard' })
    case 'End':
      return go(command ? upTo(keys.length) : key === NEW ? undefined : { key, col: 'menu' })
    case 'Tab':
      return go(beside(keys, key, col, e.shiftKey))
    case 'Escape':
      return done(() => leaveGrid(e.currentTarget))
    case 'F2':
    case 'Enter':
      if (col === 'menu') return
      return done(() => (key === NEW ? actions.add() : actions.edit(key, col)))
    case 'Delete':
    case 'Backspace':
      if (key !== NEW && (col === 'persons' || col === 'responsible')) done(() => actions.change(key, { [col]: '' }))
      return
    default:
  }
  if (command || e.altKey || e.key.length !== 1 || e.key === ' ') return
  if (isRating(col)) {
    if (/[1-5]/.test(e.key)) done(() => actions.digit(key, col, Number(e.key)))
  } else if (key === NEW) done(() => actions.add({ hazardName: e.key }, undefined, e.key))
  else if (col === 'hazard') done(() => begin({ hazardName: e.key }))
  else if (col === 'persons' || col === 'responsible') done(() => begin({ [col]: e.key }))
  else if (col === 'controls') done(() => actions.edit(key, col, e.key))

  function begin(values: Readonly<Record<string, string>>) {
    actions.change(key, values)
    actions.edit(key, col, place.start)
  }
}

/** The next cell, through all rows; undefined at the ends, where Tab goes on to the rest of the page. */
function beside(keys: readonly string[], key: string, col: Column, back: boolean) {
  const at = COLUMNS.indexOf(col) + (back ? -1 : 1)
  const row = keys.indexOf(key)
  if (key === NEW) return back && keys.length ? { key: keys.at(-1) as string, col: 'menu' as const } : undefined
  const same = COLUMNS[at]
  if (same) return { key, col: same }
  if (back) return row > 0 ? { key: keys[row - 1] as string, col: 'menu' as const } : undefined
  return { key: keys[row + 1] ?? NEW, col: 'hazard' as const }
}

/** On to what follows the table: Tab walks in it, so that there has to be another way out. */
function leaveGrid(root: HTMLElement) {
  root.parentElement?.querySelector<HTMLElement>('[data-after-grid]')?.focus()
}

/** A copied table becomes hazards, after the row that the keyboard is in. */
export function onGridPaste(e: ClipboardEvent<HTMLElement>, { actions }: Around): void {
  const cell = cellOf(e.target)
  const text = e.clipboardData.getData('text/plain')
  if (!cell || !isTable(text)) return
  e.preventDefault()
  actions.insert(hazardsFrom(text), cell.key === NEW ? undefined : cell.key)
}
