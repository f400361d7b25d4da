import type { ClipboardEvent, KeyboardEvent } from 'react'
import { type CellPosition, NEW_ROW_KEY } from './cell-place.ts'

/**
 * Parses cells copied from a spreadsheet. Cells are separated by tabs, and quoted if they contain a line break or a
 * tab.
 */
export function parseClipboardCells(text: string): string[][] {
  const rows: string[][] = [[]]
  let cell = ''
  let quoted = false
  const end = () => rows.at(-1)?.push(cell.trim())
  for (let i = 0; i < text.length; i++) {
    const c = text[i] as string
    if (quoted && c === '"' && text[i + 1] === '"') cell += text[++i]
    else if (c === '"' && (quoted || cell === '')) quoted = !quoted
    else if (quoted) cell += c
    else if (c === '\t') {
      end()
      cell = ''
    } else if (c === '\n') {
      end()
      cell = ''
      rows.push([])
    } else if (c !== '\r') cell += c
  }
  end()
  return rows.filter((row) => row.some(Boolean))
}

export const hasSeveralCells = (text: string): boolean => /[\t\n]/.test(text.trim())

/** Actions that a grid's keys trigger. Rows are identified by their row keys. */
export interface EditableGridActions<Column extends string> {
  readonly go: (to: CellPosition<Column>) => void
  readonly edit: (key: string, col: Column) => void
  /** Ends editing and moves the focus back to the cell. */
  readonly leave: (key: string, col: Column) => void
  /** Adds a row below the given row, or at the end, and starts editing the new row. */
  readonly add: (below?: string) => void
  readonly move: (key: string, by: 1 | -1) => void
  readonly remove: (key: string) => void
  /** Empties a cell. Returns false if the cell can't be emptied. */
  readonly clear: (key: string, col: Column) => boolean
  /**
   * Handles a character typed while a cell, or the row for new rows, is focused. Returns false if the character has no
   * effect there.
   */
  readonly type: (key: string, col: Column, character: string) => boolean
  /** Adds pasted rows below the given row, or at the end. */
  readonly paste: (cells: readonly (readonly string[])[], below?: string) => void
}

export interface EditableGrid<Column extends string> {
  /** Columns from left to right. The first column contains the row's name, the last its menu. */
  readonly columns: readonly Column[]
  /** Row keys of the visible rows, in order. */
  readonly keys: readonly string[]
  readonly actions: EditableGridActions<Column>
}

interface Cell<Column extends string> {
  readonly key: string
  readonly col: Column
}

/** Finds the cell in which an event happened; undefined for a menu or list that is rendered outside the cell. */
function cellOf<Column extends string>(
  { columns }: EditableGrid<Column>,
  target: EventTarget,
): Cell<Column> | undefined {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null
  const col = columns.find((c) => c === cell?.dataset.col)
  return cell?.dataset.row !== undefined && col ? { key: cell.dataset.row, col } : undefined
}

/**
 * Handles keys in a grid, as in a spreadsheet. Cells are marked with `data-cell`, and their inputs with `data-editor`
 * (`list` if Shift+Tab stays inside the cell). The element after the table is marked with `data-after-grid`.
 */
export function handleGridKey<Column extends string>(e: KeyboardEvent<HTMLElement>, sheet: EditableGrid<Column>): void {
  const cell = cellOf(sheet, e.target)
  if (!cell || e.defaultPrevented || e.nativeEvent.isComposing) return
  const act = actFor(e, sheet, cell)
  if (!act || act() === false) return
  e.preventDefault()
  e.stopPropagation()
}

