import { Anchor, Button, Group, Text, Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { Link } from 'react-router'
import { call } from '#web/api/client.ts'
import { Relative } from '#web/dates/relative.tsx'
import { lazily } from '#web/ui/lazily.tsx'
import { toast } from '#web/ui/toast.ts'
import { WhenWanted } from '#web/ui/when-wanted.tsx'
import { type Note, notesOptions } from '../contacts/data.web.ts'
import { type Entry, openingOf } from './entries.web.ts'
import { NoteButton } from './note-button.web.tsx'
import css from './timeline.module.css'

const menu = () => import('./note-menu.web.tsx')
const NoteMenu = lazily(menu)
const FormerTexts = lazily(() => import('./former-texts.web.tsx'))

interface Props {
  readonly entry: Entry
  readonly lead: number
}

/** A note, or grouped edits. Only the author can change a note; automatic notes about edits can't be changed. */
export function NoteItem({ entry, lead }: Props) {
  const [editing, setEditing] = useState(false)
  const [former, setFormer] = useState(false)
  const first = entry.notes[0] as Note
  const minutes = entry.notes.reduce((sum, n) => sum + (n.minutes ?? 0), 0)
  const change = useChangeNote(first, lead)
  return (
    <article className={css.note} data-edits={entry.edits || undefined}>
      <Group gap="0 8px" align="baseline">
        <Text size="sm" fw={650} component="span">
          {first.automatic ? 'The portal' : (first.user?.name ?? first.author)}
        </Text>
        <Text size="xs" c="dimmed" component="span">
          {entry.edits ? 'changed' : (first.lastResult?.text ?? 'Note')}
          {minutes > 0 && ` · ${minutes} min`} · <Relative at={first.timestamp} />
        </Text>
        {!entry.edits && (
          <WhenWanted load={menu} closed={(wanted) => <NoteButton {...wanted} />}>
            <NoteMenu note={first} change={change} edit={() => setEditing(true)} history={() => setFormer(!former)} />
          </WhenWanted>
        )}
      </Group>
      {editing ? (
        <Edit note={first} save={(notes) => change({ notes })} close={() => setEditing(false)} />
      ) : (
        entry.notes.map((n) => (
          <Text key={n.id} size="sm" className={css.noteText}>
            {n.notes}
            {openingOf(n.about) && (
              <>
                {' '}
                <Anchor component={Link} to={openingOf(n.about) ?? ''} inherit>
                  Open
                </Anchor>
              </>
            )}
          </Text>
        ))
      )}
      {former && (
        <Suspense>
          <FormerTexts note={first} />
        </Suspense>
      )}
    </article>
  )
}

export function useChangeNote(note: Note, lead: number) {
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
      toast.failed(e, () => void submit())
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
