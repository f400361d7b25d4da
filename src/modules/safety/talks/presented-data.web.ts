import { useMutation, useQueryClient } from '@tanstack/react-query'
import { iriOf, type RecordOf } from '#kernel/resource.ts'
import { type Actor, hasRole } from '#kernel/roles.ts'
import { isSameName } from '#kernel/signature.ts'
import { PROXY_SIGNERS } from '#modules/documents/rights.ts'
import { ApiError, callApi } from '#web/api/client.ts'
import { useList } from '#web/api/resources.ts'
import { presentedTalk, talkAttendee, talkCorrection } from './toolbox-talk.ts'

/** Attendee as in lists, without the drawn signature. */
export type ListedAttendee = Omit<RecordOf<typeof talkAttendee>, 'strokes'>

/** Record without its attendees, who are loaded separately. */
export type PresentedTalkRecord = Omit<RecordOf<typeof presentedTalk>, 'attendees' | 'corrections'>

/** Refetch interval of attendees in milliseconds, as others sign on their own devices. */
const AGAIN = 4000

export function usePresentedTalk(slug: string | undefined) {
  const found = useList(presentedTalk, { id: slug }, { enabled: slug !== undefined, refetchInterval: AGAIN })
  const record: PresentedTalkRecord | undefined = found.data?.['hydra:member'][0]
  const missing = found.data && !record ? new ApiError(404, 'This record does not exist.') : undefined
  return { record, error: found.error ?? missing, refetch: found.refetch }
}

/** All attendees, refetched while others sign elsewhere. */
export const useAttendees = (id: number) =>
  useList(talkAttendee, { presented: iriOf(presentedTalk, id), pagination: false }, { refetchInterval: AGAIN })

/** Person about to sign: listed by row, or unlisted. */
export interface TalkSigner extends Pick<ListedAttendee, 'name' | 'user' | 'visitor'> {
  readonly '@id'?: string
  readonly absence?: string | null
}

type AttendeeSigningMethod = 'own' | 'visitor' | 'behalf'

/**
 * Returns how the user may sign for a listed person; `undefined` if not at all. Absent people and late signatories sign
 * for themselves.
 */
export function signingMethodFor(actor: Actor, person: TalkSigner, late: boolean): AttendeeSigningMethod | undefined {
  const { name, user, visitor } = person
  if (actor.original) return undefined
  if (user === actor.userId || (!user && isSameName(name, actor.name))) return 'own'
  return visitor ? 'visitor' : maySignOnBehalf(actor, person, late) ? 'behalf' : undefined
}

/** True if the user has permission to sign for others, the person is present and the record open. */
export const maySignOnBehalf = (actor: Actor, { absence }: TalkSigner, late: boolean): boolean =>
  !late && !absence && hasRole(actor, PROXY_SIGNERS)

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

/** Adds, marks absent or removes attendees. */
export function useAttendeeActions(id: number) {
  const refreshed = useRefetchTalkRecord()
  return async (door: 'people' | 'absent' | 'strike', body: Readonly<Record<string, unknown>>) => {
    try {
      await callApi<unknown>('POST', `${iriOf(presentedTalk, id)}/${door}`, body)
    } finally {
      // Also after a refusal, as someone else may have changed the list first.
      await refreshed()
    }
  }
}
