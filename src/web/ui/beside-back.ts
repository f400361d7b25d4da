import { createContext, type ReactNode } from 'react'

/** What stands where a record leads back to its list: the way to its neighbours there. The shell says which. */
export const BesideBackContext = createContext<ReactNode>(null)
