import { useEffect, useRef, useState } from 'react'
import css from './row-checkbox.module.css'

/** Selected rows of a list by id, on any page, or everything that the list finds. */
export interface RowSelection<T> {
  readonly all: boolean
  readonly rows: readonly T[]
  readonly has: (id: string) => boolean
  /** How much of the page on screen is selected. */
  readonly page: 'all' | 'some' | 'none'
  /** Selects or deselects a row; with `range`, also every row from the previously selected one. */
  readonly toggle: (id: string, range?: boolean) => void
  /** Adds rows to the selection. */
  readonly add: (ids: readonly string[]) => void
  readonly togglePage: () => void
  readonly chooseAll: () => void
  readonly clear: () => void
}

interface State<T> {
  /** Query of the list when the rows were selected; another query clears the selection. */
  readonly question: string
  readonly all: boolean
  readonly rows: ReadonlyMap<string, T>
  readonly last?: string
}

/** Selection among the rows of a list, across its pages; cleared when the query changes. */
export function useRowSelection<T>(rows: readonly T[], idOf: (row: T) => string, question: string): RowSelection<T> {
  const [held, setHeld] = useState<State<T>>({ question, all: false, rows: new Map() })
  const state: State<T> = held.question === question ? held : { question, all: false, rows: new Map() }
  const ids = rows.map(idOf)
  const has = (id: string) => (state.all ? ids.includes(id) || state.rows.has(id) : state.rows.has(id))
  const put = (wanted: readonly string[], on: boolean, last?: string) => {
    const next = new Map(state.all ? rows.map((row) => [idOf(row), row] as const) : state.rows)
    for (const id of wanted) {
      const row = rows[ids.indexOf(id)]
      if (on && row !== undefined) next.set(id, row)
      if (!on) next.delete(id)
    }
    setHeld({ question, all: false, rows: next, ...(last === undefined ? {} : { last }) })
  }
  const chosenHere = ids.filter(has).length
  const page = chosenHere === 0 ? 'none' : chosenHere === ids.length ? 'all' : 'some'
  return {
    all: state.all,
    // Rows on screen are returned in their current state.
    rows: [...state.rows].map(([id, row]) => rows[ids.indexOf(id)] ?? row),
    has,
    page,
    toggle: (id, range = false) => {
      const [from, to] = [ids.indexOf(state.last ?? id), ids.indexOf(id)]
      const between = range && from >= 0 ? ids.slice(Math.min(from, to), Math.max(from, to) + 1) : [id]
      put(between, !has(id), id)
    },
    add: (more) => put(more, true, more.at(-1)),
    togglePage: () => put(ids, page !== 'all'),
    chooseAll: () => setHeld({ question, all: true, rows: new Map() }),
    clear: () => setHeld({ question, all: false, rows: new Map() }),
  }
}

interface RowProps {
  readonly name: string
  readonly checked: boolean
  readonly onToggle: (range: boolean) => void
}

/** Checkbox of a row; Shift selects every row from the previously selected one. */
export const RowCheckbox = ({ name, checked, onToggle }: RowProps) => (
  <Tick label={`Select ${name}`} checked={checked} onToggle={onToggle} />
)

/** Checkbox that selects all rows of the page, or none. */
export const PageCheckbox = ({ chosen }: { readonly chosen: RowSelection<unknown> }) => (
  <Tick
    label="Select all on this page"
    checked={chosen.page === 'all'}
    some={chosen.page === 'some'}
    onToggle={chosen.togglePage}
  />
)

interface TickProps {
  readonly label: string
  readonly checked: boolean
  readonly some?: boolean
  readonly onToggle: (range: boolean) => void
}

/** Checkbox whose whole cell is clickable. A native input: there are as many as rows. */
function Tick({ label, checked, some = false, onToggle }: TickProps) {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current) box.current.indeterminate = some
  }, [some])
  return (
    <label className={css.tick}>
      <input
        ref={box}
        type="checkbox"
        className={css.box}
        aria-label={label}
        checked={checked}
        onChange={({ nativeEvent: e }) => onToggle(e instanceof MouseEvent && e.shiftKey)}
      />
    </label>
  )
}
