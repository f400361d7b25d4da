import '@mantine/core/styles/Menu.layer.css'
import { Menu } from '@mantine/core'
import { IconArchive, IconHistory, IconPencil, IconPin, IconPinnedOff } from '@tabler/icons-react'
import { useMe } from '#web/api/me.ts'
import { useOpenedMenu } from '#web/ui/overlays/use-opened-menu.ts'
import { showUndoToast, toast } from '#web/ui/toast.ts'
import type { TimelineNote } from '../contacts/data.web.ts'
import type { useChangeNote } from './note.web.tsx'
import { NoteMenuButton } from './note-button.web.tsx'

interface MenuProps {
  readonly note: TimelineNote
  readonly change: ReturnType<typeof useChangeNote>
  readonly edit: () => void
  readonly history: () => void
}

/** Menu for a note, open on first render. */
export default function NoteMenu({ note, change, edit, history }: MenuProps) {
  const me = useMe()
  const { menu, button } = useOpenedMenu()
  const own = !note.automatic && note.author === (me.original?.username ?? me.username)
  const pin = async () => {
    await change({ sticky: !note.sticky }).catch((e: unknown) => toast.failed(e, () => void pin()))
  }
  const retire = async () => {
    try {
      await change({ retired: true })
      showUndoToast({ message: 'Note retired', undo: () => change({ retired: false }) })
    } catch (e) {
      toast.failed(e, () => void retire())
    }
  }
  return (
    <Menu {...menu} withinPortal>
      <Menu.Target>
        <NoteMenuButton ref={button} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={note.sticky ? <IconPinnedOff size={16} aria-hidden /> : <IconPin size={16} aria-hidden />}
          onClick={() => void pin()}
        >
          {note.sticky ? 'Unpin' : 'Pin to top'}
        </Menu.Item>
        {!note.automatic && (
          <Menu.Item leftSection={<IconHistory size={16} aria-hidden />} onClick={history}>
            Previous versions
          </Menu.Item>
        )}
        {own && (
          <>
            <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={edit}>
              Edit
            </Menu.Item>
            <Menu.Item leftSection={<IconArchive size={16} aria-hidden />} onClick={() => void retire()}>
              Retire
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
