import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call, queryString } from '#web/api/client.ts'
import { contact } from './contact.ts'
import { HELD, type Held } from './held.ts'

/** Colleagues take and give back leads all the time. */
const LOOK_MS = 30_000

/** Why a lead of these is not to be rung just now: asked for all of a list at once, beside it. */
export function useHeld(ids: readonly number[]): (lead: { readonly id: number }) => string | undefined {
  const leads = ids.join(',')
  const { data } = useQuery({
    queryKey: [contact.url, 'held', leads],
    queryFn: ({ signal }) =>
      call<{ held: readonly Held[] }>('GET', `${HELD}${queryString({ leads })}`, undefined, { signal }),
    enabled: ids.length > 0,
    refetchInterval: LOOK_MS,
    placeholderData: keepPreviousData,
  })
  const names = new Map(data?.held.map(({ id, by }) => [id, by]))
  return ({ id }) => {
    const by = names.get(id)
    return by && heldWords(by)
  }
}

export const heldWords = (by: string): string => `${by} is working this lead`
