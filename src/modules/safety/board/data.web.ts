import { useQuery } from '@tanstack/react-query'
import { client } from '#modules/portal/clients/client.ts'
import { reading } from '#web/api/reading.ts'
import { useList } from '#web/api/resources.ts'
import { CLIENT_FIGURES, type ClientFigures, SAFETY_FIGURES, type SafetyFigures, type Task } from './figures.ts'

/** What stands and is to be done in one's own company. */
export const useSafetyFigures = () =>
  useQuery({ queryKey: [SAFETY_FIGURES], ...reading<SafetyFigures>(SAFETY_FIGURES), refetchOnMount: 'always' })

/** What is to be done at all clients that a reseller carries. */
export const useClientFigures = () =>
  useQuery({ queryKey: [CLIENT_FIGURES], ...reading<ClientFigures>(CLIENT_FIGURES), refetchOnMount: 'always' })

const MOST = 100

/** The clients that somebody carries, without their own company. */
export function useClients(own: number) {
  const list = useList(client, { retired: false, itemsPerPage: MOST })
  const clients = list.data?.['hydra:member'].filter((c) => c.id !== own)
  return { clients, total: (list.data?.['hydra:totalItems'] ?? 1) - 1, error: list.error, refetch: list.refetch }
}

/** How many documents of a client, of one kind or of all, wait for something. */
export const toDoOf = (f: ClientFigures, client: number, task: Task, kind?: string): number =>
  f.toDo.reduce(
    (n, t) => (t.client === client && t.task === task && (kind === undefined || t.kind === kind) ? n + t.documents : n),
    0,
  )

export const clientPath = (id: number | string): string => `/reseller/client/${id}`
