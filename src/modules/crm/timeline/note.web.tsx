import { Anchor, Button, Group, Text, Textarea } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { Link } from 'react-router'
import { type Collection, callApi } from '#web/api/client.ts'
import { usePersonNames } from '#web/api/names.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { DateTimeText, RelativeTimeText } from '#web/dates/relative.tsx'
import { useStoredInput } from '#web/forms/stored-input.tsx'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { LazyTrigger } from '#web/ui/lazy-trigger.tsx'
import { PersonName } from '#web/ui/people/person-name.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { leadNotesQueryOptions, type TimelineNote } from '../contacts/data.web.ts'
import { receivedKindLabel } from '../received-mail/reports.ts'
import { notedRecordPath, type TimelineEntry } from './entries.web.ts'
import { NoteMenuButton } from './note-button.web.tsx'
import css from './timeline.module.css'

const menu = () => import('./note-menu.web.tsx')
const NoteMenu = lazyComponent(menu)
const ReceivedMailDetails = lazyComponent(() => import('../received-mail/received.web.tsx'))

interface Props {
  readonly entry: TimelineEntry
  readonly lead: number
}

/**
 * A note, or a group of edits. Only a note's author can change its text. Automatic notes and notes about edits can only
 * be pinned.
 */
export function NoteItem({ entry, lead }: Props) {
  const [editing, setEditing] = useState(false)
  const [former, setFormer] = useState(false)
  const first = entry.notes[0] as TimelineNote
  const minutes = entry.notes.reduce((sum, n) => sum + (n.minutes ?? 0), 0)
  const change = useChangeNote(first, lead)
  const { user, author } = first
  const other = user && user.username !== author ? author : null
  const nameOf = usePersonNames([other])
  const isEnteredForOther = other && ![user?.name, '…'].includes(nameOf(other))
  return (
    <article className={css.note} data-edits={entry.edits || undefined}>
      <Group gap="0 8px" align="baseline">
        <Text size="sm" fw={650} component="span">
          {first.automatic ? 'The portal' : (user?.name ?? <PersonName username={author} />)}
          {isEnteredForOther && `, entered by ${nameOf(other)}`}
        </Text>
        <Text size="xs" c="dimmed" component="span">
          {entry.edits ? 'changed' : (first.lastResult?.text ?? receivedKindLabel(first.received?.kind) ?? 'Note')}
          {minutes > 0 && ` · ${minutes} min`} · <RelativeTimeText at={first.timestamp} />
        </Text>
        {!entry.edits && (
          <LazyTrigger load={menu} closed={(wanted) => <NoteMenuButton {...wanted} />}>
            <NoteMenu note={first} change={change} edit={() => setEditing(true)} history={() => setFormer(!former)} />
          </LazyTrigger>
        )}
      </Group>
      {editing ? (
        <Edit note={first} save={(notes) => change({ notes })} close={() => setEditing(false)} />
      ) : (
        entry.notes.map((n) => (
          <Text key={n.id} size="sm" className={css.noteText}>
            {n.notes}
            {notedRecordPath(n.about) && (
              <>
                {' '}
                <Anchor component={Link} to={notedRecordPath(n.about) ?? ''} inherit>
                  Open
                </Anchor>
              </>
            )}
          </Text>
        ))
      )}
      {first.received && (
        <Suspense>
          <ReceivedMailDetails mail={first.received} />
        </Suspense>
      )}
      {former && <PreviousNoteVersions note={first} />}
    </article>
  )
}

export function useChangeNote(note: TimelineNote, lead: number) {
  const queries = useQueryClient()
  const { queryKey } = leadNotesQueryOptions(lead)
  return async (change: Partial<Pick<TimelineNote, 'notes' | 'sticky' | 'retired'>>) => {
    const saved = await callApi<TimelineNote>('PUT', note['@id'], change)
    queries.setQueryData(queryKey, (was) =>
      was?.flatMap((n) => (n.id !== saved.id ? [n] : saved.retired ? [] : [saved])),
    )
    void queries.invalidateQueries({ queryKey })
  }
}

interface EditProps {
  readonly note: TimelineNote
  readonly save: (notes: string) => Promise<void>
  readonly close: () => void
}

function Edit({ note, save, close }: EditProps) {
  const stored = useStoredInput(`note ${note['@id']}`, () => note.notes ?? '')
  const text = stored.input
  const [busy, setBusy] = useState(false)
  const cancel = () => {
    stored.discard()
    close()
  }
  const submit = async () => {
    setBusy(true)
    try {
      await save(text.trim())
      cancel()
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
        onChange={(e) => stored.change(e.currentTarget.value)}
        onKeyDown={(e) => e.key === 'Escape' && cancel()}
      />
      <Group gap="xs" mt="xs">
        <Button type="submit" size="xs" loading={busy}>
          Save
        </Button>
        <Button size="xs" variant="subtle" onClick={cancel}>
          Cancel
        </Button>
      </Group>
    </form>
  )
}

/** Former text of a note. */
interface FormerText {
  readonly at: string
  readonly username: string
  readonly notes: string
}

/** List of a note's previous versions, latest first. */
function PreviousNoteVersions({ note }: { readonly note: TimelineNote }) {
  const found = useQuery({
    queryKey: [note['@id'], 'history'],
    ...urlQueryOptions<Collection<FormerText>>(`${note['@id']}/history`),
    staleTime: 0,
  })
  if (found.isError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <LoadingRows rows={1} />
  const all = found.data['hydra:member']
  return (
    <section aria-label="Previous versions">
      {all.length === 0 && (
        <Text size="xs" c="dimmed">
          This note has never been changed.
        </Text>
      )}
      {all.map((was) => (
        <div key={was.at}>
          <Text size="xs" c="dimmed">
            Until <DateTimeText at={was.at} />, changed by {was.username}
          </Text>
          <Text size="sm" className={css.noteText}>
            {was.notes}
          </Text>
        </div>
      ))}
    </section>
  )
}
