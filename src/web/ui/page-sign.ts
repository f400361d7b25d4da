import { createContext } from 'react'

/** The name of the icon of what kind of screen this is: said by the shell, drawn beside the page's heading in its area's colour. */
export const PageSignContext = createContext<string | undefined>(undefined)
