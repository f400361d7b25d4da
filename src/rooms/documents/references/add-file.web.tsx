import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { uploadedDocument } from '#rooms/portal/files/uploaded-document.ts'
import { Moment } from '#web/dates/relative.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import type { ReferredFile } from '../kinds/reference.ts'
import { ChooseList } from './choose-list.web.tsx'
import css from './references.module.css'

interface Props {
  readonly opened: boolean
  readonly chosen: readonly number[]
  readonly onAdd: (file: ReferredFile) => void
  readonly onClose: () => void
}

/** Chooses uploaded files to refer to. */
export const AddFileDialog = ({ opened, chosen, onAdd, onClose }: Props) => (
  <Dialog opened={opened} onClose={onClose} title="Add a file">
    <ChooseList
      r={uploadedDocument}
      params={{ retired: false }}
      label="Uploaded Files"
      draw={(row) => {
        const file = row as unknown as ReferredFile
        const added = chosen.includes(file.id)
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
              <Button
                size="compact-md"
                leftSection={<IconPlus size={16} aria-hidden />}
                aria-label={`Add ${file.name}`}
                disabled={added}
                onClick={() => onAdd(file)}
              >
                {added ? 'Added' : 'Add'}
              </Button>
            </div>
          </>
        )
      }}
    />
    <DialogActions>
      <Button variant="default" onClick={onClose}>
        Close
      </Button>
    </DialogActions>
  </Dialog>
)
