import { useState } from 'react'

/** Selection in a list: rows on any page, by ID, or all rows that match the list's query. */
export interface RowSelection<T> {
  readonly all: boolean
  readonly rows: readonly T[]
  readonly has: (id: string) => boolean
  /** Whether all, some or none of the rows on screen are selected. */
  readonly page: 'all' | 'some' | 'none'
  /** Selects or deselects a row. If `range` is set, every row from the previously selected row is included. */
  readonly toggle: (id: string, range?: boolean) => void
  readonly add: (ids: readonly string[]) => void
  readonly togglePage: () => void
  readonly chooseAll: () => void
  readonly clear: () => void
}

interface State<T> {
  /** List query for which the rows were selected. A different query clears the selection. */
  readonly question: string
  readonly all: boolean
  readonly rows: ReadonlyMap<string, T>
  readonly last?: string
}

/** Manages the selected rows of a list across its pages. A different query clears the selection. */
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
    // Selected rows that are on screen are returned with their current data.
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
