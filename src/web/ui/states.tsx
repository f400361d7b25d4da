import { Anchor, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useNetwork } from '@mantine/hooks'
import {
  type Icon,
  IconAlertTriangle,
  IconCloudOff,
  IconInbox,
  IconLock,
  IconRefresh,
  IconSearchOff,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { ApiError, askSupportPath } from '../api/client.ts'
import { useMaybeMe } from '../api/me.ts'
import { useCachedPage } from '../offline/cache/cached-page.ts'
import css from './states.module.css'
import { sentence } from './toast.ts'

interface EmptyProps {
  readonly title: string
  readonly children?: ReactNode
  readonly icon?: Icon
  /** What to do next. */
  readonly action?: ReactNode
}

/** Nothing here yet, and what to do about it. */
export const EmptyState = ({ title, children, icon: Picture = IconInbox, action }: EmptyProps) => (
  <Stack className={css.state} align="center" gap="xs">
    <Picture size={36} stroke={1.4} className={css.picture} aria-hidden />
    <Text fw={600}>{title}</Text>
    {children && (
      <Text size="sm" className={css.words}>
        {children}
      </Text>
    )}
    {action}
  </Stack>
)

/** A search or a filter that leaves nothing. */
export const NothingFound = ({ onClear }: { readonly onClear?: () => void }) => (
  <EmptyState
    title="Nothing found"
    icon={IconSearchOff}
    action={
      onClear && (
        <Button variant="default" onClick={onClear}>
          Clear search and filters
        </Button>
      )
    }
  >
    Nothing matches what you searched and filtered for.
  </EmptyState>
)

interface ErrorProps {
  readonly error: unknown
  readonly onRetry?: () => void
  /** What has not been lost. */
  readonly safe?: string
}

/** What went wrong, what is safe, and the way to try again. */
export function ErrorState({ error, onRetry, safe }: ErrorProps) {
  const status = error instanceof ApiError ? error.status : undefined
  const { pathname } = useLocation()
  // What the server itself couldn't do is for support to look into.
  const asks = useMaybeMe() !== undefined && (status === undefined || status >= 500)
  if (status === 403) return <ForbiddenState />
  return (
    <div role="alert">
      <EmptyState
        title={status === 404 ? 'This could not be found' : status === 0 ? 'No connection' : 'This could not be loaded'}
        icon={status === 0 ? IconCloudOff : IconAlertTriangle}
        action={
          (onRetry || asks) && (
            <Group gap="sm" justify="center">
              {onRetry && (
                <Button variant="default" leftSection={<IconRefresh size={16} aria-hidden />} onClick={onRetry}>
                  Retry
                </Button>
              )}
              {asks && (
                <Anchor component={Link} to={askSupportPath(pathname, error)} size="sm">
                  Ask support
                </Anchor>
              )}
            </Group>
          )
        }
      >
        {status === 404 ? 'It may have been removed, or it belongs to somebody else.' : sentence(error)}
        {safe && ` ${safe}`}
      </EmptyState>
    </div>
  )
}

interface PartFailedProps {
  readonly error: unknown
  readonly onRetry: () => unknown
}

/** Why one part of a page could not be loaded, beside those that were, and the way to try again. */
export const PartFailed = ({ error, onRetry }: PartFailedProps) => (
  <Group role="alert">
    <Text>{sentence(error)}</Text>
    <Button variant="default" onClick={() => void onRetry()}>
      Try again
    </Button>
  </Group>
)

export const ForbiddenState = ({ children }: { readonly children?: ReactNode }) => (
  <EmptyState title="You do not have access to this" icon={IconLock}>
    {children ?? 'If you need it for your work, ask an administrator of your company to give you the right.'}
  </EmptyState>
)

/** Grey rows in the shape of what is coming. */
export const LoadingRows = ({ rows = 8, height = 44 }: { readonly rows?: number; readonly height?: number }) => (
  <div role="status" aria-label="Loading" className={css.rows}>
    {Array.from({ length: rows }, (_, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
      <Skeleton key={i} height={height - 12} radius="sm" />
    ))}
  </div>
)

/** Shown while there is no network: what that means for the work at hand. */
export function OfflineNotice({ children }: { readonly children?: ReactNode }) {
  const { online } = useNetwork()
  const { pathname } = useLocation()
  const cachedPage = useCachedPage(pathname)
  // The band above a cached page says the same.
  if (online || cachedPage) return null
  return <OfflineBand>{children}</OfflineBand>
}

export const OfflineBand = ({ children }: { readonly children?: ReactNode }) => (
  <div className={css.offline} role="status">
    <IconCloudOff size={18} aria-hidden />
    <span>
      {children ??
        'No connection. What you see may be out of date. Notes, calls, signatures and files are kept on this device, and sent when there is one again.'}
    </span>
  </div>
)
