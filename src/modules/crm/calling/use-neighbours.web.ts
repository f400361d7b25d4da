import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Collection } from '#web/api/client.ts'
import { type LeadRecord, leadsQueryOptions } from '../contacts/data.web.ts'
import { LEADS_PAGE_SIZE, parseLeadListState, serialiseLeadListState } from '../contacts/list-state.web.ts'
import { leadsDealtWith, useLeadListParams } from '../contacts/use-list.web.ts'

export interface NeighbourLead {
  readonly id: number
  /** Query string of the list page that contains the lead. */
  readonly from: string
}

/**
 * Returns the previous and next leads in the list from which the lead was opened, including those on adjacent pages.
 */
export function useNeighbourLeads(id: number, from: string | undefined) {
  const queries = useQueryClient()
  const { state, params } = useLeadListParams(from ?? '')
  // List query as it was when the lead was opened, so that later changes to the filters don't change the previous and
  // next leads.
  const [asked] = useState(params)
  const page = (n: number) => leadsQueryOptions({ ...asked, page: n, itemsPerPage: LEADS_PAGE_SIZE })
  const list = useQuery({ ...page(state.page), enabled: from !== undefined, staleTime: 5 * 60_000 }).data
  const rows = list?.['hydra:member'] ?? []
  const at = rows.findIndex((l) => l.id === id)
  const before = at > 0 ? rows[at - 1] : undefined
  const after = rows.find((l, i) => i > at && !leadsDealtWith.has(l.id))
  const last = Math.ceil((list?.['hydra:totalItems'] ?? 0) / LEADS_PAGE_SIZE)

  const over = async (by: 1 | -1): Promise<NeighbourLead | undefined> => {
    const n = state.page + by
    if (n < 1 || n > last || at < 0) return undefined
    const other: Collection<LeadRecord> = await queries.ensureQueryData(page(n))
    const lead = other['hydra:member'].at(by > 0 ? 0 : -1)
    return (
      lead && {
        id: lead.id,
        from: serialiseLeadListState({ ...parseLeadListState(new URLSearchParams(from)), page: n }),
      }
    )
  }
  const near = (lead: LeadRecord | undefined) => lead && from !== undefined && { id: lead.id, from }
  return {
    following: after?.id,
    place:
      at < 0 ? undefined : { at: (state.page - 1) * LEADS_PAGE_SIZE + at + 1, of: list?.['hydra:totalItems'] ?? 0 },
    before: async () => near(before) || over(-1),
    after: async () => near(after) || over(1),
    hasBefore: before !== undefined || (at === 0 && state.page > 1),
    hasAfter: after !== undefined || (at >= 0 && state.page < last),
  }
}
