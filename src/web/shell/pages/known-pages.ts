import { createContext, useContext } from 'react'
import { type createBrowserRouter, useMatches } from 'react-router'
import type { Page } from '../manifest/page.ts'

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

/** Does the page that is shown stand by itself, without the shell's navigation? */
export const standsAlone = ({ state }: ReturnType<typeof createBrowserRouter>): boolean =>
  (state.matches.at(-1)?.route.handle as Handle | undefined)?.page.layout === 'blank'
