import { queryOptions, useQuery } from '@tanstack/react-query'
import { type Collection, call, queryString } from '#web/api/client.ts'
import { hazard, hazardControl } from '../library/hazard.ts'
import type { Ranked } from '../library/ranking.ts'
import type { GridHazard, NewControl } from './grid.ts'

/** A library hazard as offered to a document. */
export interface OfferedHazard extends Ranked {
  readonly '@id': string
}
export interface OfferedControl {
  readonly '@id': string
  readonly name: string
  readonly description: string
  readonly tier: string
}

/** Converts a library control to a new control of the document. */
export const fromOfferedControl = (c: OfferedControl): NewControl => ({
  name: c.name,
  tier: c.tier,
  control: c['@id'],
  description: c.description,
})

const HAZARDS = `${hazard.url}/component_hazards_list`
const CONTROLS = `${hazardControl.url}/component_controls_list`

const offer = <T>(url: string, params: Record<string, string>) =>
  queryOptions({
    queryKey: [url, params] as const,
    queryFn: ({ signal }) => call<Collection<T>>('GET', `${url}${queryString(params)}`, undefined, { signal }),
    staleTime: 5 * 60_000,
  })

/** Library hazards, ranked for the industry of the document or company: loaded once and searched on the client. */
export const useOfferedHazards = (industry = 'own') =>
  useQuery(offer<OfferedHazard>(HAZARDS, { industry })).data?.['hydra:member']

/** Query for a hazard's library controls, most effective kind first. */
export const controlsOffer = (hazard: string) => offer<OfferedControl>(CONTROLS, { hazard })

const NONE: readonly OfferedControl[] = []

/** Library controls of a hazard that the document does not have yet. */
export function useOfferedControls(hazard: GridHazard): readonly OfferedControl[] {
  const of = hazard.head.hazard
  const found = useQuery({ ...controlsOffer(of ?? ''), enabled: Boolean(of) }).data?.['hydra:member'] ?? NONE
  return freeOf(hazard, found)
}

export const freeOf = ({ controls }: GridHazard, offered: readonly OfferedControl[]): OfferedControl[] =>
  offered.filter(
    (o) => !controls.some((c) => c.control === o['@id'] || c.controlName?.toLowerCase() === o.name.toLowerCase()),
  )

export const wordsOf = (typed: string): string[] => typed.toLowerCase().split(/\s+/).filter(Boolean)
