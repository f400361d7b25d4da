import { useQuery } from '@tanstack/react-query'
import { client } from '#modules/portal/clients/client.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { useList } from '#web/api/resources.ts'
import type { ColourMeaning } from '#web/theme/meaning.ts'
import {
  RESELLER_CLIENT_FIGURES_PATH,
  type ResellerClientFigures,
  SAFETY_FIGURES_PATH,
  type SafetyFigures,
  type SafetyTask,
} from './figures.ts'

/** Fetches the figures of the user's own company: documents in force and open tasks. */
export const useSafetyFigures = () =>
  useQuery({
    queryKey: [SAFETY_FIGURES_PATH],
    ...urlQueryOptions<SafetyFigures>(SAFETY_FIGURES_PATH),
    refetchOnMount: 'always',
  })

/** Fetches the open tasks of all clients of the user, who is a reseller. */
export const useResellerClientFigures = () =>
  useQuery({
    queryKey: [RESELLER_CLIENT_FIGURES_PATH],
    ...urlQueryOptions<ResellerClientFigures>(RESELLER_CLIENT_FIGURES_PATH),
    refetchOnMount: 'always',
  })

const MOST = 100

/** Fetches a reseller's first `MOST` clients and the total number of clients. Excludes the reseller's own company. */
export function useResellerClients(own: number) {
  const list = useList(client, { retired: false, itemsPerPage: MOST })
  const clients = list.data?.['hydra:member'].filter((c) => c.id !== own)
  return { clients, total: (list.data?.['hydra:totalItems'] ?? 1) - 1, error: list.error, refetch: list.refetch }
}

/** Counts a client's documents with an open task. Covers all document types unless a type is given. */
export const countClientDocumentsWithTask = (
  f: ResellerClientFigures,
  client: number,
  task: SafetyTask,
  kind?: string,
): number =>
  f.toDo.reduce(
    (n, t) => (t.client === client && t.task === task && (kind === undefined || t.kind === kind) ? n + t.documents : n),
    0,
  )

export const resellerClientPath = (id: number | string): string => `/reseller/client/${id}`

export const SAFETY_TASK_LABELS: Readonly<
  Record<SafetyTask, { readonly label: string; readonly meaning: ColourMeaning }>
> = {
  late: { label: 'Reviews overdue', meaning: 'stop' },
  soon: { label: 'Reviews due within 30 days', meaning: 'attention' },
  approve: { label: 'Awaiting approval', meaning: 'info' },
  unsigned: { label: 'Awaiting signatures', meaning: 'plain' },
}
