import { queryOptions, useQuery } from '@tanstack/react-query'
import { type Collection, callApi, queryString } from '#web/api/client.ts'
import { hazard, hazardControl } from '../library/hazard.ts'
import type { RankedHazard } from '../library/ranking.ts'
import type { GridHazard, NewControl } from './grid.ts'

/** Library hazard suggested for a document. */
export interface SuggestedHazard extends RankedHazard {
  readonly '@id': string
}

export interface SuggestedControl {
  readonly '@id': string
  readonly name: string
  readonly description: string
  readonly tier: string
}

/** Converts a library control to a new control of the document. */
export const toNewControl = (c: SuggestedControl): NewControl => ({
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
    queryFn: ({ signal }) => callApi<Collection<T>>('GET', `${url}${queryString(params)}`, undefined, { signal }),
    staleTime: 5 * 60_000,
  })

/** Library hazards, ranked for the industry of the document or company. Loaded once and searched on the client. */
export const useSuggestedHazards = (industry = 'own') =>
  useQuery(offer<SuggestedHazard>(HAZARDS, { industry })).data?.['hydra:member']

/** Query for a hazard's library controls, most effective kind first. */
export const suggestedControlsQuery = (hazard: string) => offer<SuggestedControl>(CONTROLS, { hazard })

const NONE: readonly SuggestedControl[] = []

/** Library controls of a hazard that the document does not have yet. */
export function useSuggestedControls(hazard: GridHazard): readonly SuggestedControl[] {
  const of = hazard.head.hazard
  const found = useQuery({ ...suggestedControlsQuery(of ?? ''), enabled: Boolean(of) }).data?.['hydra:member'] ?? NONE
  return unusedSuggestedControls(hazard, found)
}

export const unusedSuggestedControls = (
  { controls }: GridHazard,
  offered: readonly SuggestedControl[],
): SuggestedControl[] =>
  offered.filter(
    (o) => !controls.some((c) => c.control === o['@id'] || c.controlName?.toLowerCase() === o.name.toLowerCase()),
  )

export const splitSearchWords = (typed: string): string[] => typed.toLowerCase().split(/\s+/).filter(Boolean)
