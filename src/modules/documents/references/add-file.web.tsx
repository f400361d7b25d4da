import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { uploadedDocument } from '#modules/portal/files/uploaded-document.ts'
import { useActor } from '#web/api/me.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { ChooserAddButton, RecordChooserDialog } from '#web/lists/chooser/record-chooser.tsx'
import css from '#web/lists/offered/offered.module.css'
import type { ReferredFile } from '../types/reference.ts'

interface AddFileDialogProps {
  readonly opened: boolean
  /** Client ID of the document, if known. */
  readonly of: number | undefined
  readonly chosen: readonly number[]
  readonly onAdd: (file: ReferredFile) => void
  readonly onClose: () => void
}

/**
 * Dialog to choose the uploaded files to which a document refers. Lists the files of the document's company and of the
 * provider.
 */
export function AddFileDialog({ opened, of, chosen, onAdd, onClose }: AddFileDialogProps) {
  const { clientId } = useActor()
  // Only provider users can edit another company's documents.
  const whose = clientId === PROVIDER_CLIENT_ID ? (of ?? PROVIDER_CLIENT_ID) : clientId
  return (
    <RecordChooserDialog
      opened={opened}
      onClose={onClose}
      title="Add file"
      r={uploadedDocument}
      params={{ retired: false, replaced: false, client: [whose, PROVIDER_CLIENT_ID] }}
      label="Uploaded Files"
      draw={(row) => {
        const file = row as unknown as ReferredFile
        return (
          <>
            <div className={css.what}>
              <strong>{file.label || file.name}</strong>
              <span>
                {file.label ? `${file.name}, ` : ''}
                <DateTimeText at={file.createdAt ?? ''} day />
              </span>
            </div>
            <div className={css.actions}>
              <ChooserAddButton name={file.name} added={chosen.includes(file.id)} onAdd={() => onAdd(file)} />
            </div>
          </>
        )
      }}
    />
  )
}
