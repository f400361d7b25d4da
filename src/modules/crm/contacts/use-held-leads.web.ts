import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { callApi, queryString } from '#web/api/client.ts'
import { type ColleagueLeadLease, contact, type LastNoteTime, LEASED_LEADS_URL } from './contact.ts'

/** Poll interval in milliseconds. Leases are polled because colleagues lease and release leads all the time. */
const LOOK_MS = 30_000

interface Beside {
  readonly held: readonly ColleagueLeadLease[]
  readonly noted: readonly LastNoteTime[]
}

/**
 * Returns the leases and note times of the listed leads, fetched in one request. While the request is in progress,
 * `data` contains the previously listed leads' data, and `isPlaceholderData` is true.
 */
function useBeside(ids: readonly number[]): {
  readonly data?: Beside | undefined
  readonly isPlaceholderData: boolean
} {
  const leads = ids.join(',')
  return useQuery({
    queryKey: [contact.url, 'held', leads],
    queryFn: ({ signal }) =>
      callApi<Beside>('GET', `${LEASED_LEADS_URL}${queryString({ leads })}`, undefined, { signal }),
    enabled: ids.length > 0,
    refetchInterval: LOOK_MS,
    placeholderData: keepPreviousData,
  })
}

/**
 * Returns a function that returns the time of a lead's last note in Unix seconds: `null` if it has no note, `undefined`
 * until the server has answered.
 */
export function useLastNoteTimes(ids: readonly number[]): (leadId: number) => number | null | undefined {
  const { data, isPlaceholderData } = useBeside(ids)
  const times = new Map(data?.noted.map(({ id, at }) => [id, at]))
  return (leadId) => times.get(leadId) ?? (data && !isPlaceholderData ? null : undefined)
}

/**
 * Returns a function that returns the reason why one of these leads can't be called at the moment, or `undefined` if
 * the lead can be called.
 */
export function useCallBlockReason(ids: readonly number[]): (lead: { readonly id: number }) => string | undefined {
  const { data } = useBeside(ids)
  const names = new Map(data?.held.map(({ id, by }) => [id, by]))
  return ({ id }) => {
    const by = names.get(id)
    return by && describeLeadInUse(by)
  }
}

/** Returns the name of the colleague who has leased this lead, if any. */
export const useColleagueLease = (id: number, enabled: boolean): string | undefined =>
  useBeside(enabled ? [id] : []).data?.held.find((lease) => lease.id === id)?.by

export const describeLeadInUse = (by: string): string => `${by} is working this lead`
