import { useMemo } from 'react'
import type { Values } from '#kernel/forms/visible.ts'
import type { Actor } from '#kernel/roles.ts'
import { isSamePersonName } from '#kernel/signature.ts'
import { type PotentialSignatory, usePotentialSignatories } from '#modules/documents/signoff/people.web.ts'
import { ApiError } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { useList } from '#web/api/resources.ts'
import { useStoredRequests } from '#web/offline/outbox/outbox.ts'
import {
  addressesInAnswer,
  isDeliveredForOthers,
  placeholderForRequest,
  type QueuedRequest,
  requestKeyIn,
} from '#web/offline/requests.ts'
import { isOutstanding } from '../attendance/attendance-text.ts'
import { type ListedAttendee, type PresentedTalkRecord, REFETCH_MS } from './presented-data.web.ts'
import { presentedTalk, talkAttendee } from './toolbox-talk.ts'

type Door = 'people' | 'sign' | 'absent'

/** Attendee as shown on this device, with the attendee's requests that are stored here and not delivered yet. */
export interface TalkRow extends ListedAttendee {
  /** Request that signs for the person or marks them as absent. */
  readonly kept?: QueuedRequest
  /** Request that adds the person to the list. */
  readonly adding?: QueuedRequest
}

/** Requests about one talk record that are stored on this device, with the IRIs that the server has assigned since. */
interface TalkRequests {
  readonly all: readonly QueuedRequest[]
  /** Returns the IRI instead of a placeholder, if the request has been delivered. */
  readonly resolve: (address: string) => string
}

const doorOf = ({ path }: QueuedRequest): string => path.slice(path.lastIndexOf('/') + 1)

/** Returns the requests about the record at this address, which is an IRI or a placeholder. */
export function talkRequestsIn(stored: readonly QueuedRequest[], record: string): TalkRequests {
  const addresses = new Map(
    stored.flatMap(({ key, arrived, shared }) => (shared ? addressesInAnswer(key, arrived) : [])),
  )
  const resolve = (address: string) => addresses.get(address) ?? address
  const own = resolve(record)
  return { resolve, all: stored.filter(({ about }) => about.some((address) => resolve(address) === own)) }
}

export function useTalkRequests(record: string): TalkRequests {
  const stored = useStoredRequests()
  return useMemo(() => talkRequestsIn(stored, record), [stored, record])
}

/** Returns the requests to list above the attendees: those that were rejected or belong to no attendee's row. */
export const requestsWithoutRow = ({ all }: TalkRequests): QueuedRequest[] =>
  all.filter(
    (request) =>
      !isDeliveredForOthers(request) && (request.refused || !['people', 'sign', 'absent'].includes(doorOf(request))),
  )

/** Returns the queued request that closes the record, unless it was rejected. */
export const closingRequestIn = ({ all }: TalkRequests): QueuedRequest | undefined =>
  all.find((request) => request.method === 'PUT' && request.body.complete === true && !request.refused)

/** Returns the queued changes of the record's own fields, by field. */
export const changedFactsIn = ({ all }: TalkRequests): Values =>
  Object.assign(
    {},
    ...all.flatMap(({ method, refused, body }) =>
      method === 'PUT' && !refused && body.complete === undefined ? [body] : [],
    ),
  ) as Values

/**
 * Returns the attendance list as shown on this device: the server's rows with the queued signatures and absences, then
 * the people whose names are queued. `company` contains the accounts with which the names are compared.
 */
export function talkRowsOnDevice(
  listed: readonly ListedAttendee[],
  { all, resolve }: TalkRequests,
  company: readonly Pick<PotentialSignatory, 'id' | 'name'>[],
): TalkRow[] {
  const waiting = all.filter((request) => !request.refused)
  const of = (...doors: readonly Door[]) => waiting.filter((request) => doors.some((door) => door === doorOf(request)))
  const there = new Set(listed.map((row) => row['@id']))
  const added = of('people').flatMap((request) =>
    (request.body.names as readonly string[]).flatMap((name, i): TalkRow[] => {
      const address = resolve(placeholderForRequest(request.key, `attendees.${i}`))
      return there.has(address)
        ? []
        : [
            {
              ...queuedRow(address, name, company),
              ...(isDeliveredForOthers(request) ? {} : { adding: request }),
            },
          ]
    }),
  )
  const kept = of('sign', 'absent')
  return [...listed, ...added].map((row) => {
    const request = kept.find(({ about }) => about.some((address) => resolve(address) === row['@id']))
    if (!request || row.signedAt) return row
    const { company: employer, trade, absence } = request.body as Partial<Record<string, string>>
    return {
      ...row,
      kept: request,
      company: employer || row.company,
      trade: trade || row.trade,
      absence: absence ?? row.absence,
    }
  })
}

