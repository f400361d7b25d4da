import { createContext } from 'react'

/** What a dialog lets the things inside it say: that something is unsaved, that another dialog is open above. */
export interface DialogScope {
  /** Returns the way to take it back. */
  readonly unsaved: () => () => void
  readonly covered: () => () => void
}

export const DialogContext = createContext<DialogScope | undefined>(undefined)
