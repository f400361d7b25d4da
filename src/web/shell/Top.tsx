import { createContext, lazy, Suspense, useContext, useEffect } from 'react'
import { Outlet, ScrollRestoration, useLocation, useMatches } from 'react-router'
import { useProvider } from './facts.ts'
import { arrive } from './me.ts'
import { NewVersion } from './NewVersion.tsx'
import { ProgressBar } from './ProgressBar.tsx'
import type { Page } from './page.ts'
import type { Handle } from './routes.tsx'
import { documentTitle, useOwnTitle } from './title.ts'

const Notices = lazy(() => import('./Notices.tsx'))
const PagesContext = createContext<readonly Page[]>([])
/** Every page of the portal. */
export const usePages = () => useContext(PagesContext)

/** The page that is shown. */
export function usePage(): Page | undefined {
  return (useMatches().at(-1)?.handle as Handle | undefined)?.page
}

/** What is there on every page, whatever its layout. */
export function Top({ pages }: { pages: readonly Page[] }) {
  const page = usePage()
  const own = useOwnTitle()
  const provider = useProvider()
  const { key } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is new for each navigation
  useEffect(arrive, [key])
  useEffect(() => {
    document.title = documentTitle(own ?? page?.title, provider)
  }, [own, page, provider])
  return (
    <PagesContext value={pages}>
      <ProgressBar />
      <Outlet />
      <NewVersion />
      <Suspense>
        <Notices />
      </Suspense>
      <ScrollRestoration />
    </PagesContext>
  )
}
