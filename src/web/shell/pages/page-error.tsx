import '@mantine/core/styles/Container.layer.css'
import { Alert, Anchor, Button, Container, Group, Loader, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createContext, useContext, useEffect } from 'react'
import {
  type createBrowserRouter,
  isRouteErrorResponse,
  Link,
  useLocation,
  useMatches,
  useNavigate,
  useRevalidator,
  useRouteError,
} from 'react-router'
import { packRefusal, packState } from '#kernel/packs.ts'
import { ApiError, askSupportPath, callApi } from '../../api/client.ts'
import { useActor, useMaybeMe } from '../../api/me.ts'
import { actorOf, type Me, session } from '../../api/session.ts'
import { PageTitle } from '../../ui/page-title.tsx'
import type { Page } from '../manifest/page.ts'
import classes from './card.module.css'
import { isPageBlocked } from './checks.ts'
import { ForbiddenPage } from './forbidden.tsx'
import type { PageRefusal } from './guard.ts'
import { HOME_PATH } from './redirects.ts'

/** Data of a matched route for the shell. */
export interface RouteHandle {
  readonly page: Page
}

export const PagesContext = createContext<readonly Page[]>([])

export const usePages = () => useContext(PagesContext)

/** Returns the current page. */
export function usePage(): Page | undefined {
  return (useMatches().at(-1)?.handle as RouteHandle | undefined)?.page
}

/** True if the current page is shown without the shell's navigation. */
export const hasNoNavigation = ({ state }: ReturnType<typeof createBrowserRouter>): boolean =>
  (state.matches.at(-1)?.route.handle as RouteHandle | undefined)?.page.layout === 'blank'

/** Banner on pages of a lapsed pack: explains why nothing can be changed. */
export function LapsedPackBanner() {
  const actor = useActor()
  const pack = usePage()?.pack
  if (packState(actor, pack) !== 'lapsed') return null
  return (
    <Alert color="yellow" mb="md" role="status">
      {packRefusal(actor, pack)}
    </Alert>
  )
}

const SECONDS = 8

/** Covers a part of the portal while its pack is checked, and if the client doesn't have it. */
export function AccessBlocked({
  checking,
  blocked,
  to = HOME_PATH,
}: {
  checking: boolean
  blocked: boolean
  to?: string
}) {
  const navigate = useNavigate()
  useEffect(() => {
    if (!blocked || checking) return
    const go = setTimeout(() => void navigate(to, { replace: true }), SECONDS * 1000)
    return () => clearTimeout(go)
  }, [blocked, checking, navigate, to])
  if (!checking && !blocked) return null
  return (
    <div className={classes.blocked} role={checking ? 'status' : 'alert'}>
      <Stack align="center" gap="md" ta="center" maw={440}>
        {checking ? (
          <>
            <Loader />
            <Text>Checking pack status now</Text>
          </>
        ) : (
          <>
            <Title order={2}>You do not have access to this part of the portal</Title>
            <Text>You will be redirected to the dashboard. Your saved data is kept and can still be exported.</Text>
            <Button onClick={() => navigate(to, { replace: true })}>Click here if not redirected</Button>
          </>
        )}
      </Stack>
    </div>
  )
}

/** Page for a missing pack; first checks whether the client has bought it since. */
function PackBlocked() {
  const page = usePage()
  const { revalidate } = useRevalidator()
  const asked = useQuery({
    queryKey: ['/api/security/user_check', 'pack'],
    queryFn: ({ signal }) => callApi<Me>('GET', '/api/security/user_check', undefined, { signal }),
    gcTime: 0,
    retry: false,
  })
  const me = asked.data
  const open = me !== undefined && page !== undefined && !isPageBlocked(page, actorOf(me))
  useEffect(() => {
    if (me) session.update(me)
    if (open) void revalidate()
  }, [me, open, revalidate])
  return <AccessBlocked checking={asked.isPending || open} blocked />
}

interface Shown {
  readonly status: number
  readonly message: string
  readonly needs?: Extract<PageRefusal, { status: number }>['needs']
  readonly blocked?: true
}

/** Converts any error to a status and a message; an unknown error is a 500. */
function shownError(error: unknown): Shown {
  if (isRouteErrorResponse(error)) {
    const told = error.data as Partial<Shown> | undefined
    return {
      status: error.status,
      message: told?.message ?? error.statusText,
      ...(told?.needs ? { needs: told.needs } : {}),
      ...(told?.blocked ? { blocked: true } : {}),
    }
  }
  if (error instanceof ApiError) return { status: error.status, message: error.message }
  return { status: 500, message: error instanceof Error ? error.message : '' }
}

/** A missing chunk means that the server has a newer version of the portal. */
const isOutdated = (message: string) =>
  /dynamically imported module|module script failed|Unable to preload/i.test(message)

export function PageError() {
  const error = useRouteError()
  const { revalidate } = useRevalidator()
  const { pathname } = useLocation()
  const me = useMaybeMe()
  const { status, message, needs, blocked } = shownError(error)
  if (blocked) return <PackBlocked />
  if (status === 403) return <ForbiddenPage {...(needs ? { needs } : {})} />
  const offline = status === 0 || !navigator.onLine
  const words = offline
    ? {
        title: 'No connection',
        text: 'This page has not been downloaded to your device. Check your connection, then try again; no data has been lost.',
      }
    : isOutdated(message)
      ? {
          title: 'The portal has been updated',
          text: 'You have an older version of this page. Reload to get the new one.',
        }
      : {
          title: message || 'Error',
          text:
            status === 404
              ? 'The address may be wrong, or the page may have been removed.'
              : 'Your saved data is not affected. Please try again; if the problem remains, tell your provider what you were doing.',
        }
  return (
    <Container size="sm" py="xl">
      <Stack gap="md">
        {!offline && (
          <Text c="dimmed" fw={600}>
            {status}
          </Text>
        )}
        <PageTitle>{words.title}</PageTitle>
        <Text>{words.text}</Text>
        <Group>
          {status === 404 ? (
            <Anchor component={Link} to="/">
              Back to the home page
            </Anchor>
          ) : (
            <Button onClick={() => (isOutdated(message) ? location.reload() : void revalidate())}>
              {isOutdated(message) ? 'Reload' : 'Try again'}
            </Button>
          )}
          {!offline && me && (
            <Anchor component={Link} to={askSupportPath(pathname, error)}>
              Contact support
            </Anchor>
          )}
        </Group>
      </Stack>
    </Container>
  )
}
