import { createBrowserRouter, data, type LoaderFunctionArgs, type RouteObject, redirect } from 'react-router'
import { ApiError } from '../api/client.ts'
import { queryClient } from '../api/query.ts'
import { session } from '../api/session.ts'
import { trackOpeningPath } from '../lists/search-input.ts'
import { listenForBackNavigation, trackHistoryEntry } from '../ui/overlays/back.ts'
import { firstScreenReady } from './first-screen.ts'
import { PAGE_LAYOUTS } from './layouts.tsx'
import { LoadingScreen } from './loading-screen.tsx'
import type { WebModule } from './manifest/module.ts'
import type { LayoutName, Page } from './manifest/page.ts'
import { PageFrame } from './page-frame.tsx'
import { pageChecks } from './pages/checks.ts'
import { portalInfoOptions } from './pages/facts.ts'
import { PAGE_NOT_FOUND, type PageCheck, runPageChecks } from './pages/guard.ts'
import type { RouteHandle } from './pages/known-pages.ts'
import { PageError } from './pages/page-error.tsx'
import { fillPathParams, isLocalPath } from './pages/redirects.ts'

/** The `session` check makes the menu and the search appear for signed-in users on this page too. */
const MISSING: Page = { path: '*', title: 'Page not found', open: true, checks: ['session'] }

const refuseUnreachable = (): never => {
  throw new ApiError(0, 'The portal can’t be reached. Check your connection and try again.')
}

/** Milliseconds without a response to the session request after which the portal is treated as unreachable. */
const SESSION_TIMEOUT_MS = 6000

const late = () => new Promise<never>((_, give) => setTimeout(give, SESSION_TIMEOUT_MS))

/** Function that opens the portal from the offline cache. Resolves to false if nobody was signed in on this device. */
type OpenCached = () => Promise<boolean>

/**
 * Creates a function that returns the current session. After a page load, the session is requested from the server
 * once.
 */
const knownSession = (openCached: OpenCached) => async () => {
  if (session.get().kind === 'unknown') {
    if (!session.likely()) session.none()
    else {
      const answered = await Promise.race([session.open(), late()]).catch(
        async () => (await openCached().catch(() => false)) || session.open().catch(refuseUnreachable),
      )
      if (!answered && session.get().kind === 'unknown') session.expired()
    }
  }
  return session.get()
}

async function maintenance() {
  const known = queryClient.getQueryData(portalInfoOptions.queryKey)
  if (session.isPresumed()) return known?.maintenance ?? null
  const fresh = queryClient.fetchQuery(portalInfoOptions).catch(() => undefined)
  return (known ?? (await fresh))?.maintenance ?? null
}

const loader =
  (page: Page, known: Readonly<Record<string, PageCheck>>, readSession: ReturnType<typeof knownSession>) =>
  async ({ params, request }: LoaderFunctionArgs) => {
    const url = new URL(request.url)
    const found = await runPageChecks({ page, params, url, session: readSession, maintenance }, known)
    const refusal = found ?? (page === MISSING ? PAGE_NOT_FOUND : undefined)
    if (!refusal) {
      if (page.redirect) return redirect(fillPathParams(page.redirect, params) + url.search)
      return null
    }
    if ('redirect' in refusal) return redirect(isLocalPath(refusal.redirect) ? refusal.redirect : '/')
    throw data(refusal, { status: refusal.status, statusText: refusal.message })
  }

const screen = (load: NonNullable<Page['load']>, modules: readonly WebModule[]) => async () => ({
  Component: (await load(modules)).default,
})

const routeOf = (
  page: Page,
  modules: readonly WebModule[],
  known: Readonly<Record<string, PageCheck>>,
  readSession: ReturnType<typeof knownSession>,
): RouteObject => ({
  path: page.path,
  handle: { page } satisfies RouteHandle,
  loader: loader(page, known, readSession),
  // The checks are not repeated when only the query changes, for example because of a filter.
  shouldRevalidate: ({ currentUrl, nextUrl }) =>
    currentUrl.pathname !== nextUrl.pathname || currentUrl.href === nextUrl.href,
  errorElement: <PageError />,
  ...(page.load ? { lazy: screen(page.load, modules) } : {}),
})

const once = <T,>(load: () => Promise<T>) => {
  let loading: Promise<T> | undefined
  return () => {
    loading ??= load()
    return loading
  }
}

export type AppRouter = ReturnType<typeof createBrowserRouter>

/** Creates the router with every page of every module, each inside its layout. */
export function makeRouter(
  modules: readonly WebModule[],
  ownChecks: Readonly<Record<string, PageCheck>> = {},
): AppRouter {
  const known = { ...pageChecks, ...ownChecks }
  const pages = modules.flatMap((module) => module.pages)
  const twice = pages.find((p, i) => pages.findIndex((q) => q.path === p.path) !== i)
  if (twice) throw new Error(`Two pages have the path ${twice.path}`)
  const cache = once(async () =>
    (await import('../offline/cache/start.ts')).startOfflineCache({
      paths: pages.flatMap(({ path, availableOffline }) => (availableOffline ? [path] : [])),
      addresses: modules.flatMap((module) => module.availableOffline),
      factsKey: portalInfoOptions.queryKey,
    }),
  )
  void firstScreenReady.then(cache).catch(() => undefined)
  const readSession = knownSession(async () => (await cache()).open())
  const all = [...pages, MISSING]
  const names = [...new Set(all.map((p): LayoutName => p.layout ?? 'default'))]
  listenForBackNavigation()
  const router = createBrowserRouter([
    {
      element: <PageFrame pages={pages} />,
      errorElement: <PageError />,
      hydrateFallbackElement: <LoadingScreen />,
      children: names.map((name) => ({
        Component: PAGE_LAYOUTS[name],
        children: all
          .filter((p) => (p.layout ?? 'default') === name)
          .map((p) => routeOf(p, modules, known, readSession)),
      })),
    },
  ])
  router.subscribe(trackHistoryEntry)
  router.subscribe(({ location, navigation }) => trackOpeningPath((navigation.location ?? location).pathname))
  return router
}
