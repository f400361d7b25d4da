import { ActionIcon, NavLink } from '@mantine/core'
import '@mantine/core/styles/NavLink.layer.css'
import { IconFiles, IconFolder, IconFolderDown, IconFolderOpen, IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import { can } from '#kernel/can.ts'
import { useActor } from '#web/api/me.ts'
import { documentFolder } from '../files/uploaded-document.ts'
import type { FileTree, FolderRecord } from './data.web.ts'
import { FolderDialog } from './folder-dialog.web.tsx'
import css from './manager.module.css'

interface Props {
  readonly tree: FileTree
  readonly chosen: string
  readonly onChoose: (folder: string) => void
}

/** Folder list: "all files", the folder tree, and files that are in no folder, each with the number of files. */
export function FolderList({ tree, chosen, onChoose }: Props) {
  const actor = useActor()
  const [editing, setEditing] = useState<FolderRecord>()
  const [open, setOpen] = useState(false)
  const total = [...tree.files.values()].reduce((sum, files) => sum + files.length, 0)
  const entry = (value: string, label: string, count: number, depth = 0, downloads = false) => (
    <NavLink
      component="button"
      className={css.folder ?? ''}
      style={{ paddingInlineStart: 12 + depth * 16 }}
      active={chosen === value}
      aria-current={chosen === value || undefined}
      label={label}
      leftSection={
        value === '' ? (
          <IconFiles size={18} aria-hidden />
        ) : downloads ? (
          <IconFolderDown size={18} aria-label="Shown under Downloads" />
        ) : chosen === value ? (
          <IconFolderOpen size={18} aria-hidden />
        ) : (
          <IconFolder size={18} aria-hidden />
        )
      }
      rightSection={<span className={css.count}>{count}</span>}
      onClick={() => onChoose(value)}
    />
  )
  return (
    <nav aria-label="Folders" className={css.folders}>
      <ul>
        <li>{entry('', 'All files', total)}</li>
        {tree.folders.map(({ folder, depth, count }) => (
          <li key={folder.id}>
            {entry(String(folder.id), folder.name ?? '', count, depth, folder.downloads)}
            {can(actor, 'update', documentFolder) && (
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`Edit folder ${folder.name}`}
                onClick={() => {
                  setEditing(folder)
                  setOpen(true)
                }}
              >
                <IconPencil size={16} aria-hidden />
              </ActionIcon>
            )}
          </li>
        ))}
        <li>{entry('none', 'No folder', tree.files.get('')?.length ?? 0)}</li>
      </ul>
      {editing && (
        <FolderDialog
          opened={open}
          folder={editing}
          onClose={() => {
            setOpen(false)
          }}
          onRetired={() => onChoose('')}
        />
      )}
    </nav>
  )
}
