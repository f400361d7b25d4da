import { useMutation, useQueryClient } from '@tanstack/react-query'
import { iriOf, type RecordOf } from '#kernel/resource.ts'
import { type Actor, hasRole } from '#kernel/roles.ts'
import { isSameName } from '#kernel/signature.ts'
import { SIGN_FOR_OTHERS } from '#modules/documents/rights.ts'
import { ApiError, call } from '#web/api/client.ts'
import { useList } from '#web/api/resources.ts'
import { attendee, presentedTalk, talkCorrection } from './toolbox-talk.ts'

/** Somebody on the list of a talk, as lists have them: without what they drew. */
export type Attendee = Omit<RecordOf<typeof attendee>, 'strokes'>
/** A record without its people, who are read by themselves. */
export type Presented = Omit<RecordOf<typeof presentedTalk>, 'attendees' | 'corrections'>

/** Milliseconds after which the people are asked for again: others sign on their own devices. */
const AGAIN = 4000

export function usePresented(slug: string | undefined) {
  const found = useList(presentedTalk, { id: slug }, { enabled: slug !== undefined, refetchInterval: AGAIN })
  const record: Presented | undefined = found.data?.['hydra:member'][0]
  const missing = found.data && !record ? new ApiError(404, 'This record is not there.') : undefined
  return { record, error: found.error ?? missing, refetch: found.refetch }
}

/** Everybody on the list, and whoever signs elsewhere meanwhile. */
export const usePeople = (id: number) =>
  useList(attendee, { presented: iriOf(presentedTalk, id), pagination: false }, { refetchInterval: AGAIN })

/** Who is to sign: by their row, or somebody who was not named. */
export interface Signer extends Pick<Attendee, 'name' | 'user' | 'visitor'> {
  readonly '@id'?: string
  readonly absence?: string | null
}

export type Way = 'own' | 'visitor' | 'behalf'

/**
 * How somebody could sign for one who is named; `undefined` where that is not theirs to do. Who was absent, or signs late, signs for
 * themselves.
 */
export function signingOf(actor: Actor, person: Signer, late: boolean): Way | undefined {
  const { name, user, visitor } = person
  if (actor.original) return undefined
  if (user === actor.userId || (!user && isSameName(name, actor.name))) return 'own'
  return visitor ? 'visitor' : maySignFor(actor, person, late) ? 'behalf' : undefined
}

/** Whether somebody may sign for another: by the right to, for one who is there, while the record is open. */
export const maySignFor = (actor: Actor, { absence }: Signer, late: boolean): boolean =>
  !late && !absence && hasRole(actor, SIGN_FOR_OTHERS)

/** Reads a record and its people again. */
export function useRefreshed() {
  const queries = useQueryClient()
  return () =>
    Promise.all(
      [presentedTalk, attendee, talkCorrection].map((r) => queries.invalidateQueries({ queryKey: [r.url, 'list'] })),
    )
}

/** Changes what is said of the occasion, or closes the record. */
export function useChange(id: number) {
  const refreshed = useRefreshed()
  return useMutation({
    mutationFn: (values: Readonly<Record<string, unknown>>) => call<unknown>('PUT', iriOf(presentedTalk, id), values),
    onSuccess: refreshed,
  })
}

/** Does one thing to the people of a record: names some, marks one as absent, strikes one off. */
export function usePeopleDoor(id: number) {
  const refreshed = useRefreshed()
  return async (door: 'people' | 'absent' | 'strike', body: Readonly<Record<string, unknown>>) => {
    try {
      await call<unknown>('POST', `${iriOf(presentedTalk, id)}/${door}`, body)
    } finally {
      // Refused, too: somebody else was quicker, and the list says so.
      await refreshed()
    }
  }
}
