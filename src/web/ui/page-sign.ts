import { createContext } from 'react'

/** What kind of screen this is, at a glance: its icon, and the area that it is coloured by. */
export interface PageSign {
  readonly icon: string
  readonly area: string
}

/** Said by the shell for the page that it shows; drawn beside the page's heading. */
export const PageSignContext = createContext<PageSign | undefined>(undefined)
