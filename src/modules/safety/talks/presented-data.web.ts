import { useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { pickValues, type Values } from '#kernel/forms/visible.ts'
import { idFromAnyIri } from '#kernel/iri.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { type Actor, hasRole } from '#kernel/roles.ts'
import { isSamePersonName } from '#kernel/signature.ts'
import { PROXY_SIGNER_ROLES } from '#modules/documents/rights.ts'
import { usePotentialSignatories } from '#modules/documents/signoff/people.web.ts'
import { document } from '#modules/documents/types/document.ts'
import { callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { listQueryOptions, recordQueryOptions, useApiRecord, useList } from '#web/api/resources.ts'
import { linkedRecordIri } from '#web/forms/values.ts'
import { sendOrQueue } from '#web/offline/outbox/outbox.ts'
import { requestKeyIn } from '#web/offline/requests.ts'
import { SIGNING_PINS_PATH, type SigningPins } from './talk-info.ts'
import { PRESENTER_ROLES, presentedTalk, talkAttendee, talkCorrection, toolboxTalk } from './toolbox-talk.ts'

/** Attendee as returned in lists, which omit the signature drawing. */
export type ListedAttendee = Omit<RecordOf<typeof talkAttendee>, 'strokes'>

/** Record without its attendees and corrections, which are loaded separately. */
export type PresentedTalkRecord = Omit<RecordOf<typeof presentedTalk>, 'attendees' | 'corrections'>

/** Interval in milliseconds at which a record and its attendees are refetched, because people sign on their own devices. */
export const REFETCH_MS = 4000

/**
 * Loads the data for presenting a talk, so that the talk can be presented without a connection: the talk and the people
 * who can be listed. `talk` is an IRI.
 */
export function useTalkForPresenting(talk: string): void {
  usePotentialSignatories()
  useSigningPins()
  useApiRecord(document, idFromAnyIri(talk))
}

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

/**
 * Loads the data with which this device can ask for signing PINs. `clockMs` is the time in milliseconds by which the
 * server's clock is ahead of the device's.
 */
export function useSigningPins() {
  const isPresenter = hasRole(useActor(), PRESENTER_ROLES)
  const { data, dataUpdatedAt } = useQuery({
    queryKey: [SIGNING_PINS_PATH],
    queryFn: ({ signal }) => callApi<SigningPins>('GET', SIGNING_PINS_PATH, undefined, { signal }),
    staleTime: 0,
    enabled: isPresenter,
  })
  return data && { ...data, clockMs: Date.parse(data.now) - dataUpdatedAt }
}

/**
 * Returns whether a person enters a PIN with their signature. `optional`: the person's name is queued, and the
 * device does not know whether they have an account. `not set`: the company requires a PIN, but the person has none.
 */
export function pinEntryFor(
  pins: Pick<SigningPins, 'required' | 'people'> | undefined,
  method: AttendeeSigningMethod | undefined,
  { '@id': row, user }: Pick<TalkSigner, '@id' | 'user'>,
): 'asked' | 'optional' | 'not set' | 'not needed' {
  if (!pins?.required) return 'not needed'
  if (method === 'visitor' && requestKeysOf(row).length) return 'optional'
  if (method !== 'device' || user === null) return 'not needed'
  return pins.people.includes(user) ? 'asked' : 'not set'
}

export function useRefetchTalkRecord() {
  const queries = useQueryClient()
  return () =>
    Promise.all([
      ...[presentedTalk, talkAttendee, talkCorrection].map((r) =>
        queries.invalidateQueries({ queryKey: [r.url, 'list'] }),
      ),
      queries.invalidateQueries({ queryKey: [SIGNING_PINS_PATH] }),
    ])
}

/** Number of open records that are stored on this device when the records are listed. */
const MAX_STORED_RECORDS = 5

/** Loads the newest open records with everything that their pages show, so that they open without a connection. */
export function useOpenTalksForPresenting(): void {
  usePotentialSignatories()
  useSigningPins()
  const params = { complete: false, retired: false, itemsPerPage: MAX_STORED_RECORDS }
  const open = useList(presentedTalk, params).data?.['hydra:member'] ?? []
  useQueries({
    queries: open.map(({ id }) => listQueryOptions(presentedTalk, { id: String(id) })),
  })
  useQueries({
    queries: open.map((record) => listQueryOptions(talkAttendee, { presented: record['@id'], pagination: false })),
  })
  const talks = [...new Set(open.flatMap(({ talk }) => idFromAnyIri(linkedRecordIri(talk)) ?? []))]
  useQueries({ queries: talks.map((id) => recordQueryOptions(document, id)) })
  useQueries({ queries: talks.map((id) => recordQueryOptions(toolboxTalk.resource, id)) })
}

/** Address and title of a talk record, for queuing the requests made on its page. */
type TalkAddress = Pick<PresentedTalkRecord, '@id' | 'title'>

/** Returns the keys of the queued requests that create the records at these addresses. */
export const requestKeysOf = (...addresses: readonly (string | undefined)[]): string[] =>
  addresses.flatMap((address) => requestKeyIn(address ?? '') ?? [])

/** Changes fields of a record or, while offline, queues the change on this device. */
export function useUpdateTalkRecord(record: PresentedTalkRecord) {
  const refreshed = useRefetchTalkRecord()
  return useMutation({
    mutationFn: ({ values, what }: { readonly values: Values; readonly what: string }) =>
      sendOrQueue<unknown>('PUT', record['@id'], values, {
        base: pickValues(
          record,
          Object.keys(values).filter((name) => name !== 'lateSignatures'),
        ),
        parts: requestKeysOf(record['@id']),
        description: { what, of: record.title ?? '', at: location.pathname, about: [record['@id']] },
      }),
    onSuccess: refreshed,
  })
}

/**
 * Returns a function that adds attendees (`people`), marks one as absent (`absent`) or removes one (`strike`). While
 * offline, the request is queued on this device.
 */
export function useAttendeeActions({ '@id': record, title }: TalkAddress) {
  const refreshed = useRefetchTalkRecord()
  return async (door: 'people' | 'absent' | 'strike', what: string, body: Values) => {
    const attendee = typeof body.attendee === 'string' ? body.attendee : undefined
    try {
      return await sendOrQueue<unknown>('POST', `${record}/${door}`, body, {
        parts: requestKeysOf(record, attendee),
        shared: door === 'people',
        description: {
          what,
          of: title ?? '',
          at: location.pathname,
          about: [record, ...(attendee ? [attendee] : [])],
        },
      })
    } finally {
      // Also refetches after an error, because someone else may have changed the list.
      await refreshed()
    }
  }
}
