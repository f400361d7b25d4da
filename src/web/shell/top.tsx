import { Suspense, useEffect } from 'react'
import { Outlet, ScrollRestoration, useLocation } from 'react-router'
import { arrive } from '../api/me.ts'
import { lazily } from '../ui/lazily.tsx'
import { useLoadAhead } from './ahead.ts'
import type { Page } from './manifest/page.ts'
import { NewVersion } from './new-version.tsx'
import { useBrandName } from './pages/facts.ts'
import { PagesContext, usePage } from './pages/known-pages.ts'
import { documentTitle, useOwnTitle } from './pages/title.ts'
import { ProgressBar } from './progress-bar.tsx'
import { standing } from './standing.ts'

const Notices = lazily(async () => {
  await standing
  return import('./notices.tsx')
}, 'silent')

/** What is there on every page, whatever its layout. */
export function Top({ pages }: { pages: readonly Page[] }) {
  const page = usePage()
  const own = useOwnTitle()
  const brand = useBrandName()
  const { key } = useLocation()
  useLoadAhead(pages)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is new for each navigation
  useEffect(arrive, [key])
  useEffect(() => {
    document.title = documentTitle(own ?? page?.title, brand)
  }, [own, page, brand])
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
