import { type InfiniteData, useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { callApi } from '../../api/client.ts'
import { queryClient } from '../../api/query.ts'
import { toast } from '../../ui/toast.ts'
import { INBOX_URL, NOTIFICATIONS_URL } from './summary.ts'

/** A notification as returned by the API. */
export interface InboxNotification {
  readonly '@id': string
  readonly id: number
  readonly icon: string
  readonly words: string
  readonly path: string
  /** Record that the notification is about. */
  readonly about: string
  readonly since: string
  readonly read: boolean
  /** True if nothing is left to do. */
  readonly ended: boolean
}

interface Page {
  readonly 'hydra:member': readonly InboxNotification[]
  readonly 'hydra:view'?: { readonly 'hydra:next'?: string }
}

/** Loads the user's notifications page by page, newest first. */
export const useInbox = (unread: boolean) =>
  useInfiniteQuery({
    queryKey: [INBOX_URL, { unread }],
    queryFn: ({ signal, pageParam }) => callApi<Page>('GET', pageParam, undefined, { signal }),
    initialPageParam: `${INBOX_URL}${unread ? '?unread=true' : ''}`,
    getNextPageParam: (last) => last['hydra:view']?.['hydra:next'],
    staleTime: 0,
  })

/** Marks a notification as read or unread: shown immediately, undone if rejected. */
export const useMarkNotification = () =>
  useMutation({
    mutationFn: ({ notice, read }: { notice: InboxNotification; read: boolean }) =>
      callApi('POST', `${notice['@id']}/${read ? 'read' : 'unread'}`, undefined, { lasting: true, byItself: true }),
    onMutate: ({ notice, read }) => show((one) => (one.id === notice.id ? { ...one, read } : one)),
    onError: (e) => toast.failed(e),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [INBOX_URL] }),
  })

export const useMarkAllRead = () =>
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
