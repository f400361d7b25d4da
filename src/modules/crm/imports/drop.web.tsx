import { Alert, Button, FileButton, Group, Loader, Text } from '@mantine/core'
import { IconFileSpreadsheet, IconRefresh, IconUpload } from '@tabler/icons-react'
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { RecordOf } from '#kernel/resource.ts'
import { formatInteger } from '#kernel/text.ts'
import { ApiError, callApi } from '#web/api/client.ts'
import { session } from '#web/api/session.ts'
import { errorSentence } from '#web/ui/toast.ts'
import { DropZone } from '#web/uploads/drop-zone.tsx'
import { contact } from '../contacts/contact.ts'
import { importBatch } from '../contacts/import-batch.ts'
import { importLine } from './line.ts'
import type { ColumnMapping } from './row.ts'

/** Reason why rows were not added, and their number. */
interface ImportReason {
  readonly outcome: string
  readonly reason: string
  readonly rows: number
}

/** An import as returned by the API. */
export type ImportRecord = RecordOf<typeof importBatch> & {
  readonly columns: readonly string[]
  readonly sample: readonly (readonly string[])[]
  readonly mapping: ColumnMapping
  readonly report: readonly ImportReason[]
  readonly settings: {
    readonly duplicates?: 'skip' | 'add'
    readonly owners?: readonly number[]
    readonly cameFrom?: number | null
  }
}

export const isImportBusy = (b: Pick<ImportRecord, 'state'> | undefined): boolean =>
  b?.state === 'running' || b?.state === 'undoing'

const POLL = 700

/** An import, polled while it is being processed. */
export const importOptions = (id: string) =>
  queryOptions({
    queryKey: [importBatch.url, 'one', id] as const,
    queryFn: ({ signal }) => callApi<ImportRecord>('GET', `${importBatch.url}/${id}`, undefined, { signal }),
    refetchInterval: (query) => (isImportBusy(query.state.data) ? POLL : false),
  })

/** Refreshes everything that an import may have changed. */
export const refreshAfterImport = (queries: QueryClient) =>
  Promise.all(
    [contact.url, importBatch.url, importLine.url].map((url) =>
      queries.invalidateQueries({ queryKey: [url, ...(url === importBatch.url ? ['list'] : [])] }),
    ),
  )

/** Uploads a file; returns an import that has not started. */
const uploadImportFile = (file: File, signal: AbortSignal): Promise<ImportRecord> => {
  const form = new FormData()
  form.append('file', file)
  return callApi<ImportRecord>('POST', importBatch.url, form, { signal })
}

/** Starts, stops or undoes an import. */
export function useImportAction(id: number) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ verb, body = {} }: { verb: 'start' | 'cancel' | 'undo'; body?: Record<string, unknown> }) =>
      callApi<ImportRecord>('POST', `${importBatch.url}/${id}/${verb}`, body),
    onSuccess: (batch) => {
      queries.setQueryData(importOptions(String(id)).queryKey, batch)
      return queries.invalidateQueries({ queryKey: [importBatch.url, 'list'] })
    },
  })
}

/** Downloads the full report. */
export async function downloadImportReport(batch: ImportRecord): Promise<void> {
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

const MOST = 200 * 1024 * 1024
const size = (bytes: number) =>
  bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`

/** Takes a file by drop or file picker and uploads it. A file that failed to upload stays selected. */
export function ImportFileDrop({ onSent }: { readonly onSent: (batch: ImportRecord) => void }) {
  const [file, setFile] = useState<File>()
  const [sending, setSending] = useState(false)
  const [failure, setFailure] = useState<string>()
  /** The server has not read the file yet: it can be sent again. */
  const [again, setAgain] = useState(false)
  const sent = useRef<AbortController>(undefined)

  const send = async (chosen: File) => {
    setFile(chosen)
    setFailure(undefined)
    setAgain(false)
    if (chosen.size > MOST) return setFailure('The file is larger than 200 MB. Please split it into smaller files.')
    const controller = new AbortController()
    sent.current = controller
    setSending(true)
    try {
      onSent(await uploadImportFile(chosen, controller.signal))
    } catch (e) {
      const refused = e instanceof ApiError && (e.status === 413 || e.status === 422)
      setAgain(!refused)
      if (!controller.signal.aborted)
        setFailure((e instanceof ApiError ? e.violations[0]?.message : undefined) ?? errorSentence(e))
    }
    setSending(false)
  }
  const take = ([dropped]: readonly File[]) => {
    if (dropped && !sending) void send(dropped)
  }
  return (
    <DropZone label="Choose a file" onFiles={take}>
      <IconFileSpreadsheet size={40} stroke={1.4} aria-hidden />
      {sending ? (
        <>
          <Group gap="xs" role="status">
            <Loader size="sm" aria-hidden />
            <Text>
              Uploading and checking {file?.name} ({size(file?.size ?? 0)})…
            </Text>
          </Group>
          <Button variant="default" onClick={() => sent.current?.abort()}>
            Stop
          </Button>
        </>
      ) : (
        <>
          <Text>Drop a CSV file here, or choose one.</Text>
          <Text size="sm" c="dimmed">
            Up to 100,000 rows and 200 MB. The first line holds the headings. Nothing is added yet.
          </Text>
          {failure && (
            <Alert color="red" role="alert" title={`${file?.name ?? 'The file'} was rejected`} ta="start">
              {failure}
            </Alert>
          )}
          <Group gap="sm" justify="center">
            {failure && file && again && (
              <Button leftSection={<IconRefresh size={16} aria-hidden />} onClick={() => void send(file)}>
                Retry
              </Button>
            )}
            <FileButton accept=".csv,.tsv,.txt,text/csv" onChange={(chosen) => chosen && void send(chosen)}>
              {(props) => (
                <Button
                  {...props}
                  variant={again ? 'default' : 'filled'}
                  leftSection={<IconUpload size={16} aria-hidden />}
                >
                  {failure ? 'Choose another file' : 'Choose a file'}
                </Button>
              )}
            </FileButton>
          </Group>
        </>
      )}
    </DropZone>
  )
}
