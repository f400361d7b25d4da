import { PROVIDER } from '#kernel/roles.ts'
import { uploadedDocument } from '#modules/portal/files/uploaded-document.ts'
import { useActor } from '#web/api/me.ts'
import { Moment } from '#web/dates/relative.tsx'
import { AddButton, ChooseDialog } from '#web/lists/offered/choose-list.tsx'
import css from '#web/lists/offered/offered.module.css'
import type { ReferredFile } from '../types/reference.ts'

interface Props {
  readonly opened: boolean
  /** Whose the document is, where that is known. */
  readonly of: number | undefined
  readonly chosen: readonly number[]
  readonly onAdd: (file: ReferredFile) => void
  readonly onClose: () => void
}

/** Chooses uploaded files to refer to: a document names its company's and the provider's. */
export function AddFileDialog({ opened, of, chosen, onAdd, onClose }: Props) {
  const { clientId } = useActor()
  // Nobody but the provider's people writes what is another company's.
  const whose = clientId === PROVIDER ? (of ?? PROVIDER) : clientId
  return (
    <ChooseDialog
      opened={opened}
      onClose={onClose}
      title="Add a file"
      r={uploadedDocument}
      params={{ retired: false, replaced: false, client: [whose, PROVIDER] }}
      label="Uploaded Files"
      draw={(row) => {
        const file = row as unknown as ReferredFile
        return (
          <>
            <div className={css.what}>
              <strong>{file.label || file.name}</strong>
              <span>
                {file.label ? `${file.name}, ` : ''}
                <Moment at={file.createdAt ?? ''} day />
              </span>
            </div>
            <div className={css.actions}>
              <AddButton name={file.name} added={chosen.includes(file.id)} onAdd={() => onAdd(file)} />
            </div>
          </>
        )
      }}
    />
  )
}
