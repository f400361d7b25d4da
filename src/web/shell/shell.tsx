import { Anchor } from '@mantine/core'
import { useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { type ComponentType, Suspense, useEffect, useEffectEvent, useLayoutEffect, useSyncExternalStore } from 'react'
import { Link, Outlet, useLocation, useNavigate } from 'react-router'
import { reason } from '../api/changes.ts'
import { hasStoredDecisions } from '../api/decisions.ts'
import { useIsChangingPerson, useMaybeMe, useSession } from '../api/me.ts'
import { proof } from '../api/proof.ts'
import type { Me } from '../api/session.ts'
import { useCachedPage } from '../offline/cache/cached-page.ts'
import { provideOfflineQueue } from '../offline/outbox/outbox.ts'
import { offlineOwner, ownerOf } from '../offline/owner.ts'
import { listenForShortcuts, useShortcuts } from '../ui/keys/shortcuts.ts'
import { lazily } from '../ui/lazily.tsx'
import { BesideBackContext, PageSignContext } from '../ui/page-sign.ts'
import { NONE, setSummary } from './bell/summary.ts'
import { useFocusHeading, useKeptFocus } from './focus.ts'
import { useAreas } from './navigation/areas.ts'
import { BottomBar } from './navigation/bottom-bar.tsx'
import { closeDialog, openDialog, useOpenDialog } from './navigation/dialogs.ts'
import { Rail } from './navigation/rail.tsx'
import { TopBar } from './navigation/top-bar.tsx'
import { usePage } from './pages/known-pages.ts'
import { LapsedBand } from './pages/lapsed-band.tsx'
import { signInPath } from './pages/redirects.ts'
import { Remembering } from './palette/recent.ts'
import { Band } from './session/band.tsx'
import { useFreshMe } from './session/fresh.ts'
import classes from './shell.module.css'
import { SkipLinks } from './skip-links.tsx'
import { standing } from './standing.ts'
import { Starting } from './starting.tsx'

/** Keeps the notification count up to date once the first screen is ready; not while impersonating. */
function useTold(me: Me | undefined): void {
  const person = offlineOwner(me)
  useEffect(() => {
    if (person === undefined) return undefined
    const ending = new AbortController()
    const begin = async () => {
      await standing
      const { keepTold } = await import('./bell/live.ts')
      keepTold(person, ending.signal)
    }
    void begin().catch(() => undefined)
    return () => {
      ending.abort()
      setSummary(NONE)
    }
  }, [person])
}

/** Reports on unanswered decisions once the first screen is ready. */
function useLeftDecisions(me: Me | undefined): void {
  const navigate = useNavigate()
  const go = useEffectEvent((to: string) => void navigate(to))
  const owner = me && ownerOf(me)
  useEffect(() => {
    if (owner === undefined || !hasStoredDecisions()) return
    void standing
      .then(() => import('./left-decisions.ts'))
      .then(({ tellLeft }) => tellLeft((to) => go(to)))
      .catch(() => undefined)
  }, [owner])
}

const AllScreens = lazily(() => import('./navigation/all-screens.tsx'))
const LazyPalette = lazily(() => import('./palette/palette.tsx'))
const ShortcutList = lazily(() => import('./shortcut-list.tsx'))
const WorkAs = lazily(() => import('./session/work-as.tsx'))
const AllowChanges = lazily(() => import('./session/allow-changes.tsx'))
const ProveAgain = lazily(() => import('./session/prove-again.tsx'))
const ListSteps = lazily(async () => {
  await standing
  return import('../lists/pager/steps.tsx')
}, 'silent')
const SignInAgain = lazily(() => import('./session/sign-in-again.tsx'), 'silent')

provideOfflineQueue(async () => (await import('../offline/outbox/start.ts')).startOfflineQueue())

const Connection = lazily(async () => {
  await standing
  return import('./navigation/connection.tsx')
}, 'silent')
const CONNECTION = (
  <Suspense>
    <Connection />
  </Suspense>
)

const CachedPageBand = lazily(() => import('../offline/screens/cached-page-band.tsx'), 'silent')

const STEPS = (
  <Suspense>
    <ListSteps />
  </Suspense>
)

/**
 * Layout of nearly every page. After signing out, the sign-in page is shown; after the session ends, a dialog to sign
 * in again.
 */
export function Shell() {
  const state = useSession()
  const me = useMaybeMe()
  const navigate = useNavigate()
  const changing = useIsChangingPerson()
  const open = usePage()?.open ?? false
  const left = state.kind === 'out' && !state.expired && !open
  useEffect(() => {
    if (left) void navigate(signInPath('/'), { replace: true })
  }, [left, navigate])
  if (changing || left) return <Starting />
  return me ? <Frame /> : <Visitor open={open} />
}

/** The palette must be ready for the first key press. */
let ReadyPalette: typeof LazyPalette | ComponentType<{ onClose: () => void }> = LazyPalette
const Palette = (props: { onClose: () => void }) => <ReadyPalette {...props} />

function readAhead() {
  const ready = (m: { default: ComponentType<{ onClose: () => void }> }) => {
    ReadyPalette = m.default
  }
  void standing.then(() => import('./palette/palette.tsx')).then(ready, () => undefined)
  void standing.then(() => import('./navigation/me-choices.tsx')).catch(() => undefined)
}

/** Public page for users who are not signed in, or the reason why a page can't be shown. */
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
  const { areas, area, here } = useAreas()
  const [kept, keep] = useLocalStorage<boolean | null>({
    key: 'stanchion-narrow-rail',
    defaultValue: null,
    getInitialValueInEffect: false,
  })
  const small = useMediaQuery('(max-width: 61.99em)', undefined, { getInitialValueInEffect: false })
  const narrow = kept ?? small ?? false
  const { pathname } = useLocation()
  const cachedPage = useCachedPage(pathname)
  useFocusHeading(pathname)
  useKeptFocus()
  useFreshMe()
  useTold(me)
  useLeftDecisions(me)
  useLayoutEffect(listenForShortcuts, [])
  useEffect(readAhead, [])
  useShortcuts([
    { keys: 'mod+k', label: 'Search or go to…', run: () => openDialog({ name: 'palette' }), always: true },
    { keys: '?', label: 'Show keyboard shortcuts', run: () => openDialog({ name: 'shortcuts' }) },
  ])
  if (!me) return null
  return (
    <div className={classes.shell} data-narrow={narrow}>
      <SkipLinks />
      {me.isImpersonating && <Band me={me} />}
      <Rail areas={areas} area={area} here={here} narrow={narrow} onNarrow={keep} />
      <div className={classes.page}>
        <TopBar me={me} area={area} here={here} connection={CONNECTION} />
        <main id="main" tabIndex={-1} className={classes.content} data-area={area?.area}>
          <LapsedBand />
          {cachedPage && (
            <Suspense>
              <CachedPageBand page={cachedPage} />
            </Suspense>
          )}
          <PageSignContext value={here?.icon ?? area?.icon}>
            <BesideBackContext value={STEPS}>
              <Outlet />
            </BesideBackContext>
          </PageSignContext>
        </main>
      </div>
      <BottomBar areas={areas} area={area} />
      <Dialogs />
      <Remembering />
    </div>
  )
}

function Dialogs() {
  const open = useOpenDialog()
  const state = useSession()
  const proofAsked = useSyncExternalStore(proof.subscribe, proof.isAsked)
  const reasonAsked = useSyncExternalStore(reason.subscribe, reason.isAsked)
  return (
    <Suspense>
      {open?.name === 'palette' && <Palette onClose={closeDialog} />}
      {open?.name === 'shortcuts' && <ShortcutList onClose={closeDialog} />}
      {open?.name === 'all-screens' && <AllScreens onClose={closeDialog} />}
      {open?.name === 'work-as' && <WorkAs {...(open.client ? { client: open.client } : {})} onClose={closeDialog} />}
      {reasonAsked && <AllowChanges />}
      {proofAsked && <ProveAgain />}
      {state.kind === 'out' && state.expired && <SignInAgain />}
    </Suspense>
  )
}
