import { createContext, type ReactNode } from 'react'

/** The icon name for the kind of screen: set by the shell, drawn next to the page's heading in its area's colour. */
export const PageIconContext = createContext<string | undefined>(undefined)

/** The record pager shown next to a record's back link; set by the shell. */
export const RecordPagerContext = createContext<ReactNode>(null)
