import { Button } from '@mantine/core'
import { IconArchive } from '@tabler/icons-react'
import { packState } from '#kernel/packs.ts'
import { hasRole } from '#kernel/roles.ts'
import { callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { createAudienceInput } from '#web/forms/audience-select.tsx'
import { RemoteSelect } from '#web/forms/remote-select.tsx'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { useConfirm } from '#web/ui/confirm-dialog.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { toast } from '#web/ui/toast.ts'
import { DEFAULT_FOLDER_AUDIENCE, documentFolder, FILE_ADMIN_ROLES } from '../files/uploaded-document.ts'
import { type FolderRecord, useRefreshFiles } from './data.web.ts'

const AUDIENCE = createAudienceInput(
  'Visible to',
  [
    { label: 'Everyone in the company', value: [] },
    { label: 'Document authors', value: DEFAULT_FOLDER_AUDIENCE },
    { label: 'Human resources', value: ['ROLE_HR'] },
    { label: 'Administrators only', value: ['ROLE_CLIENT_ADMIN'] },
  ],
  (roles) => roles.join(', '),
)

interface Props {
  readonly opened: boolean
  readonly onClose: () => void
  /** Folder to edit; undefined for a new one. */
  readonly folder?: FolderRecord
  /** Suggested parent of a new folder. */
  readonly inside?: FolderRecord
  readonly onRetired?: () => void
}

/** Dialog that creates, renames, moves or retires a folder. */
export function FolderDialog({ opened, onClose, folder, inside, onRetired }: Props) {
  const actor = useActor()
  const { clientId } = actor
  const marks = hasRole(actor, FILE_ADMIN_ROLES)
    ? (['downloads', ...(packState(actor, 'employees') === 'none' ? [] : (['hrTemplates'] as const))] as const)
    : []
  const refresh = useRefreshFiles()
  const [dialog, ask] = useConfirm()
  const retire = async () => {
    if (!folder) return
    const yes = await ask({
      title: 'Retire folder',
      question: `Retire the folder “${folder.name}”? Only an empty folder can be retired.`,
      action: 'Retire',
    })
    if (!yes) return
    try {
      await callApi('PUT', folder['@id'], { retired: true })
      onRetired?.()
      onClose()
      await refresh()
    } catch (e) {
      toast.failed(e)
    }
  }
  return (
    <Dialog opened={opened} onClose={onClose} title={folder ? 'Edit folder' : 'New folder'} size="32rem">
      <ResourceForm
        resource={documentFolder}
        fields={['name', 'parent', 'audience', ...marks]}
        action={folder ? 'Save' : 'Create folder'}
        inputs={{
          audience: AUDIENCE,
          parent: ({ value, onChange, onBlur, error, readOnly, id }) => (
            <RemoteSelect
              label="Parent folder"
              target={documentFolder}
              params={{ client: clientId }}
              value={value}
              onChange={onChange}
              error={error}
              {...(readOnly ? { readOnly } : {})}
              {...(onBlur ? { onBlur } : {})}
              {...(id ? { id } : {})}
            />
          ),
        }}
        {...(folder ? { record: folder } : inside ? { defaults: { parent: inside['@id'] } } : {})}
        onCancel={onClose}
        onSaved={() => {
          onClose()
          void refresh()
        }}
      />
      {folder && (
        <Button
          mt="md"
          variant="subtle"
          color="gray"
          leftSection={<IconArchive size={16} aria-hidden />}
          onClick={() => void retire()}
        >
          Retire folder
        </Button>
      )}
      {dialog}
    </Dialog>
  )
}
