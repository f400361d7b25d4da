import { createContext, useContext } from 'react'
import { type createBrowserRouter, useMatches } from 'react-router'
import type { Page } from '../manifest/page.ts'

/** Data that the shell attaches to a route. */
export interface RouteHandle {
  readonly page: Page
}

export const PagesContext = createContext<readonly Page[]>([])

export const usePages = () => useContext(PagesContext)

export function usePage(): Page | undefined {
  return (useMatches().at(-1)?.handle as RouteHandle | undefined)?.page
}

/** Returns true if the current page is shown without the shell's navigation. */
export const isShownWithoutNavigation = ({ state }: ReturnType<typeof createBrowserRouter>): boolean =>
  (state.matches.at(-1)?.route.handle as RouteHandle | undefined)?.page.layout === 'blank'
