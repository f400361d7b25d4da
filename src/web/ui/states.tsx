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
import { ApiError, supportRequestPath } from '../api/client.ts'
import { useMaybeMe } from '../api/me.ts'
import { useCachedPage } from '../offline/cache/cached-page.ts'
import css from './states.module.css'
import { errorSentence } from './toast.ts'

interface EmptyProps {
  readonly title: string
  readonly children?: ReactNode
  readonly icon?: Icon
  /** Button or link for the next step. */
  readonly action?: ReactNode
}

/** Message for an empty page, with a suggested next step. */
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

/** Message for a search or filter that finds nothing. */
export const NoResults = ({ onClear }: { readonly onClear?: () => void }) => (
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
    Nothing matches your search and filters.
  </EmptyState>
)

interface ErrorProps {
  readonly error: unknown
  readonly onRetry?: () => void
  /** Sentence that states which data is safe. */
  readonly safe?: string
}

/** Error message with a note about which data is safe, and a button to try again. */
export function ErrorState({ error, onRetry, safe }: ErrorProps) {
  const status = error instanceof ApiError ? error.status : undefined
  const { pathname } = useLocation()
  // Server errors can be reported to support, because the user can't resolve them.
  const asks = useMaybeMe() !== undefined && (status === undefined || status >= 500)
  if (status === 403) return <ForbiddenState />
  return (
    <div role="alert">
      <EmptyState
        title={
          status === 404
            ? 'This record could not be found'
            : status === 0
              ? 'No connection'
              : 'This could not be loaded'
        }
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
                <Anchor component={Link} to={supportRequestPath(pathname, error)} size="sm">
                  Contact support
                </Anchor>
              )}
            </Group>
          )
        }
      >
        {status === 404 ? 'The record may have been removed, or you may not have access to it.' : errorSentence(error)}
        {safe && ` ${safe}`}
      </EmptyState>
    </div>
  )
}

interface PartFailedProps {
  readonly error: unknown
  readonly onRetry: () => unknown
}

/** Error message for one section of a page that could not be loaded, with a button to try again. */
export const SectionError = ({ error, onRetry }: PartFailedProps) => (
  <Group role="alert">
    <Text>{errorSentence(error)}</Text>
    <Button variant="default" onClick={() => void onRetry()}>
      Retry
    </Button>
  </Group>
)

export const ForbiddenState = ({ children }: { readonly children?: ReactNode }) => (
  <EmptyState title="You do not have access to this" icon={IconLock}>
    {children ?? 'If you need access for your work, ask your company’s administrator.'}
  </EmptyState>
)

/** Grey rows in the shape of the expected content. */
export const LoadingRows = ({ rows = 8, height = 44 }: { readonly rows?: number; readonly height?: number }) => (
  <div role="status" aria-label="Loading" className={css.rows}>
    {Array.from({ length: rows }, (_, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
      <Skeleton key={i} height={height - 12} radius="sm" />
    ))}
  </div>
)

/** Notice shown while offline, with the consequences for the current work. */
export function OfflineNotice({ children }: { readonly children?: ReactNode }) {
  const { online } = useNetwork()
  const { pathname } = useLocation()
  const cachedPage = useCachedPage(pathname)
  // The banner above a cached page already shows that there is no connection.
  if (online || cachedPage) return null
  return <OfflineBanner>{children}</OfflineBanner>
}

export const OfflineBanner = ({ children }: { readonly children?: ReactNode }) => (
  <div className={css.offline} role="status">
    <IconCloudOff size={18} aria-hidden />
    <span>
      {children ??
        'No connection. What you see may be out of date. Notes, calls, signatures and files that you save are stored on this device and sent when the connection is back.'}
    </span>
  </div>
)
