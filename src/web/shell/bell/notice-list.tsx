import { Button } from '@mantine/core'
import { IconCircle, IconCircleFilled } from '@tabler/icons-react'
import { type InfiniteData, useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Link } from 'react-router'
import { callApi } from '../../api/client.ts'
import { queryClient } from '../../api/query.ts'
import type { Me } from '../../api/session.ts'
import { RelativeTimeText } from '../../dates/relative.tsx'
import { NamedIcon } from '../../ui/icons.ts'
import { EmptyState, LoadingRows, SectionError } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import css from './notice-list.module.css'
import { INBOX_URL, NOTIFICATIONS_URL, useNotificationSummary } from './summary.ts'

/** A notification as returned by the API. */
export interface InboxNotification {
  readonly '@id': string
  readonly id: number
  readonly kind: string
  readonly icon: string
  readonly words: string
  readonly path: string
  /** IRI of the record that the notification is about. */
  readonly about: string
  readonly since: string
  readonly read: boolean
  /** Whether nothing is left for the user to do. */
  readonly ended: boolean
}

interface Page {
  readonly 'hydra:member': readonly InboxNotification[]
  readonly 'hydra:view'?: { readonly 'hydra:next'?: string }
}

/** Loads the user's notifications page by page, newest first. */
const useInbox = (unread: boolean) =>
  useInfiniteQuery({
    queryKey: [INBOX_URL, { unread }],
    queryFn: ({ signal, pageParam }) => callApi<Page>('GET', pageParam, undefined, { signal }),
    initialPageParam: `${INBOX_URL}${unread ? '?unread=true' : ''}`,
    getNextPageParam: (last) => last['hydra:view']?.['hydra:next'],
    staleTime: 0,
  })

/**
 * Returns a mutation that marks a notification as read or unread. The change is shown immediately, and undone if the
 * server rejects it.
 */
const useMarkNotification = () =>
  useMutation({
    mutationFn: ({ notice, read }: { notice: InboxNotification; read: boolean }) =>
      callApi('POST', `${notice['@id']}/${read ? 'read' : 'unread'}`, undefined, { lasting: true, byItself: true }),
    onMutate: ({ notice, read }) => show((one) => (one.id === notice.id ? { ...one, read } : one)),
    onError: (e) => toast.failed(e),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [INBOX_URL] }),
  })

const useMarkAllRead = () =>
  useMutation({
    mutationFn: () => callApi('POST', `${NOTIFICATIONS_URL}/read_all`),
    onMutate: () => show((one) => ({ ...one, read: true })),
    onError: (e) => toast.failed(e),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [INBOX_URL] }),
  })

function show(change: (one: InboxNotification) => InboxNotification): void {
  queryClient.setQueriesData<InfiniteData<Page>>(
    { queryKey: [INBOX_URL] },
    (known) =>
      known && {
        ...known,
        pages: known.pages.map((page) => ({ ...page, 'hydra:member': page['hydra:member'].map(change) })),
      },
  )
}

interface Props {
  readonly me: Me
  readonly unread?: boolean
  /** Maximum number of notifications. If not set, they are shown page by page. */
  readonly most?: number
  /** Called when a notification is opened. */
  readonly onGo?: () => void
}

/** List of notifications, newest first. Opening a notification marks it as read, except while impersonating. */
export function NotificationList({ me, unread = false, most, onGo }: Props) {
  const inbox = useInbox(unread)
  const all = inbox.data?.pages.flatMap((page) => page['hydra:member']) ?? []
  if (inbox.isPending) return <LoadingRows rows={3} height={52} />
  if (inbox.error && !inbox.data) return <SectionError error={inbox.error} onRetry={() => void inbox.refetch()} />
  if (!all.length)
    return (
      <EmptyState title={unread ? 'No unread notifications' : 'No notifications yet'}>
        Your tasks and news appear here.
      </EmptyState>
    )
  return (
    <>
      <ul className={css.list} aria-label="Notifications">
        {all.slice(0, most).map((notice) => (
          <One key={notice.id} notice={notice} marks={!me.isImpersonating} onGo={onGo} />
        ))}
      </ul>
      {most === undefined && inbox.hasNextPage && (
        <Button variant="default" loading={inbox.isFetchingNextPage} onClick={() => void inbox.fetchNextPage()}>
          Show more
        </Button>
      )}
    </>
  )
}

function One({ notice, marks, onGo }: { notice: InboxNotification; marks: boolean; onGo: (() => void) | undefined }) {
  const mark = useMarkNotification()
  const { words, path, icon, since, read, ended } = notice
  return (
    <li className={css.one} data-unread={!read}>
      <Link
        className={css.go}
        to={path}
        onClick={() => {
          if (marks && !read) mark.mutate({ notice, read: true })
          onGo?.()
        }}
      >
        <NamedIcon name={icon} size={20} stroke={1.75} aria-hidden />
        <span className={css.words}>
          {words}
          <small>
            <RelativeTimeText at={since} />
            {ended && ', done'}
          </small>
        </span>
      </Link>
      {marks && (
        <button
          type="button"
          className={css.mark}
          aria-label={`${read ? 'Mark as unread' : 'Mark as read'}: ${words}`}
          title={read ? 'Mark as unread' : 'Mark as read'}
          onClick={() => mark.mutate({ notice, read: !read })}
        >
          {read ? <IconCircle size={14} aria-hidden /> : <IconCircleFilled size={14} aria-hidden />}
        </button>
      )}
    </li>
  )
}

/** Button that marks all notifications as read. Hidden if there are no unread notifications, or while impersonating. */
export function MarkAllReadButton({ me }: { readonly me: Me }) {
  const { unread } = useNotificationSummary()
  const readAll = useMarkAllRead()
  if (me.isImpersonating) return null
  // The button's space is reserved, so that the page does not move when the count arrives.
  const visibility = unread ? 'visible' : 'hidden'
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      className={css.all ?? ''}
      style={{ visibility }}
      onClick={() => readAll.mutate()}
    >
      Mark all as read
    </Button>
  )
}
