import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Collection, callApi, type QueryParams, queryString } from '#web/api/client.ts'
import { listQueryOptions } from '#web/api/resources.ts'
import { riskIndustry } from '../industry.ts'
import { hazard, hazardControl, hazardGroup } from './hazard.ts'
import type { RankedHazard } from './ranking.ts'

interface Offered {
  readonly '@id': string
  readonly id: number
  readonly name: string
  /** IRI of the client that owns the record. Client 0 owns the templates. */
  readonly client: string
}
export interface LibraryHazard extends Offered, RankedHazard {
  readonly group: { readonly '@id': string; readonly id: number; readonly name: string }
  readonly industries: readonly string[]
}
export interface LibraryControl extends Offered {
  readonly hazard: string
  readonly description: string
  readonly tier: string
}
export interface LibraryHazardGroup extends Offered {
  readonly hazards: number
}

const HAZARDS = `${hazard.url}/component_hazards_list`
const CONTROLS = `${hazardControl.url}/component_controls_list`
const GROUPS = `${hazardGroup.url}/component_group_list`

const useOffer = <T>(url: string, params: QueryParams, enabled = true) =>
  useQuery({
    queryKey: [url, params] as const,
    queryFn: ({ signal }) => callApi<Collection<T>>('GET', `${url}${queryString(params)}`, undefined, { signal }),
    select: (list) => list['hydra:member'],
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    enabled,
  })

/**
 * Fetches the hazards to choose from, both the company's own and templates, by group. Hazards of the given industry
 * come first.
 */
export const useLibraryHazards = (params: { industry: string | null; q: string }) =>
  useOffer<LibraryHazard>(HAZARDS, params)

/** Fetches a hazard's controls, most effective kind first. */
export function useLibraryControls(of: string | undefined) {
  const found = useOffer<LibraryControl>(CONTROLS, { hazard: of }, of !== undefined)
  // Hides the previous hazard's controls while the next hazard's controls load.
  return { ...found, data: found.data?.every((k) => k.hazard === of) ? found.data : undefined }
}

export const useLibraryGroups = (industry: string | null) => useOffer<LibraryHazardGroup>(GROUPS, { industry })

/** Fetches the industries, sorted by name, once for all components. */
export const useIndustries = () =>
  useQuery({
    ...listQueryOptions(riskIndustry, { retired: false, pagination: false }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Returns a function that refetches the library's hazards, controls and groups. */
export function useRefetchLibrary() {
  const client = useQueryClient()
  return () => Promise.all([HAZARDS, CONTROLS, GROUPS].map((url) => client.invalidateQueries({ queryKey: [url] })))
}

/** Returns the mutation that copies a template hazard with its controls to the company's library. */
export function useCopyHazard() {
  const refresh = useRefetchLibrary()
  return useMutation({
    mutationFn: (iri: string) => callApi<LibraryHazard>('POST', `${iri}/copy`),
    onSuccess: refresh,
  })
}
