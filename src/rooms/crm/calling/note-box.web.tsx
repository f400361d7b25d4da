import '@mantine/core/styles/InlineInput.layer.css'
import { Button, Checkbox, Group, Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call } from '#web/api/client.ts'
import { say } from '#web/ui/say.ts'
import { Shortcut } from '#web/ui/shortcut.tsx'
import { contact } from '../contacts/contact.ts'
import { type Lead, type Note, notesOptions } from '../contacts/data.web.ts'
import { note } from '../contacts/note.ts'
import css from './calling.module.css'
import { type ChangeDraft, type Draft, EMPTY, minutesOf } from './draft.web.ts'

interface Props {
  readonly lead: Lead
  readonly draft: Draft
  readonly change: ChangeDraft
}

/** What is being said: saved as a note by itself, or taken along with the outcome. */
export function NoteBox({ lead, draft, change }: Props) {
  const [saving, setSaving] = useState(false)
  const sent = useRef<{ body: string; key: string }>(undefined)
  const queries = useQueryClient()
  const text = draft.notes.trim()
  const add = async () => {
    if (!text || saving) return
    setSaving(true)
    const values = {
      contact: `${contact.url}/${lead.id}`,
      notes: text,
      sticky: draft.sticky,
      minutes: minutesOf(draft) ?? 0,
    }
    const body = JSON.stringify(values)
    if (sent.current?.body !== body) sent.current = { body, key: crypto.getRandomValues(new Uint32Array(4)).join('-') }
    try {
      const made = await call<Note>('POST', note.url, values, { idempotencyKey: sent.current.key })
      const { queryKey } = notesOptions(lead.id)
      queries.setQueryData(queryKey, (was) => [made, ...(was ?? []).filter((n) => n.id !== made.id)])
      void queries.invalidateQueries({ queryKey })
      change(EMPTY)
    } catch (e) {
      say.failed(e, () => void add())
    }
    setSaving(false)
  }
  return (
    <form
      className={css.noteBox}
      onSubmit={(e) => {
        e.preventDefault()
        void add()
      }}
    >
      <Textarea
        label="Note"
        placeholder="What was said; it goes with the outcome"
        aria-keyshortcuts="n"
        rows={2}
        classNames={{ input: css.growing ?? '' }}
        maxLength={20_000}
        value={draft.notes}
        onChange={(e) => change({ notes: e.currentTarget.value })}
        onKeyDown={(e) => {
          if (e.key === 'Escape') e.currentTarget.blur()
          if (e.key !== 'Enter' || !(e.ctrlKey || e.metaKey)) return
          e.preventDefault()
          void add()
        }}
      />
      <Group gap="sm" justify="space-between" mt="xs">
        <Checkbox
          label="Pin on top"
          checked={draft.sticky}
          onChange={(e) => change({ sticky: e.currentTarget.checked })}
        />
        <Button
          type="submit"
          size="xs"
          variant="default"
          loading={saving}
          disabled={!text}
          rightSection={<Shortcut keys="mod+Enter" />}
        >
          Add note
        </Button>
      </Group>
    </form>
  )
}