/** Finds the action for a key, if any. The action returns false if it does not apply. */
function actFor<Column extends string>(
  e: KeyboardEvent<HTMLElement>,
  sheet: EditableGrid<Column>,
  { key, col }: Cell<Column>,
): (() => unknown) | undefined {
  const { actions } = sheet
  const isNew = key === NEW_ROW_KEY
  const command = e.ctrlKey || e.metaKey
  const go = (to: Cell<Column> | undefined) => to && (() => actions.go({ ...to, editing: false }))
  if (command && e.key === 'Enter') return () => actions.add(isNew ? undefined : key)

  const target = e.target as HTMLElement
  if (!target.hasAttribute('data-cell')) {
    if (e.key === 'Escape') return () => actions.leave(key, col)
    if (!target.hasAttribute('data-editor')) return undefined
    if (e.key === 'Enter') return () => actions.leave(key, col)
    return e.key === 'Tab' && !(e.shiftKey && target.dataset.editor === 'list')
      ? go(findCellForTabKey(sheet, { key, col }, e.shiftKey))
      : undefined
  }

  if (e.altKey && !command && !isNew && (e.key === 'ArrowUp' || e.key === 'ArrowDown'))
    return () => actions.move(key, e.key === 'ArrowUp' ? -1 : 1)
  if (command && e.key === 'Delete' && !isNew) return () => actions.remove(key)
  const to = findCellForArrowKey(sheet, { key, col }, e.key, command)
  if (to) return go(to)
  switch (e.key) {
    case 'Tab':
      return go(findCellForTabKey(sheet, { key, col }, e.shiftKey))
    case 'Escape':
      return () => leaveSheet(e.currentTarget)
    case 'F2':
    case 'Enter':
      if (col === sheet.columns.at(-1)) return undefined
      return () => (isNew ? actions.add() : actions.edit(key, col))
    case 'Delete':
    case 'Backspace':
      return isNew ? undefined : () => actions.clear(key, col)
    default:
  }
  if (command || e.altKey || e.key.length !== 1 || e.key === ' ') return undefined
  return () => actions.type(key, col, e.key)
}

const PAGE = 10

/**
 * Returns the cell to which an arrow, Home, End or page key leads; undefined for other keys and at the edge of the
 * table.
 */
export function findCellForArrowKey<Column extends string>(
  { columns, keys }: Pick<EditableGrid<Column>, 'columns' | 'keys'>,
  { key, col }: Cell<Column>,
  pressed: string,
  command = false,
): Cell<Column> | undefined {
  const [first, last] = [columns[0], columns.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const at = keys.indexOf(key)
  const row = at < 0 ? keys.length : at
  const upTo = (i: number): Cell<Column> => ({
    key: keys[Math.max(0, i)] ?? NEW_ROW_KEY,
    col: i >= keys.length || keys.length === 0 ? first : col,
  })
  const isNew = key === NEW_ROW_KEY
  switch (pressed) {
    case 'ArrowDown':
      return upTo(row + 1)
    case 'ArrowUp':
      return upTo(row - 1)
    case 'PageDown':
      return upTo(Math.min(row + PAGE, keys.length))
    case 'PageUp':
      return upTo(row - PAGE)
    case 'ArrowRight':
      return isNew ? undefined : { key, col: columns[columns.indexOf(col) + 1] ?? col }
    case 'ArrowLeft':
      return { key, col: columns[columns.indexOf(col) - 1] ?? col }
    case 'Home':
      return command ? upTo(0) : { key, col: first }
    case 'End':
      if (command) return upTo(keys.length)
      return isNew ? undefined : { key, col: last }
    default:
      return undefined
  }
}

/** Returns the next or previous cell in reading order; undefined at the ends of the table, where Tab leaves it. */
export function findCellForTabKey<Column extends string>(
  { columns, keys }: Pick<EditableGrid<Column>, 'columns' | 'keys'>,
  { key, col }: Cell<Column>,
  back: boolean,
): Cell<Column> | undefined {
  const [first, last] = [columns[0], columns.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const above = key === NEW_ROW_KEY ? keys.at(-1) : keys[keys.indexOf(key) - 1]
  if (key === NEW_ROW_KEY) return back && above !== undefined ? { key: above, col: last } : undefined
  const same = columns[columns.indexOf(col) + (back ? -1 : 1)]
  if (same) return { key, col: same }
  if (back) return above === undefined ? undefined : { key: above, col: last }
  return { key: keys[keys.indexOf(key) + 1] ?? NEW_ROW_KEY, col: first }
}

/** Moves the focus past the table. Tab can't do this, because it moves from cell to cell. */
function leaveSheet(root: HTMLElement): void {
  root.parentElement?.querySelector<HTMLElement>('[data-after-grid]')?.focus()
}

/** Inserts a pasted table as rows below the current row. */
export function handleGridPaste<Column extends string>(
  e: ClipboardEvent<HTMLElement>,
  sheet: EditableGrid<Column>,
): void {
  const cell = cellOf(sheet, e.target)
  const text = e.clipboardData.getData('text/plain')
  if (!cell || !hasSeveralCells(text)) return
  e.preventDefault()
  sheet.actions.paste(parseClipboardCells(text), cell.key === NEW_ROW_KEY ? undefined : cell.key)
}
