import { type InfiniteData, useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { queries } from '../../api/query.ts'
import { toast } from '../../ui/toast.ts'
import { INBOX, NOTICES } from './summary.ts'

/** A notification as returned by the API. */
export interface Notice {
  readonly '@id': string
  readonly id: number
  readonly icon: string
  readonly words: string
  readonly path: string
  /** Record of the notification. */
  readonly about: string
  readonly since: string
  readonly read: boolean
  /** Nothing is left to do. */
  readonly ended: boolean
}

interface Page {
  readonly 'hydra:member': readonly Notice[]
  readonly 'hydra:view'?: { readonly 'hydra:next'?: string }
}

/** Loads the user's notifications page by page, newest first. */
export const useInbox = (unread: boolean) =>
  useInfiniteQuery({
    queryKey: [INBOX, { unread }],
    queryFn: ({ signal, pageParam }) => call<Page>('GET', pageParam, undefined, { signal }),
    initialPageParam: `${INBOX}${unread ? '?unread=true' : ''}`,
    getNextPageParam: (last) => last['hydra:view']?.['hydra:next'],
    staleTime: 0,
  })

/** Marks a notification as read or unread: shown at once, undone if refused. */
export const useMark = () =>
  useMutation({
    mutationFn: ({ notice, read }: { notice: Notice; read: boolean }) =>
      call('POST', `${notice['@id']}/${read ? 'read' : 'unread'}`, undefined, { lasting: true, byItself: true }),
    onMutate: ({ notice, read }) => show((one) => (one.id === notice.id ? { ...one, read } : one)),
    onError: (e) => toast.failed(e),
    onSettled: () => queries.invalidateQueries({ queryKey: [INBOX] }),
  })

export const useReadAll = () =>
  useMutation({
    mutationFn: () => call('POST', `${NOTICES}/read_all`),
    onMutate: () => show((one) => ({ ...one, read: true })),
    onError: (e) => toast.failed(e),
    onSettled: () => queries.invalidateQueries({ queryKey: [INBOX] }),
  })

function show(change: (one: Notice) => Notice): void {
  queries.setQueriesData<InfiniteData<Page>>(
    { queryKey: [INBOX] },
    (known) =>
      known && {
        ...known,
        pages: known.pages.map((page) => ({ ...page, 'hydra:member': page['hydra:member'].map(change) })),
      },
  )
}
