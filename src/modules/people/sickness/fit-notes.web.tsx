import { Button, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { can } from '#kernel/can.ts'
import { ConfidentialReadsOfRecord } from '#modules/identity/confidential-reads/of-record.web.tsx'
import { callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { invalidateLists, useList } from '#web/api/resources.ts'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { FileDrop } from '#web/uploads/file-drop.tsx'
import { UploadsProgress } from '#web/uploads/progress.tsx'
import { useFileUploads } from '#web/uploads/queue.ts'
import type { StoredFile } from '#web/uploads/send.ts'
import { UploadedFileLink } from '#web/uploads/thumb.tsx'
import css from '../people.module.css'
import { fitNote } from './fit-note.ts'

/** Fit notes of an absence, for people with the role for private details. */
export function FitNotes({ absence }: { readonly absence: string }) {
  const actor = useActor()
  const queries = useQueryClient()
  const refetch = () => invalidateLists(queries, fitNote)
  const list = useList(fitNote, { absence, retired: false, itemsPerPage: 100 })
  const { uploads, add, retry, remove } = useFileUploads<StoredFile>({
    to: `${absence}/fit_notes`,
    onDone: () => void refetch(),
  })
  const retire = async (iri: string) => {
    try {
      await callApi('PUT', iri, { retired: true })
    } catch (e) {
      toast.failed(e)
    }
    await refetch()
  }
  const files = list.data?.['hydra:member']
  return (
    <section aria-labelledby="fit-notes">
      <h3 id="fit-notes">Fit notes</h3>
      <Text size="sm" c="dimmed">
        Only people with the role for private details open a fit note, and each access is logged.
      </Text>
      {can(actor, 'update', fitNote) && <FileDrop label="Add fit note" onFiles={add} />}
      <UploadsProgress uploads={uploads} onRetry={retry} onRemove={remove} />
      {list.error && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <LoadingRows rows={1} />}
      {files && (
        <ul className={css.files} aria-label="Fit notes">
          {files.map((file) => (
            <li key={file.id}>
              <UploadedFileLink file={file as unknown as StoredFile} />
              {can(actor, 'update', fitNote) && (
                <Button variant="subtle" onClick={() => void retire(file['@id'])}>
                  Retire
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {files?.length === 0 && (
        <Text size="sm" c="dimmed">
          No fit note yet.
        </Text>
      )}
      <ConfidentialReadsOfRecord record={absence} />
    </section>
  )
}
