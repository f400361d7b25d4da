import { createContext, type ReactNode } from 'react'

/**
 * The icon name for the type of screen. The shell sets it, and it is shown next to the page's heading in the colour of
 * the page's area.
 */
export const PageIconContext = createContext<string | undefined>(undefined)

/** The record pager shown next to a record's back link; set by the shell. */
export const RecordPagerContext = createContext<ReactNode>(null)
