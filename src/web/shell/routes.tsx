import { createBrowserRouter, data, type LoaderFunctionArgs, type RouteObject, redirect } from 'react-router'
import { ApiError } from '../api/client.ts'
import { queries } from '../api/query.ts'
import { session } from '../api/session.ts'
import { heedBack, heedStep } from '../ui/opened/back.ts'
import { layouts } from './layouts.tsx'
import type { WebModule } from './manifest/module.ts'
import type { LayoutName, Page } from './manifest/page.ts'
import { checks } from './pages/checks.ts'
import { factsOptions } from './pages/facts.ts'
import { type Check, guard, NOT_FOUND } from './pages/guard.ts'
import type { Handle } from './pages/known-pages.ts'
import { PageError } from './pages/page-error.tsx'
import { fillPath, isPath } from './pages/redirects.ts'
import { standing } from './standing.ts'
import { Starting } from './starting.tsx'
import { Top } from './top.tsx'

/** Signed-in users keep the menu and the search here. */
const MISSING: Page = { path: '*', title: 'Page not found', open: true, checks: ['session'] }

const refuseUnreachable = (): never => {
  throw new ApiError(0, 'The portal can’t be reached. Check your connection and try again.')
}

/** Milliseconds without an answer about the session after which the portal counts as unreachable. */
const PATIENCE = 6000

const late = () => new Promise<never>((_, give) => setTimeout(give, PATIENCE))

/** Opens the portal from the offline cache; false where nobody was signed in here. */
type OpenCached = () => Promise<boolean>

/** Returns the current session; a newly loaded page asks the server once. */
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
  const known = queries.getQueryData(factsOptions.queryKey)
  if (session.isPresumed()) return known?.maintenance ?? null
  const fresh = queries.fetchQuery(factsOptions).catch(() => undefined)
  return (known ?? (await fresh))?.maintenance ?? null
}

const loader =
  (page: Page, known: Readonly<Record<string, Check>>, readSession: ReturnType<typeof knownSession>) =>
  async ({ params, request }: LoaderFunctionArgs) => {
    const url = new URL(request.url)
    const found = await guard({ page, params, url, session: readSession, maintenance }, known)
    const refusal = found ?? (page === MISSING ? NOT_FOUND : undefined)
    if (!refusal) {
      if (page.redirect) return redirect(fillPath(page.redirect, params) + url.search)
      return null
    }
    if ('redirect' in refusal) return redirect(isPath(refusal.redirect) ? refusal.redirect : '/')
    throw data(refusal, { status: refusal.status, statusText: refusal.message })
  }

const screen = (load: NonNullable<Page['load']>, modules: readonly WebModule[]) => async () => ({
  Component: (await load(modules)).default,
})

const routeOf = (
  page: Page,
  modules: readonly WebModule[],
  known: Readonly<Record<string, Check>>,
  readSession: ReturnType<typeof knownSession>,
): RouteObject => ({
  path: page.path,
  handle: { page } satisfies Handle,
  loader: loader(page, known, readSession),
  // A changed filter in the address does not recheck the session.
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

export type Router = ReturnType<typeof createBrowserRouter>

/** Creates the router: every page of every module, inside its layout. */
export function makeRouter(modules: readonly WebModule[], ownChecks: Readonly<Record<string, Check>> = {}): Router {
  const known = { ...checks, ...ownChecks }
  const pages = modules.flatMap((module) => module.pages)
  const twice = pages.find((p, i) => pages.findIndex((q) => q.path === p.path) !== i)
  if (twice) throw new Error(`Two pages have the address ${twice.path}`)
  const cache = once(async () =>
    (await import('../offline/cache/start.ts')).startOfflineCache({
      paths: pages.flatMap(({ path, availableOffline }) => (availableOffline ? [path] : [])),
      addresses: modules.flatMap((module) => module.availableOffline),
      factsKey: factsOptions.queryKey,
    }),
  )
  void standing.then(cache).catch(() => undefined)
  const readSession = knownSession(async () => (await cache()).open())
  const all = [...pages, MISSING]
  const names = [...new Set(all.map((p): LayoutName => p.layout ?? 'default'))]
  heedBack()
  const router = createBrowserRouter([
    {
      element: <Top pages={pages} />,
      errorElement: <PageError />,
      hydrateFallbackElement: <Starting />,
      children: names.map((name) => ({
        Component: layouts[name],
        children: all
          .filter((p) => (p.layout ?? 'default') === name)
          .map((p) => routeOf(p, modules, known, readSession)),
      })),
    },
  ])
  router.subscribe(heedStep)
  return router
}
