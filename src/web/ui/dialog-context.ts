import { createContext } from 'react'

/** What components inside a dialog can report to it: unsaved input, or another dialog open above it. */
export interface DialogScope {
  /** Returns a function that withdraws the report. */
  readonly unsaved: () => () => void
  readonly covered: () => () => void
}

export const DialogContext = createContext<DialogScope | undefined>(undefined)
