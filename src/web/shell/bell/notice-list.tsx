import { Button } from '@mantine/core'
import { IconCircle, IconCircleFilled } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { Me } from '../../api/session.ts'
import { RelativeTimeText } from '../../dates/relative.tsx'
import { NamedIcon } from '../../ui/icons.ts'
import { EmptyState, LoadingRows, SectionError } from '../../ui/states.tsx'
import { type InboxNotification, useInbox, useMarkAllRead, useMarkNotification } from './inbox.ts'
import css from './notice-list.module.css'
import { useNotificationSummary } from './summary.ts'

interface Props {
  readonly me: Me
  readonly unread?: boolean
  /** Maximum notifications; if not set, they are shown page by page. */
  readonly most?: number
  /** Called when a notification is opened. */
  readonly onGo?: () => void
}

/** Notifications, newest first. Opening one marks it as read, except while impersonating. */
export function NotificationList({ me, unread = false, most, onGo }: Props) {
  const inbox = useInbox(unread)
  const all = inbox.data?.pages.flatMap((page) => page['hydra:member']) ?? []
  if (inbox.isPending) return <LoadingRows rows={3} height={52} />
  if (inbox.error && !inbox.data) return <SectionError error={inbox.error} onRetry={() => void inbox.refetch()} />
  if (!all.length)
    return (
      <EmptyState title={unread ? 'Nothing unread' : 'No notifications yet'}>
        Tasks and news for you appear here.
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

/** Button that marks all as read; hidden if nothing is unread, or while impersonating. */
export function MarkAllReadButton({ me }: { readonly me: Me }) {
  const { unread } = useNotificationSummary()
  const readAll = useMarkAllRead()
  if (me.isImpersonating || !unread) return null
  return (
    <Button variant="subtle" size="compact-sm" className={css.all ?? ''} onClick={() => readAll.mutate()}>
      Mark all as read
    </Button>
  )
}
