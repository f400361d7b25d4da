import { Text, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { type AnswerUpload, toStoredUpload, uploadsInAnswer } from '#kernel/forms/uploads.ts'
import { ApiError } from '../api/client.ts'
import { useConfirm } from '../ui/confirm-dialog.tsx'
import { ErrorText } from '../ui/error-text.tsx'
import { toast } from '../ui/toast.ts'
import { FileDrop } from './file-drop.tsx'
import { UploadsProgress } from './progress.tsx'
import { useDocumentUploads } from './queue.ts'
import { changeUploadedFile, UploadsTable } from './table.tsx'
import css from './uploads.module.css'
import { UploadsView } from './view.tsx'

interface Props {
  /** IRIs of uploaded documents, or objects with an IRI and a label. */
  readonly value: unknown
  /** Name of the field on the page. */
  readonly place: string
  readonly onChange: (files: (string | AnswerUpload)[]) => void
  readonly readOnly?: boolean
  readonly error?: string | undefined
  /** Called when uploads start and end. */
  readonly onBusy?: (busy: boolean) => void
  /**
   * Row number if the field is in a list of rows. The field is then small, and its accessible name contains the number.
   */
  readonly row?: number | undefined
  /** Whether the field is small and asks for photos: one button opens the camera. */
  readonly photo?: boolean
}

/**
 * The specification's 'Uploaded Files' field. When a file is removed from the field, the file is also retired if the
 * person may retire it.
 */
export function UploadedFilesField({
  value,
  place,
  onChange,
  readOnly = false,
  error,
  onBusy,
  row,
  photo = false,
}: Props) {
  const small = photo || row !== undefined
  const queries = useQueryClient()
  const files = uploadsInAnswer(value)
  // This ref is always current. Otherwise, uploads that finish before the value is updated would overwrite each other.
  const latest = useRef(files)
  useEffect(() => {
    latest.current = files
  })
  const [dialog, ask] = useConfirm()
  const set = (next: AnswerUpload[]) => {
    latest.current = next
    onChange(next.map(toStoredUpload))
  }
  const onDone = useEffectEvent((file: { '@id': string }) => set([...latest.current, { '@id': file['@id'] }]))
  const { uploads, add, retry, remove } = useDocumentUploads({ onDone, place })
  const busy = uploads.some((u) => u.state === 'waiting' || u.state === 'sending')
  useEffect(() => onBusy?.(busy), [onBusy, busy])
  const del = async (iri: string) => {
    const yes = await ask({
      title: 'Deleting File',
      question: 'Are you sure you wish to delete this item?',
      action: 'Delete',
      meaning: 'stop',
    })
    if (!yes) return
    set(latest.current.filter((v) => v['@id'] !== iri))
    // If the file belongs to somebody else or is used by a sealed document, it can't be retired and is only removed
    // from this list.
    await changeUploadedFile(queries, iri, { retired: true }).catch((e: unknown) => {
      if (!(e instanceof ApiError) || ![403, 404, 409].includes(e.status)) toast.failed(e)
    })
  }
  if (readOnly) return <UploadsView value={files} />
  return (
    <div className={css.field}>
      {!small && (
        <Title order={2} size="h5">
          Upload New Files Below
        </Title>
      )}
      <FileDrop
        label={row === undefined ? 'Upload New Files' : `Upload New Files, ${row}`}
        onFiles={add}
        small={small}
        photo={photo}
      />
      <UploadsProgress uploads={uploads} onRetry={retry} onRemove={remove} />
      {error && <ErrorText>{error}</ErrorText>}
      {!small && (
        <Title order={2} size="h5">
          Uploaded Files
        </Title>
      )}
      {files.length ? (
        <UploadsTable
          value={files}
          onDelete={(iri) => void del(iri)}
          onTake={(iri, newest) => set(latest.current.map((v) => (v['@id'] === iri ? { ...v, '@id': newest } : v)))}
          onLabel={(iri, label) => set(latest.current.map((v) => (v['@id'] === iri ? { '@id': iri, label } : v)))}
        />
      ) : (
        !small && (
          <Text size="sm" c="dimmed">
            No files yet.
          </Text>
        )
      )}
      {dialog}
    </div>
  )
}
