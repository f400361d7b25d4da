import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { RecordOf } from '#kernel/resource.ts'
import { figure } from '#kernel/text.ts'
import { ApiError, call } from '#web/api/client.ts'
import { session } from '#web/api/session.ts'
import { contact } from '../contacts/contact.ts'
import { importBatch } from '../contacts/import-batch.ts'
import { importLine } from './line.ts'
import type { Mapping } from './mapping.ts'

/** Reason why rows were not added, and their number. */
export interface Reason {
  readonly outcome: string
  readonly reason: string
  readonly rows: number
}

/** An import as returned by the API. */
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

/** An import, polled while it is being processed. */
export const batchOptions = (id: string) =>
  queryOptions({
    queryKey: [importBatch.url, 'one', id] as const,
    queryFn: ({ signal }) => call<Batch>('GET', `${importBatch.url}/${id}`, undefined, { signal }),
    refetchInterval: (query) => (isBusy(query.state.data) ? POLL : false),
  })

/** Refreshes everything that an import may have changed. */
export const refreshAll = (queries: QueryClient) =>
  Promise.all(
    [contact.url, importBatch.url, importLine.url].map((url) =>
      queries.invalidateQueries({ queryKey: [url, ...(url === importBatch.url ? ['list'] : [])] }),
    ),
  )

/** Uploads a file; returns an import that has not started. */
export const sendFile = (file: File, signal: AbortSignal): Promise<Batch> => {
  const form = new FormData()
  form.append('file', file)
  return call<Batch>('POST', importBatch.url, form, { signal })
}

/** Starts, stops or undoes an import. */
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

/** Downloads the full report. */
export async function downloadReport(batch: Batch): Promise<void> {
  if (session.stale()) await session.renew().catch(() => false)
  const answer = await fetch(`${batch['@id']}/report.csv`, {
    headers: { authorization: `Bearer ${session.token()}`, accept: 'application/ld+json' },
  }).catch(() => undefined)
  if (!answer?.ok) throw new ApiError(answer?.status ?? 0, 'The report could not be downloaded. Please try again.')
  const link = document.createElement('a')
  link.href = URL.createObjectURL(await answer.blob())
  link.download = `${(batch.fileName ?? 'import').replace(/\.\w+$/, '')} report.csv`
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

export const count = (n: number | null | undefined): string => figure(n ?? 0)
