import { ActionIcon, Text } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { RecordOf } from '#kernel/resource.ts'
import { type Collection, callApi } from '#web/api/client.ts'
import { RelativeTimeText } from '#web/dates/relative.tsx'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { PersonName } from '#web/ui/people/person-name.tsx'
import { showUndoToast, toast } from '#web/ui/toast.ts'
import { FileDrop } from '#web/uploads/file-drop.tsx'
import { UploadsProgress } from '#web/uploads/progress.tsx'
import { useFileUploads } from '#web/uploads/queue.ts'
import type { StoredFile } from '#web/uploads/send.ts'
import { formatFileSize, UploadedFileLink } from '#web/uploads/thumb.tsx'
import { contact, leadCustomer } from '../contacts/contact.ts'
import { leadNotesQueryOptions } from '../contacts/data.web.ts'
import css from './files.module.css'
import { leadFile } from './lead-file.ts'

type LeadFile = RecordOf<typeof leadFile>

/** Record to which the files belong: the lead or, if the customer has no lead, the customer. */
export interface LeadFilesOwner {
  readonly of: 'lead' | 'customer'
  readonly id: number
}

const DOORS = { lead: { by: 'contact', at: contact.url }, customer: { by: 'customer', at: leadCustomer.url } }

/**
 * Files that belong to a lead or customer. They are added by drag and drop, file picker, paste or camera. They can be
 * opened, renamed and retired; retiring a file can be undone.
 */
export default function LeadFiles({ of, id }: LeadFilesOwner) {
  const { by, at } = DOORS[of]
  const queries = useQueryClient()
  const files = useQuery({
    queryKey: [leadFile.url, 'list', of, id],
    queryFn: ({ signal }) =>
      callApi<Collection<LeadFile>>('GET', `${leadFile.url}?${by}=${id}&retired=false&pagination=false`, undefined, {
        signal,
      }),
  }).data?.['hydra:member']
  const refresh = () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: [leadFile.url] }),
      ...(of === 'lead' ? [queries.invalidateQueries({ queryKey: leadNotesQueryOptions(id).queryKey })] : []),
    ])
  const { uploads, add, retry, remove } = useFileUploads<StoredFile>({
    to: `${at}/${id}/files`,
    onDone: () => void refresh(),
  })
  const takeAway = async (file: LeadFile) => {
    const set = (retired: boolean) => callApi('PUT', file['@id'], { retired }).then(refresh)
    try {
      await set(true)
      showUndoToast({ message: `${file.name} retired`, undo: () => set(false) })
    } catch (e) {
      toast.failed(e, () => void takeAway(file))
    }
  }
  return (
    <div className={css.files}>
      <FileDrop label={`Add files to this ${of}`} onFiles={add} />
      <UploadsProgress uploads={uploads} onRetry={retry} onRemove={remove} />
      <ul aria-label="Files" className={css.list}>
        {files?.map((file) => (
          <FileRow key={file.id} file={file} onTakeAway={() => void takeAway(file)} onSaved={() => void refresh()} />
        ))}
      </ul>
    </div>
  )
}

interface RowProps {
  readonly file: LeadFile
  readonly onTakeAway: () => void
  readonly onSaved: () => void
}

function FileRow({ file, onTakeAway, onSaved }: RowProps) {
  const [naming, setNaming] = useState(false)
  const done = () => setNaming(false)
  return (
    <li>
      <div className={css.what}>
        <UploadedFileLink file={file as StoredFile} />
        <Text size="xs" c="dimmed">
          {formatFileSize(file.size)}, <PersonName username={file.author} />,{' '}
          <RelativeTimeText at={file.createdAt ?? ''} />
        </Text>
      </div>
      <ActionIcon
        size="lg"
        variant="subtle"
        color="gray"
        aria-label={`Rename ${file.name}`}
        title="Rename"
        onClick={() => setNaming(true)}
      >
        <IconPencil size={18} aria-hidden />
      </ActionIcon>
      <ActionIcon
        size="lg"
        variant="subtle"
        color="gray"
        aria-label={`Retire ${file.name}`}
        title="Retire"
        onClick={onTakeAway}
      >
        <IconTrash size={18} aria-hidden />
      </ActionIcon>
      <Dialog opened={naming} onClose={done} title={`Rename ${file.name}`} size={440}>
        <ResourceForm
          resource={leadFile}
          fields={['name']}
          record={file}
          action="Rename"
          onCancel={done}
          onSaved={() => {
            done()
            onSaved()
          }}
        />
      </Dialog>
    </li>
  )
}
