import { useMutation, useQueryClient } from '@tanstack/react-query'
import { iriOf, type RecordOf } from '#kernel/resource.ts'
import { type Actor, hasRole } from '#kernel/roles.ts'
import { isSameName } from '#kernel/signature.ts'
import { SIGN_FOR_OTHERS } from '#modules/documents/rights.ts'
import { ApiError, call } from '#web/api/client.ts'
import { useList } from '#web/api/resources.ts'
import { attendee, presentedTalk, talkCorrection } from './toolbox-talk.ts'

/** Attendee as in lists, without the drawn signature. */
export type Attendee = Omit<RecordOf<typeof attendee>, 'strokes'>
/** Record without its attendees, who are loaded separately. */
export type Presented = Omit<RecordOf<typeof presentedTalk>, 'attendees' | 'corrections'>

/** Refetch interval of attendees in milliseconds, as others sign on their own devices. */
const AGAIN = 4000

export function usePresented(slug: string | undefined) {
  const found = useList(presentedTalk, { id: slug }, { enabled: slug !== undefined, refetchInterval: AGAIN })
  const record: Presented | undefined = found.data?.['hydra:member'][0]
  const missing = found.data && !record ? new ApiError(404, 'This record does not exist.') : undefined
  return { record, error: found.error ?? missing, refetch: found.refetch }
}

/** All attendees, refetched while others sign elsewhere. */
export const usePeople = (id: number) =>
  useList(attendee, { presented: iriOf(presentedTalk, id), pagination: false }, { refetchInterval: AGAIN })

/** Person about to sign: listed by row, or unlisted. */
export interface Signer extends Pick<Attendee, 'name' | 'user' | 'visitor'> {
  readonly '@id'?: string
  readonly absence?: string | null
}

export type Way = 'own' | 'visitor' | 'behalf'

/**
 * Returns how the user may sign for a listed person; `undefined` if not at all. Absent people and late signatories sign
 * for themselves.
 */
export function signingOf(actor: Actor, person: Signer, late: boolean): Way | undefined {
  const { name, user, visitor } = person
  if (actor.original) return undefined
  if (user === actor.userId || (!user && isSameName(name, actor.name))) return 'own'
  return visitor ? 'visitor' : maySignFor(actor, person, late) ? 'behalf' : undefined
}

/** True if the user has permission to sign for others, the person is present and the record open. */
export const maySignFor = (actor: Actor, { absence }: Signer, late: boolean): boolean =>
  !late && !absence && hasRole(actor, SIGN_FOR_OTHERS)

export function useRefreshed() {
  const queries = useQueryClient()
  return () =>
    Promise.all(
      [presentedTalk, attendee, talkCorrection].map((r) => queries.invalidateQueries({ queryKey: [r.url, 'list'] })),
    )
}

export function useChange(id: number) {
  const refreshed = useRefreshed()
  return useMutation({
    mutationFn: (values: Readonly<Record<string, unknown>>) => call<unknown>('PUT', iriOf(presentedTalk, id), values),
    onSuccess: refreshed,
  })
}

/** Adds, marks absent or removes attendees. */
export function usePeopleDoor(id: number) {
  const refreshed = useRefreshed()
  return async (door: 'people' | 'absent' | 'strike', body: Readonly<Record<string, unknown>>) => {
    try {
      await call<unknown>('POST', `${iriOf(presentedTalk, id)}/${door}`, body)
    } finally {
      // Also after a refusal, as someone else may have changed the list first.
      await refreshed()
    }
  }
}
