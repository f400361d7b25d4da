import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { RecordOf } from '#kernel/resource.ts'
import { formatInteger } from '#kernel/text.ts'
import { ApiError, callApi } from '#web/api/client.ts'
import { session } from '#web/api/session.ts'
import { contact } from '../contacts/contact.ts'
import { importBatch } from '../contacts/import-batch.ts'
import type { ColumnMapping } from './columns.ts'
import { importLine } from './line.ts'

/** A reason why rows were not added, and the number of these rows. */
interface ImportReason {
  readonly outcome: string
  readonly reason: string
  readonly rows: number
}

export type LeadImportRecord = RecordOf<typeof importBatch> & {
  readonly columns: readonly string[]
  readonly sample: readonly (readonly string[])[]
  readonly mapping: ColumnMapping
  readonly report: readonly ImportReason[]
  readonly settings: {
    readonly duplicates?: 'skip' | 'fill' | 'replace' | 'add'
    readonly owners?: readonly number[]
    readonly cameFrom?: number | null
  }
}

export const isImportInProgress = (b: Pick<LeadImportRecord, 'state'> | undefined): boolean =>
  b?.state === 'running' || b?.state === 'undoing'

const POLL = 700

/** Returns the query for an import, which is polled while the import is being processed. */
export const leadImportQueryOptions = (id: string) =>
  queryOptions({
    queryKey: [importBatch.url, 'one', id] as const,
    queryFn: ({ signal }) => callApi<LeadImportRecord>('GET', `${importBatch.url}/${id}`, undefined, { signal }),
    refetchInterval: (query) => (isImportInProgress(query.state.data) ? POLL : false),
  })

export const refreshAfterImport = (queries: QueryClient) =>
  Promise.all(
    [contact.url, importBatch.url, importLine.url].map((url) =>
      queries.invalidateQueries({ queryKey: [url, ...(url === importBatch.url ? ['list'] : [])] }),
    ),
  )

/** Uploads a file and returns the new import, which has not been started yet. */
export const uploadImportFile = (file: File, signal: AbortSignal): Promise<LeadImportRecord> => {
  const form = new FormData()
  form.append('file', file)
  return callApi<LeadImportRecord>('POST', importBatch.url, form, { signal })
}

/** Returns a mutation that starts, stops or undoes an import. */
export function useImportAction(id: number) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ verb, body = {} }: { verb: 'start' | 'cancel' | 'undo'; body?: Record<string, unknown> }) =>
      callApi<LeadImportRecord>('POST', `${importBatch.url}/${id}/${verb}`, body),
    onSuccess: (batch) => {
      queries.setQueryData(leadImportQueryOptions(String(id)).queryKey, batch)
      return queries.invalidateQueries({ queryKey: [importBatch.url, 'list'] })
    },
  })
}

/** Downloads the full report on an import. Throws an ApiError on failure. */
export async function downloadImportReport(batch: LeadImportRecord): Promise<void> {
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

export const formatCount = (n: number | null | undefined): string => formatInteger(n ?? 0)
