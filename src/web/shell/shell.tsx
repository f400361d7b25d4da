import { Anchor } from '@mantine/core'
import { useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { IconMenu2 } from '@tabler/icons-react'
import {
  type ComponentType,
  Suspense,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { Link, Outlet, useLocation, useNavigate } from 'react-router'
import { changeReasonPrompt } from '../api/changes.ts'
import { callApi } from '../api/client.ts'
import { hasPendingDecisions } from '../api/decisions.ts'
import { useIsSwitchingUser, useMaybeMe, useSession } from '../api/me.ts'
import { identityProofPrompt } from '../api/proof.ts'
import type { Me } from '../api/session.ts'
import { session } from '../api/session.ts'
import { useCachedPage } from '../offline/cache/cached-page.ts'
import { setOfflineQueueLoader } from '../offline/outbox/outbox.ts'
import { offlineOwnerOf, ownerKeyOf } from '../offline/owner.ts'
import { NamedIcon } from '../ui/icons.ts'
import { listenForShortcuts, useShortcuts } from '../ui/keys/shortcuts.ts'
import { lazyComponent } from '../ui/lazy-component.tsx'
import { PageIconContext, RecordPagerContext } from '../ui/page-sign.ts'
import { EMPTY_NOTIFICATION_SUMMARY, setNotificationSummary } from './bell/summary.ts'
import { firstScreenReady } from './first-screen.ts'
import { useFocusHeading, useRestoreFocus } from './focus.ts'
import { LoadingScreen } from './loading-screen.tsx'
import { useAreas } from './navigation/areas.ts'
import bar from './navigation/bottom-bar.module.css'
import { closeShellDialog, openShellDialog, useShellDialog } from './navigation/dialogs.ts'
import type { AreaScreens } from './navigation/navigation.ts'
import { ListTabs, NavigationRail } from './navigation/rail.tsx'
import { isTaskSite } from './navigation/task-site.ts'
import { TopBar } from './navigation/top-bar.tsx'
import { usePage } from './pages/known-pages.ts'
import { LapsedPackBanner } from './pages/page-error.tsx'
import { signInPath } from './pages/redirects.ts'
import { RecentRecordTracker } from './palette/recent.ts'
import { ImpersonationBanner } from './session/impersonation-banner.tsx'
import classes from './shell.module.css'

const PLACES = 4

/** Bottom bar on phones: the first areas, and a button that opens a sheet with all areas and screens. */
const BottomBar = ({ areas, area }: { areas: readonly AreaScreens[]; area: AreaScreens | undefined }) => (
  <nav className={bar.bottom} aria-label="Areas" data-no-print>
    {areas.slice(0, PLACES).map((a) => {
      return (
        <Link key={a.area} className={bar.tab} to={a.screens[0]?.path ?? '/'} data-open={a.area === area?.area}>
          <NamedIcon name={a.icon} size={22} stroke={1.75} aria-hidden />
          {a.area}
        </Link>
      )
    })}
    <button
      type="button"
      className={bar.tab}
      onClick={() => openShellDialog({ name: 'all-screens' })}
      aria-haspopup="dialog"
    >
      <IconMenu2 size={22} stroke={1.75} aria-hidden />
      More
    </button>
  </nav>
)

import { SkipLinks } from './skip-links.tsx'

/** Keeps the notification count up to date once the first screen is ready, except while impersonating. */
function useLiveNotifications(me: Me | undefined): void {
  const person = offlineOwnerOf(me)
  useEffect(() => {
    if (person === undefined) return undefined
    const ending = new AbortController()
    const begin = async () => {
      await firstScreenReady
      const { streamNotifications: keepTold } = await import('./bell/live.ts')
      keepTold(person, ending.signal)
    }
    void begin().catch(() => undefined)
    return () => {
      ending.abort()
      setNotificationSummary(EMPTY_NOTIFICATION_SUMMARY)
    }
  }, [person])
}

/**
 * Reports decisions that had no response when the page was closed and that failed or could not be confirmed. Runs once
 * the first screen is ready.
 */
function useLeftDecisionReport(me: Me | undefined): void {
  const navigate = useNavigate()
  const go = useEffectEvent((to: string) => void navigate(to))
  const owner = me && ownerKeyOf(me)
  useEffect(() => {
    if (owner === undefined || !hasPendingDecisions()) return
    void firstScreenReady
      .then(() => import('./failed-decisions.ts'))
      .then(({ reportFailedDecisions: tellLeft }) => tellLeft((to) => go(to)))
      .catch(() => undefined)
  }, [owner])
}

const AllScreens = lazyComponent(() => import('./navigation/all-screens.tsx'))
const LazyPalette = lazyComponent(() => import('./palette/palette.tsx'))
const ShortcutList = lazyComponent(() => import('./shortcut-list.tsx'))
const WorkAs = lazyComponent(() => import('./session/work-as.tsx'))
const AllowChanges = lazyComponent(() => import('./session/allow-changes.tsx'))
const ProveAgain = lazyComponent(() => import('./session/prove-again.tsx'))
const ListSteps = lazyComponent(async () => {
  await firstScreenReady
  return import('../lists/pager/steps.tsx')
}, 'silent')
const SignInAgain = lazyComponent(() => import('./session/sign-in-again.tsx'), 'silent')

setOfflineQueueLoader(async () => (await import('../offline/outbox/start.ts')).startOfflineQueue())

const Connection = lazyComponent(async () => {
  await firstScreenReady
  return import('./navigation/connection.tsx')
}, 'silent')
const NewNotificationDialog = lazyComponent(async () => {
  await firstScreenReady
  return import('./bell/new-notification.tsx')
}, 'silent')

const CONNECTION = (
  <Suspense>
    <Connection />
  </Suspense>
)

const TaskBar = lazyComponent(() => import('./navigation/task-bar.tsx'), 'silent')
const CachedPageBand = lazyComponent(() => import('../offline/screens/cached-page-band.tsx'), 'silent')

const STEPS = (
  <Suspense>
    <ListSteps />
  </Suspense>
)

/**
 * Layout of nearly every page. If the user has signed out, it shows the sign-in page. If the session has ended, it
 * shows a dialog to sign in again.
 */
export function ShellLayout() {
  const state = useSession()
  const me = useMaybeMe()
  const navigate = useNavigate()
  const changing = useIsSwitchingUser()
  const open = usePage()?.open ?? false
  const left = state.kind === 'out' && !state.expired && !open
  useEffect(() => {
    if (left) void navigate(signInPath('/'), { replace: true })
  }, [left, navigate])
  if (changing || left) return <LoadingScreen />
  return me ? <Frame /> : <Visitor open={open} />
}

/** The palette is preloaded so that it is ready for the first key press. */
let ReadyPalette: typeof LazyPalette | ComponentType<{ onClose: () => void }> = LazyPalette
const Palette = (props: { onClose: () => void }) => <ReadyPalette {...props} />

function readAhead() {
  const ready = (m: { default: ComponentType<{ onClose: () => void }> }) => {
    ReadyPalette = m.default
  }
  void firstScreenReady.then(() => import('./palette/palette.tsx')).then(ready, () => undefined)
  void firstScreenReady.then(() => import('./navigation/me-choices.tsx')).catch(() => undefined)
}

/** Content for users who are not signed in: the public page, or the reason why the page can't be shown. */
const Visitor = ({ open }: { open: boolean }) => (
  <main id="main" className={classes.content}>
    {open && (
      <Anchor component={Link} to="/" size="sm">
        Sign in
      </Anchor>
    )}
    <Outlet />
  </main>
)

function Frame() {
  const me = useMaybeMe()
  const { areas, area, here, tab } = useAreas()
  const [kept, keep] = useLocalStorage<boolean | null>({
    key: 'stanchion-narrow-rail',
    defaultValue: null,
    getInitialValueInEffect: false,
  })
  const small = useMediaQuery('(max-width: 61.99em)', undefined, { getInitialValueInEffect: false })
  const narrow = kept ?? small ?? false
  const { pathname } = useLocation()
  const cachedPage = useCachedPage(pathname)
  const stores = usePage()?.availableOffline
  const [isTask] = useState(isTaskSite)
  useFocusHeading(pathname)
  useRestoreFocus()
  useRefreshMe()
  useLiveNotifications(me)
  useLeftDecisionReport(me)
  useLayoutEffect(listenForShortcuts, [])
  useEffect(readAhead, [])
  useShortcuts([
    { keys: 'mod+k', label: 'Search or go to…', run: () => openShellDialog({ name: 'palette' }), always: true },
    { keys: '?', label: 'Show keyboard shortcuts', run: () => openShellDialog({ name: 'shortcuts' }) },
  ])
  if (!me) return null
  return (
    <div className={classes.shell} data-narrow={narrow} {...(isTask ? { 'data-task-site': '' } : {})}>
      <SkipLinks />
      {me.isImpersonating && <ImpersonationBanner me={me} />}
      {!isTask && <NavigationRail areas={areas} area={area} here={here} narrow={narrow} onNarrow={keep} />}
      <div className={classes.page}>
        {isTask ? (
          <Suspense fallback={<div className={classes.taskBar} />}>
            <TaskBar me={me} connection={CONNECTION} />
          </Suspense>
        ) : (
          <TopBar me={me} area={area} here={here} tab={tab} connection={CONNECTION} />
        )}
        <main id="main" tabIndex={-1} className={classes.content} data-area={area?.area}>
          <LapsedPackBanner />
          {cachedPage && (
            <Suspense>
              <CachedPageBand page={cachedPage} stores={stores} />
            </Suspense>
          )}
          {here && here.tabs.length > 0 && tab?.path === pathname && <ListTabs tabs={here.tabs} here={pathname} />}
          <PageIconContext value={here?.icon ?? area?.icon}>
            <RecordPagerContext value={STEPS}>
              <Outlet />
            </RecordPagerContext>
          </PageIconContext>
        </main>
      </div>
      {!isTask && <BottomBar areas={areas} area={area} />}
      <Dialogs />
      <RecentRecordTracker />
    </div>
  )
}

function Dialogs() {
  const open = useShellDialog()
  const state = useSession()
  const proofAsked = useSyncExternalStore(identityProofPrompt.subscribe, identityProofPrompt.isAsked)
  const reasonAsked = useSyncExternalStore(changeReasonPrompt.subscribe, changeReasonPrompt.isAsked)
  return (
    <Suspense>
      {open?.name === 'palette' && <Palette onClose={closeShellDialog} />}
      {open?.name === 'shortcuts' && <ShortcutList onClose={closeShellDialog} />}
      {open?.name === 'all-screens' && <AllScreens onClose={closeShellDialog} />}
      {open?.name === 'work-as' && (
        <WorkAs {...(open.client ? { client: open.client } : {})} onClose={closeShellDialog} />
      )}
      <Suspense>
        <NewNotificationDialog />
      </Suspense>
      {reasonAsked && <AllowChanges />}
      {proofAsked && <ProveAgain />}
      {state.kind === 'out' && state.expired && <SignInAgain />}
    </Suspense>
  )
}

const EVERY = 60_000

/**
 * Reloads the user's data on navigation, at most once a minute, so that changed permissions and an ended session apply
 * promptly.
 */
function useRefreshMe(): void {
  const { pathname } = useLocation()
  const asked = useRef<number>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new address is the occasion
  useEffect(() => {
    const before = asked.current
    if (before === undefined || Date.now() - before >= EVERY) asked.current = Date.now()
    // The first page already has current data, from the sign-in or from the renewed session.
    if (before === undefined || before === asked.current) return
    callApi<Me>('GET', '/api/security/user_check').then(session.update, () => undefined)
  }, [pathname])
}
