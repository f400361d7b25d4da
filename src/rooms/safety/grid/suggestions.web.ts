import { useQuery } from '@tanstack/react-query'
import { type Collection, call, queryString } from '#web/api/client.ts'
import { hazard, hazardControl } from '../library/hazard.ts'
import type { NewControl } from './grid.ts'

/** A hazard of the library, as its room gives it to a document. */
export interface OfferedHazard {
  readonly '@id': string
  readonly id: number
  readonly name: string
  readonly description: string
  readonly group: { readonly name: string }
}
export interface OfferedControl {
  readonly '@id': string
  readonly name: string
  readonly description: string
  readonly tier: string
}

/** A control of the library as it is added to a document, with its words. */
export const fromOfferedControl = (c: OfferedControl): NewControl => ({
  name: c.name,
  tier: c.tier,
  control: c['@id'],
  description: c.description,
})

const HAZARDS = `${hazard.url}/component_hazards_list`
const CONTROLS = `${hazardControl.url}/component_controls_list`

const useOffer = <T>(url: string, params: Record<string, string>, enabled: boolean) =>
  useQuery({
    queryKey: [url, params] as const,
    queryFn: ({ signal }) => call<Collection<T>>('GET', `${url}${queryString(params)}`, undefined, { signal }),
    select: (list) => list['hydra:member'],
    staleTime: 5 * 60_000,
    enabled,
  }).data

/** The library's hazards, those of the industry first: asked for once, and searched here while somebody types. */
export const useOfferedHazards = (industry: string | undefined) =>
  useOffer<OfferedHazard>(HAZARDS, industry ? { industry } : {}, true)

/** The controls of a hazard, best kind first. */
export const useOfferedControls = (of: string | null | undefined) =>
  useOffer<OfferedControl>(CONTROLS, { hazard: of ?? '' }, Boolean(of))

/** Those in which every word that is typed occurs, the ones that begin with it first. */
export function findOffers<T>(all: readonly T[], typed: string, textOf: (one: T) => string, most: number): T[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const found = all.filter((one) => {
    const text = textOf(one).toLowerCase()
    return words.every((w) => text.includes(w))
  })
  const begins = (one: T) =>
    textOf(one)
      .toLowerCase()
      .startsWith(words[0] ?? '')
      ? 0
      : 1
  return (words.length ? found.sort((a, b) => begins(a) - begins(b)) : found).slice(0, most)
}
