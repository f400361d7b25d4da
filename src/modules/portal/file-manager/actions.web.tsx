import '@mantine/core/styles/Combobox.layer.css'
import { ActionIcon, Button, Menu, Select, TextInput } from '@mantine/core'
import '@mantine/core/styles/Menu.layer.css'
import {
  IconArchive,
  IconArchiveOff,
  IconDots,
  IconDownload,
  IconFolderSymlink,
  IconInfoCircle,
} from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { authorOf, hasRole } from '#kernel/roles.ts'
import { useActor } from '#web/api/me.ts'
import { loadRecordUsageSentence } from '#web/api/used-by.ts'
import { useConfirm } from '#web/ui/confirm-dialog.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { errorSentence, showUndoToast, toast } from '#web/ui/toast.ts'
import { downloadFile } from '#web/uploads/fetch.ts'
import { describeOtherFileUses } from '#web/uploads/other-uses.ts'
import type { UploadedFile } from '#web/uploads/send.ts'
import { changeUploadedFile } from '#web/uploads/table.tsx'
import { canChangeFile } from '../files/uploaded-document.ts'
import type { FileTree } from './data.web.ts'

interface Props {
  readonly file: UploadedFile
  readonly folders: FileTree['folders']
}

export function FileActions({ file, folders, onOpen }: Props & { readonly onOpen: () => void }) {
  const actor = useActor()
  const queries = useQueryClient()
  const [dialog, ask] = useConfirm()
  const [moving, setMoving] = useState(false)
  const [retiring, setRetiring] = useState(false)
  const isTemplate = folders.some(({ folder }) => folder['@id'] === file.folder && folder.hrTemplates)
  const mayRetire = hasRole(actor, 'ROLE_CLIENT_ADMIN') || file.keeper === authorOf(actor).username
  const change = async (values: Partial<UploadedFile>) => {
    await changeUploadedFile(queries, file['@id'], values)
  }
  const save = () => void downloadFile(`${file.url}?original=true`, file.name).catch((e) => toast.failed(e, save))
  const showUndo = (retired: boolean) =>
    showUndoToast({
      message: `${file.name} is ${retired ? 'retired' : 'restored'}`,
      undo: () => change(retired ? { retired: false } : { retired: true, retireReason: file.retireReason ?? '' }),
    })
  const retire = async () => {
    if (isTemplate && !file.retired) return setRetiring(true)
    const retired = !file.retired
    const uses = retired
      ? await Promise.all([loadRecordUsageSentence(file['@id']), describeOtherFileUses(file['@id'])])
      : []
    const used = uses.filter(Boolean).join(' ')
    const question = used
      ? `${used} If a sealed document or a completed form uses the file, it can’t be retired.`
      : 'Nothing that you can see uses this file. All its versions remain stored, and you can restore the file.'
    if (retired && !(await ask({ title: `Retire ${file.name}`, question, action: 'Retire', meaning: 'attention' })))
      return
    try {
      await change({ retired })
      showUndo(retired)
    } catch (e) {
      toast.failed(e, () => void retire())
    }
  }
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${file.name}`}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconInfoCircle size={16} aria-hidden />} onClick={onOpen}>
            Versions, expiry and use
          </Menu.Item>
          <Menu.Item leftSection={<IconDownload size={16} aria-hidden />} onClick={save}>
            Download original
          </Menu.Item>
          {canChangeFile(actor, file) && (
            <Menu.Item leftSection={<IconFolderSymlink size={16} aria-hidden />} onClick={() => setMoving(true)}>
              Move to folder
            </Menu.Item>
          )}
          {mayRetire && (
            <Menu.Item
              leftSection={
                file.retired ? <IconArchiveOff size={16} aria-hidden /> : <IconArchive size={16} aria-hidden />
              }
              onClick={() => void retire()}
            >
              {file.retired ? 'Restore' : 'Retire'}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {dialog}
      <Dialog opened={retiring} onClose={() => setRetiring(false)} title={`Retire ${file.name}`} size="28rem">
        <RetireTemplate
          onRetire={async (retireReason) => {
            await change({ retired: true, retireReason })
            showUndo(true)
          }}
          onClose={() => setRetiring(false)}
        />
      </Dialog>
      <Dialog opened={moving} onClose={() => setMoving(false)} title={`Move ${file.name}`} size="28rem">
        <Move file={file} folders={folders} onMove={change} onClose={() => setMoving(false)} />
      </Dialog>
    </>
  )
}

interface RetireProps {
  readonly onRetire: (reason: string) => Promise<void>
  readonly onClose: () => void
}

/** Asks for the reason for which an HR template is retired. */
function RetireTemplate({ onRetire, onClose }: RetireProps) {
  const [reason, setReason] = useState('')
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const retire = async () => {
    if (!reason.trim()) return setError('Please give a reason')
    setBusy(true)
    try {
      await onRetire(reason)
      onClose()
    } catch (e) {
      setError(errorSentence(e))
    }
    setBusy(false)
  }
  return (
    <>
      <TextInput
        label="Reason for retiring (Required)"
        description="Listed under People > Retired. All versions remain stored, and you can restore the file."
        required
        maxLength={1000}
        data-autofocus
        value={reason}
        error={error}
        onChange={(e) => setReason(e.currentTarget.value)}
      />
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button loading={busy} onClick={() => void retire()}>
          Retire
        </Button>
      </DialogActions>
    </>
  )
}

interface MoveProps extends Props {
  readonly onMove: (values: { folder: string | null }) => Promise<void>
  readonly onClose: () => void
}

function Move({ file, folders, onMove, onClose }: MoveProps) {
  const [to, setTo] = useState(file.folder ?? '')
  const [busy, setBusy] = useState(false)
  const move = async () => {
    setBusy(true)
    try {
      await onMove({ folder: to || null })
      onClose()
    } catch (e) {
      toast.failed(e)
    }
    setBusy(false)
  }
  return (
    <>
      <Select
        label="Folder"
        value={to}
        onChange={(v) => setTo(v ?? '')}
        allowDeselect={false}
        searchable={folders.length > 8}
        data={[
          { value: '', label: 'No folder' },
          ...folders.map(({ folder, depth }) => ({
            value: folder['@id'],
            label: `${'– '.repeat(depth)}${folder.name}`,
          })),
        ]}
      />
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button loading={busy} onClick={() => void move()}>
          Move
        </Button>
      </DialogActions>
    </>
  )
}
