import { ActionIcon, Button, Group, Menu, Text, Textarea } from '@mantine/core'
import { IconArchive, IconDots, IconPencil, IconPin, IconPinnedOff } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#web/api/client.ts'
import { useMe } from '#web/api/me.ts'
import { Relative } from '#web/dates/relative.tsx'
import { say, undoable } from '#web/ui/say.ts'
import { type Note, notesOptions } from '../contacts/data.web.ts'
import css from './calling.module.css'
import type { Entry } from './entries.web.ts'

interface Props {
  readonly entry: Entry
  readonly lead: number
}

/** A note, or edits made together. Only its author changes a note, and nobody what the portal wrote about an edit. */
export function NoteItem({ entry, lead }: Props) {
  const [editing, setEditing] = useState(false)
  const first = entry.notes[0] as Note
  const minutes = entry.notes.reduce((sum, n) => sum + (n.minutes ?? 0), 0)
  const change = useChangeNote(first, lead)
  return (
    <article className={css.note} data-edits={entry.edits || undefined}>
      <Group gap="0 8px" align="baseline">
        <Text size="sm" fw={650} component="span">
          {first.user?.name ?? first.author}
        </Text>
        <Text size="xs" c="dimmed" component="span">
          {entry.edits ? 'changed' : (first.lastResult?.text ?? 'Note')}
          {minutes > 0 && ` · ${minutes} min`} · <Relative at={first.timestamp} />
        </Text>
        {!entry.edits && <NoteMenu note={first} change={change} edit={() => setEditing(true)} />}
      </Group>
      {editing ? (
        <Edit note={first} save={(notes) => change({ notes })} close={() => setEditing(false)} />
      ) : (
        entry.notes.map((n) => (
          <Text key={n.id} size="sm" className={css.noteText}>
            {n.notes}
          </Text>
        ))
      )}
    </article>
  )
}

function useChangeNote(note: Note, lead: number) {
  const queries = useQueryClient()
  const { queryKey } = notesOptions(lead)
  return async (change: Partial<Pick<Note, 'notes' | 'sticky' | 'retired'>>) => {
    const saved = await call<Note>('PUT', note['@id'], change)
    queries.setQueryData(queryKey, (was) =>
      was?.flatMap((n) => (n.id !== saved.id ? [n] : saved.retired ? [] : [saved])),
    )
    void queries.invalidateQueries({ queryKey })
  }
}

interface MenuProps {
  readonly note: Note
  readonly change: ReturnType<typeof useChangeNote>
  readonly edit: () => void
}

function NoteMenu({ note, change, edit }: MenuProps) {
  const me = useMe()
  const own = note.author === (me.original?.username ?? me.username)
  const pin = async () => {
    await change({ sticky: !note.sticky }).catch((e: unknown) => say.failed(e, () => void pin()))
  }
  const retire = async () => {
    try {
      await change({ retired: true })
      undoable({ message: 'The note is retired', undo: () => change({ retired: false }) })
    } catch (e) {
      say.failed(e, () => void retire())
    }
  }
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon className={css.noteMenu} variant="subtle" color="gray" aria-label="What to do with this note">
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={note.sticky ? <IconPinnedOff size={16} aria-hidden /> : <IconPin size={16} aria-hidden />}
          onClick={() => void pin()}
        >
          {note.sticky ? 'Unpin' : 'Pin on top'}
        </Menu.Item>
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

interface EditProps {
  readonly note: Note
  readonly save: (notes: string) => Promise<void>
  readonly close: () => void
}

function Edit({ note, save, close }: EditProps) {
  const [text, setText] = useState(note.notes ?? '')
  const [busy, setBusy] = useState(false)
  const submit = async () => {
    setBusy(true)
    try {
      await save(text.trim())
      close()
    } catch (e) {
      say.failed(e, () => void submit())
      setBusy(false)
    }
  }
  return (
    <form
      onSubmit={(e) => {
        e.preventDefault()
        void submit()
      }}
    >
      <Textarea
        aria-label="The note"
        rows={2}
        classNames={{ input: css.growing ?? '' }}
        autoFocus
        value={text}
        onChange={(e) => setText(e.currentTarget.value)}
        onKeyDown={(e) => e.key === 'Escape' && close()}
      />
      <Group gap="xs" mt="xs">
        <Button type="submit" size="xs" loading={busy}>
          Save
        </Button>
        <Button size="xs" variant="subtle" onClick={close}>
          Cancel
        </Button>
      </Group>
    </form>
  )
}
