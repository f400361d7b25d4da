import '@mantine/core/styles/Container.layer.css'
import { Alert, Anchor, Button, Container, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect } from 'react'
import { isRouteErrorResponse, Link, useLocation, useRevalidator, useRouteError } from 'react-router'
import { getPackRejectionReason, packState } from '#kernel/packs.ts'
import { ApiError, callApi, supportRequestPath } from '../../api/client.ts'
import { useActor, useMaybeMe } from '../../api/me.ts'
import { actorOf, type Me, session } from '../../api/session.ts'
import { lazyComponent } from '../../ui/lazy-component.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { LoadingRows } from '../../ui/states.tsx'
import { AccessBlocked } from './access-blocked.tsx'
import type { PageCheckFailure } from './guard.ts'
import { usePage } from './known-pages.ts'
import { isPageBlocked } from './packs.ts'

const ForbiddenPage = lazyComponent(() => import('./forbidden.tsx'))

/** Banner on the pages of a lapsed pack. It explains why nothing can be changed. */
export function LapsedPackBanner() {
  const actor = useActor()
  const pack = usePage()?.pack
  if (packState(actor, pack) !== 'lapsed') return null
  return (
    <Alert color="yellow" mb="md" role="status">
      {getPackRejectionReason(actor, pack)}
    </Alert>
  )
}

/** Page for a missing pack. It first checks whether the client has bought the pack in the meantime. */
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

interface PageErrorDetails {
  readonly status: number
  readonly message: string
  readonly needs?: Extract<PageCheckFailure, { status: number }>['needs']
  readonly blocked?: true
}

/** Converts any error to a status and a message. An unknown error becomes a 500. */
function shownError(error: unknown): PageErrorDetails {
  if (isRouteErrorResponse(error)) {
    const told = error.data as Partial<PageErrorDetails> | undefined
    return {
      status: error.status,
      message: told?.message ?? error.statusText,
      ...(told?.needs ? { needs: told.needs } : {}),
      ...(told?.blocked ? { blocked: true } : {}),
    }
  }
  if (error instanceof ApiError) return { status: error.status, message: error.message }
  // The message of a programming error means nothing to users.
  return { status: 500, message: 'This page can’t be shown' }
}

/** Returns true if a chunk could not be loaded. This happens when the server has a newer version of the portal. */
const isOutdated = (error: unknown) =>
  error instanceof Error && /dynamically imported module|module script failed|Unable to preload/i.test(error.message)

export function PageError() {
  const error = useRouteError()
  const { revalidate } = useRevalidator()
  const { pathname } = useLocation()
  const me = useMaybeMe()
  const { status, message, needs, blocked } = shownError(error)
  if (blocked) return <PackBlocked />
  if (status === 403)
    return (
      <Suspense fallback={<LoadingRows rows={3} />}>
        <ForbiddenPage {...(needs ? { needs } : {})} />
      </Suspense>
    )
  const offline = status === 0 || !navigator.onLine
  const words = offline
    ? {
        title: 'No connection',
        text: 'This page has not been downloaded to your device. Check your connection and try again. No data has been lost.',
      }
    : isOutdated(error)
      ? {
          title: 'The portal has been updated',
          text: 'You have an older version of this page. Reload the page to get the latest version.',
        }
      : {
          title: message || 'Error',
          text:
            status === 404
              ? 'The address may be wrong, or the page may have been removed.'
              : 'Your saved data is not affected. Please try again. If the problem persists, tell your provider what you were doing.',
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
            <Anchor component={Link} to={supportRequestPath(pathname, error)}>
              Contact support
            </Anchor>
          )}
        </Group>
      </Stack>
    </Container>
  )
}
