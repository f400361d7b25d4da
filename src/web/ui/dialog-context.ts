import { createContext } from 'react'

/**
 * Functions with which components notify the surrounding dialog that there is unsaved input, or that another dialog is
 * open above it.
 */
export interface DialogScope {
  /** Reports unsaved input. Returns a function that withdraws the report. */
  readonly unsaved: () => () => void
  readonly covered: () => () => void
}

export const DialogContext = createContext<DialogScope | undefined>(undefined)
