import { createContext, useContext } from 'react'
import { useMatches } from 'react-router'
import type { Page } from '../faces/page.ts'

/** What a matched route tells the shell about itself. */
export interface Handle {
  readonly page: Page
}

export const PagesContext = createContext<readonly Page[]>([])

/** Every page of the portal. */
export const usePages = () => useContext(PagesContext)

/** The page that is shown. */
export function usePage(): Page | undefined {
  return (useMatches().at(-1)?.handle as Handle | undefined)?.page
}
