import { createContext, type ReactNode } from 'react'

/** The name of the icon of what kind of screen this is: said by the shell, drawn beside the page's heading in its area's colour. */
export const PageSignContext = createContext<string | undefined>(undefined)

/** What stands where a record leads back to its list: the way to its neighbours there. The shell says which. */
export const BesideBackContext = createContext<ReactNode>(null)
