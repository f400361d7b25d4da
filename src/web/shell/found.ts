import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type Collection, call, type Params, queryString } from '../api/client.ts'

export interface FoundLead {
  readonly id: number
  readonly name: string | null
  readonly companyName: string | null
  readonly phone: string | null
  readonly city: string | null
}

export interface FoundClient {
  readonly id: number
  readonly company: string
  readonly city: string | null
  readonly contactname: string | null
}

const SHORTEST = 2

function useSearch<T>(url: string, params: Params, enabled: boolean) {
  const q = useQuery({
    queryKey: [url, 'search', params],
    queryFn: ({ signal }) => call<Collection<T>>('GET', `${url}${queryString(params)}`, undefined, { signal }),
    placeholderData: keepPreviousData,
    enabled,
  })
  return { rows: enabled ? (q.data?.['hydra:member'] ?? []) : [], busy: enabled && q.isFetching }
}

/** Clients whose name has these letters; the first few of all when there are none. */
export const useClients = (company: string, enabled = true) =>
  useSearch<FoundClient>('/api/portal/clients', { company, retired: false, itemsPerPage: 20, partial: true }, enabled)

/** What the palette finds on the server. */
export function useFound(asked: string, may: { leads: boolean; clients: boolean }) {
  const long = asked.length >= SHORTEST
  const leads = useSearch<FoundLead>(
    '/api/crm/contacts',
    { q: asked, itemsPerPage: 6, partial: true },
    long && may.leads,
  )
  const clients = useSearch<FoundClient>(
    '/api/portal/clients',
    { company: asked, retired: false, itemsPerPage: 4, partial: true },
    long && may.clients,
  )
  return { leads: leads.rows, clients: clients.rows, searching: leads.busy || clients.busy }
}
