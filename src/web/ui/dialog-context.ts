import { createContext } from 'react'

/** Reports from components inside a dialog to the dialog: unsaved input, or another dialog open above it. */
export interface DialogScope {
  /** Reports unsaved input; returns a function that withdraws the report. */
  readonly unsaved: () => () => void
  readonly covered: () => () => void
}

export const DialogContext = createContext<DialogScope | undefined>(undefined)
