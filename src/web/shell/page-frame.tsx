import { Affix, Button, CloseButton, Group, Paper, Text } from '@mantine/core'
import { useIsFetching, useIsMutating } from '@tanstack/react-query'
import { Suspense, useContext, useEffect, useLayoutEffect, useRef, useState } from 'react'
import {
  matchPath,
  Outlet,
  UNSAFE_DataRouterStateContext as RouterStateContext,
  ScrollRestoration,
  useLocation,
  useNavigation,
} from 'react-router'
import { markPageShown } from '../api/me.ts'
import { findListPosition, leaveFirstPage } from '../lists/pager/list-position.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { firstScreenReady, useFirstScreenReady } from './first-screen.ts'
import { ModulesContext } from './manifest/module.ts'
import type { Page } from './manifest/page.ts'
import { useBrandName } from './pages/facts.ts'
import { PagesContext, usePage } from './pages/known-pages.ts'
import { formatBrowserTabTitle, useCustomPageTitle } from './pages/title.ts'
import classes from './progress-bar.module.css'
import { useNewVersion } from './worker.ts'

const EVENTS = ['pointerover', 'focusin', 'touchstart'] as const

/** Returns the page that a link opens, if the link leads to a page of this portal. */
function pageOf(target: EventTarget | null, pages: readonly Page[]): Page | undefined {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href^="/"]') : null
  return link ? pages.find(({ path }) => matchPath(path, link.pathname)) : undefined
}

/** Preloads a link's screen as soon as the pointer, a finger or the focus is on the link. */
function usePreloadOnIntent(pages: readonly Page[]): void {
  const modules = useContext(ModulesContext)
  useEffect(() => {
    const begun = new Set<Page>()
    const load = ({ target }: Event) => {
      const page = pageOf(target, pages)
      if (!page || begun.has(page)) return
      begun.add(page)
      // The error is ignored here, because it is shown if the link is followed.
      page.load?.(modules).catch(() => begun.delete(page))
    }
    for (const name of EVENTS) document.addEventListener(name, load, { passive: true })
    return () => {
      for (const name of EVENTS) document.removeEventListener(name, load)
    }
  }, [pages, modules])
}

/** Unobtrusive prompt to reload the page when there is a new version. */
function NewVersionPrompt() {
  const reload = useNewVersion()
  const [later, setLater] = useState(false)
  if (!reload || later) return null
  return (
    <Affix position={{ bottom: 72, right: 16 }} role="status">
      <Paper withBorder shadow="md" p="xs" ps="md">
        <Group gap="sm">
          <Text size="sm">A new version is ready</Text>
          <Button size="xs" onClick={reload}>
            Reload
          </Button>
          <CloseButton aria-label="Later" onClick={() => setLater(true)} />
        </Group>
      </Paper>
    </Affix>
  )
}

/** Thin progress bar while requests are pending. It fills up when no request is pending. */
function ProgressBar() {
  const fetching = useIsFetching()
  const mutating = useIsMutating()
  const { state } = useNavigation()
  const busy = fetching + mutating > 0 || state !== 'idle'
  useFirstScreenReady(busy)
  return (
    <div className={classes.bar} aria-hidden="true" data-progress={busy ? 'busy' : 'complete'}>
      <div />
    </div>
  )
}

const Notices = lazyComponent(async () => {
  await firstScreenReady
  return import('./notices.tsx')
}, 'silent')

/** Milliseconds after which a page that is still too low for its former scroll position is left as it is. */
const MAX_HOLD_MS = 10_000
/** Milliseconds without a request or a correction after which a restored scroll position is final. */
const SETTLED_MS = 500
const USER_INPUT = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

/**
 * Scrolls to a position as soon as the page is high enough, and again if the page changes its height while it loads,
 * until the user acts. Returns a function that stops this.
 */
function holdScrollPosition(top: number): () => void {
  const started = performance.now()
  let unsettled = started
  let frame = 0
  const stop = () => {
    cancelAnimationFrame(frame)
    for (const name of USER_INPUT) removeEventListener(name, stop, { capture: true })
  }
  const check = (now: number) => {
    const isOff = Math.abs(window.scrollY - top) >= 1
    if (isOff) window.scrollTo({ top, behavior: 'instant' })
    if (isOff || document.querySelector('[data-progress=busy]')) unsettled = now
    if (now - unsettled > SETTLED_MS || now - started > MAX_HOLD_MS) stop()
    else frame = requestAnimationFrame(check)
  }
  for (const name of USER_INPUT) addEventListener(name, stop, { capture: true, passive: true })
  check(started)
  return stop
}

/**
 * Restores the scroll position of a page on Back, after a reload, and where a link leads back to a list. The router
 * scrolls only once, when the rows are not there yet.
 */
function ScrollPosition() {
  const { pathname, search, hash, key } = useLocation()
  const { restoreScrollPosition, preventScrollReset } = useContext(RouterStateContext) ?? {}
  const held = useRef({ path: '', stop: () => {} })
  const first = useRef(key)
  useLayoutEffect(() => {
    if (key !== first.current) leaveFirstPage()
    const isSamePage = held.current.path === pathname
    const saved = typeof restoreScrollPosition === 'number' ? restoreScrollPosition : undefined
    // A page that only completes its URL keeps the position that is being restored.
    if (saved === undefined && isSamePage && preventScrollReset) return
    held.current.stop()
    const top = saved ?? (isSamePage || hash ? undefined : findListPosition(pathname, search)?.scroll)
    held.current = { path: pathname, stop: top ? holdScrollPosition(top) : () => {} }
  }, [key, pathname, search, hash, preventScrollReset, restoreScrollPosition])
  useEffect(() => () => held.current.stop(), [])
  return <ScrollRestoration />
}

/** Elements that every page has, in any layout. */
export function PageFrame({ pages }: { pages: readonly Page[] }) {
  const page = usePage()
  const own = useCustomPageTitle()
  const brand = useBrandName()
  const { key } = useLocation()
  usePreloadOnIntent(pages)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is new for each navigation
  useEffect(markPageShown, [key])
  useEffect(() => {
    document.title = formatBrowserTabTitle(own ?? page?.title, brand)
  }, [own, page, brand])
  return (
    <PagesContext value={pages}>
      <ProgressBar />
      <Outlet />
      <NewVersionPrompt />
      <Suspense>
        <Notices />
      </Suspense>
      <ScrollPosition />
    </PagesContext>
  )
}
