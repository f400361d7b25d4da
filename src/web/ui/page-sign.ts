import { createContext, type ReactNode } from 'react'

/**
 * Name of the icon for the screen's type, set by the shell. The icon is shown next to the page's heading, in the colour
 * of the page's area.
 */
export const PageIconContext = createContext<string | undefined>(undefined)

/** Record pager shown next to the back link on a record's page, set by the shell. */
export const RecordPagerContext = createContext<ReactNode>(null)