/** Returns the row of a person whose name is queued. */
function queuedRow(
  address: string,
  name: string,
  company: readonly Pick<PotentialSignatory, 'id' | 'name'>[],
): ListedAttendee {
  const [account, ...others] = company.filter((one) => isSamePersonName(one.name, name))
  return {
    '@id': address,
    '@type': talkAttendee.type,
    id: 0,
    presented: '',
    position: 0,
    name,
    method: null,
    user: others.length ? null : (account?.id ?? null),
    employee: null,
    signer: null,
    byName: null,
    visitor: !account,
    signedAt: null,
    drawnAt: null,
    absence: null,
    company: '',
    trade: '',
    late: false,
    byLink: false,
    pinCheck: null,
  }
}

/** Returns true if the person has signed on this device and the signature is not delivered yet. */
export const hasSignedOnDevice = ({ kept }: TalkRow): boolean => kept !== undefined && doorOf(kept) === 'sign'

/** Returns true if the person has neither signed nor been marked as absent, on the server or on this device. */
export const isOutstandingOnDevice = (row: TalkRow): boolean => !row.kept && isOutstanding(row)

/**
 * Loads a talk's attendance list and adds the changes queued on this device. Refetches the list regularly, because
 * people also sign on other devices.
 */
export function useTalkRows(record: Pick<PresentedTalkRecord, '@id'>) {
  const presented = record['@id']
  const isQueued = requestKeyIn(presented) !== undefined
  const list = useList(
    talkAttendee,
    { presented, pagination: false },
    { refetchInterval: REFETCH_MS, enabled: !isQueued },
  )
  const requests = useTalkRequests(presented)
  const company = usePotentialSignatories().data?.['hydra:member']
  const listed = isQueued ? NOBODY : list.data?.['hydra:member']
  const rows = useMemo(() => listed && talkRowsOnDevice(listed, requests, company ?? []), [listed, requests, company])
  return { rows, requests, error: list.error, refetch: list.refetch }
}

const NOBODY: readonly ListedAttendee[] = []

/**
 * Loads a talk record by the last segment of its page's path: its ID or, while the request that creates it is queued,
 * that request's placeholder. `start` is then the request.
 */
export function usePresentedTalk(slug: string | undefined) {
  const actor = useActor()
  const stored = useStoredRequests()
  const key = slug === undefined ? undefined : requestKeyIn(slug)
  const found = useList(
    presentedTalk,
    { id: slug },
    { enabled: slug !== undefined && !key, refetchInterval: REFETCH_MS },
  )
  const start = key === undefined ? undefined : stored.find((request) => request.key === key)
  if (key !== undefined)
    return {
      record: start && queuedTalk(start, actor),
      start,
      error: start ? null : new ApiError(404, NOT_STORED),
      refetch: found.refetch,
    }
  const record: PresentedTalkRecord | undefined = found.data?.['hydra:member'][0]
  const missing = found.data && !record ? new ApiError(404, 'This record does not exist.') : undefined
  return { record, start, error: found.error ?? missing, refetch: found.refetch }
}

const NOT_STORED =
  'This record is no longer stored on this device. If it has been sent, it is listed with the presented talks.'

/** Returns the record that a queued request will create. */
function queuedTalk({ key, body, of, givenAt }: QueuedRequest, { username }: Actor): PresentedTalkRecord {
  const text = (name: string) => (typeof body[name] === 'string' ? body[name] : '')
  return {
    '@id': placeholderForRequest(key),
    '@type': presentedTalk.type,
    id: 0,
    talk: text('talk'),
    title: of ?? null,
    presenter: text('presenter'),
    presenterEmployee: null,
    presenterVisitor: false,
    place: text('place'),
    date: text('date'),
    startTime: text('startTime') || null,
    finishTime: null,
    notes: '',
    complete: false,
    lateSignatures: false,
    signed: 0,
    author: username,
    createdAt: new Date(givenAt).toISOString(),
    retired: false,
  }
}
