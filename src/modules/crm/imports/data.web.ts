import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { RecordOf } from '#kernel/resource.ts'
import { figure } from '#kernel/text.ts'
import { ApiError, call } from '#web/api/client.ts'
import { session } from '#web/api/session.ts'
import { contact } from '../contacts/contact.ts'
import { importBatch } from '../contacts/import-batch.ts'
import { importLine } from './line.ts'
import type { Mapping } from './mapping.ts'

/** Why rows were not simply added, and how often. */
export interface Reason {
  readonly outcome: string
  readonly reason: string
  readonly rows: number
}

/** A file of leads, as the API sends it. */
export type Batch = RecordOf<typeof importBatch> & {
  readonly columns: readonly string[]
  readonly sample: readonly (readonly string[])[]
  readonly mapping: Mapping
  readonly report: readonly Reason[]
  readonly settings: {
    readonly duplicates?: 'skip' | 'add'
    readonly owners?: readonly number[]
    readonly cameFrom?: number | null
  }
}

export const isBusy = (b: Pick<Batch, 'state'> | undefined): boolean => b?.state === 'running' || b?.state === 'undoing'

const POLL = 700

/** A batch, asked for again while something is being done with it. */
export const batchOptions = (id: string) =>
  queryOptions({
    queryKey: [importBatch.url, 'one', id] as const,
    queryFn: ({ signal }) => call<Batch>('GET', `${importBatch.url}/${id}`, undefined, { signal }),
    refetchInterval: (query) => (isBusy(query.state.data) ? POLL : false),
  })

/** What a batch has done to the leads is seen everywhere. */
export const refreshAll = (queries: QueryClient) =>
  Promise.all(
    [contact.url, importBatch.url, importLine.url].map((url) =>
      queries.invalidateQueries({ queryKey: [url, ...(url === importBatch.url ? ['list'] : [])] }),
    ),
  )

/** Sends a file; what comes back is a batch that waits for its start. */
export const sendFile = (file: File, signal: AbortSignal): Promise<Batch> => {
  const form = new FormData()
  form.append('file', file)
  return call<Batch>('POST', importBatch.url, form, { signal })
}

/** Starts, stops or takes back a batch. */
export function useBatchAction(id: number) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ verb, body = {} }: { verb: 'start' | 'cancel' | 'undo'; body?: Record<string, unknown> }) =>
      call<Batch>('POST', `${importBatch.url}/${id}/${verb}`, body),
    onSuccess: (batch) => {
      queries.setQueryData(batchOptions(String(id)).queryKey, batch)
      return queries.invalidateQueries({ queryKey: [importBatch.url, 'list'] })
    },
  })
}

/** Saves the whole report as a file. */
export async function downloadReport(batch: Batch): Promise<void> {
  if (session.stale()) await session.renew().catch(() => false)
  const answer = await fetch(`${batch['@id']}/report.csv`, {
    headers: { authorization: `Bearer ${session.token()}`, accept: 'application/ld+json' },
  }).catch(() => undefined)
  if (!answer?.ok) throw new ApiError(answer?.status ?? 0, 'The report could not be fetched. Please try again.')
  const link = document.createElement('a')
  link.href = URL.createObjectURL(await answer.blob())
  link.download = `${(batch.fileName ?? 'import').replace(/\.\w+$/, '')} report.csv`
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

export const count = (n: number | null | undefined): string => figure(n ?? 0)
