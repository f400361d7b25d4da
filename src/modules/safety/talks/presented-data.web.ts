import { useMutation, useQueryClient } from '@tanstack/react-query'
import { iriOf, type RecordOf } from '#kernel/resource.ts'
import { type Actor, hasRole } from '#kernel/roles.ts'
import { isSamePersonName } from '#kernel/signature.ts'
import { PROXY_SIGNER_ROLES } from '#modules/documents/rights.ts'
import { ApiError, callApi } from '#web/api/client.ts'
import { useList } from '#web/api/resources.ts'
import { presentedTalk, talkAttendee, talkCorrection } from './toolbox-talk.ts'

/** Attendee as returned in lists, which omit the signature drawing. */
export type ListedAttendee = Omit<RecordOf<typeof talkAttendee>, 'strokes'>

/** Record without its attendees and corrections, which are loaded separately. */
export type PresentedTalkRecord = Omit<RecordOf<typeof presentedTalk>, 'attendees' | 'corrections'>

/** Interval in milliseconds at which attendees are refetched, because people sign on their own devices. */
const AGAIN = 4000

export function usePresentedTalk(slug: string | undefined) {
  const found = useList(presentedTalk, { id: slug }, { enabled: slug !== undefined, refetchInterval: AGAIN })
  const record: PresentedTalkRecord | undefined = found.data?.['hydra:member'][0]
  const missing = found.data && !record ? new ApiError(404, 'This record does not exist.') : undefined
  return { record, error: found.error ?? missing, refetch: found.refetch }
}

/** Fetches all attendees, and refetches them regularly because people sign on other devices. */
export const useAttendees = (id: number) =>
  useList(talkAttendee, { presented: iriOf(presentedTalk, id), pagination: false }, { refetchInterval: AGAIN })

/** Person who is about to sign. `@id` is the person's row; undefined if the person is not listed. */
export interface TalkSigner extends Pick<ListedAttendee, 'name' | 'user' | 'visitor'> {
  readonly '@id'?: string
  readonly absence?: string | null
  readonly company?: string
  readonly trade?: string
}

type AttendeeSigningMethod = 'own' | 'visitor' | 'device' | 'behalf'

/**
 * Returns how a listed person can sign on this device: under the user's own account, as a visitor, or by hand on the
 * device of the person who manages the open record (`keeps`). Returns undefined if the person can't.
 */
export function signingMethodFor(
  actor: Actor,
  person: TalkSigner,
  { late, keeps }: { readonly late: boolean; readonly keeps: boolean },
): AttendeeSigningMethod | undefined {
  const { name, user, visitor } = person
  if (actor.original) return undefined
  if (user === actor.userId || (!user && isSamePersonName(name, actor.name))) return 'own'
  if (visitor) return 'visitor'
  if (keeps && !late && user) return 'device'
  return canSignOnBehalf(actor, person, late) ? 'behalf' : undefined
}

/** Returns true if the user may sign on behalf of others, the person is present and the record is open. */
export const canSignOnBehalf = (actor: Actor, { absence }: TalkSigner, late: boolean): boolean =>
  !late && !absence && hasRole(actor, PROXY_SIGNER_ROLES)

export function useRefetchTalkRecord() {
  const queries = useQueryClient()
  return () =>
    Promise.all(
      [presentedTalk, talkAttendee, talkCorrection].map((r) =>
        queries.invalidateQueries({ queryKey: [r.url, 'list'] }),
      ),
    )
}

export function useUpdateTalkRecord(id: number) {
  const refreshed = useRefetchTalkRecord()
  return useMutation({
    mutationFn: (values: Readonly<Record<string, unknown>>) =>
      callApi<unknown>('PUT', iriOf(presentedTalk, id), values),
    onSuccess: refreshed,
  })
}

/** Returns a function that adds attendees (`people`), marks one as absent (`absent`) or removes one (`strike`). */
export function useAttendeeActions(id: number) {
  const refreshed = useRefetchTalkRecord()
  return async (door: 'people' | 'absent' | 'strike', body: Readonly<Record<string, unknown>>) => {
    try {
      await callApi<unknown>('POST', `${iriOf(presentedTalk, id)}/${door}`, body)
    } finally {
      // Also refetches after an error, because someone else may have changed the list.
      await refreshed()
    }
  }
}
