import '@mantine/core/styles/InlineInput.layer.css'
import { Button, Checkbox, Group, Textarea } from '@mantine/core'
import { useState } from 'react'
import { ShortcutKeys } from '#web/ui/keys/shortcut.tsx'
import { toast } from '#web/ui/toast.ts'
import { formatLeadName, type LeadRecord } from '../contacts/data.web.ts'
import timeline from '../timeline/timeline.module.css'
import css from './calling.module.css'
import { type CallDraft, type CallDraftUpdater, EMPTY_CALL_DRAFT, minutesToRecord } from './draft.web.ts'
import { useAddNote } from './late-note.web.tsx'

interface Props {
  readonly lead: LeadRecord
  readonly draft: CallDraft
  readonly change: CallDraftUpdater
}

/** Field for call notes. They are saved as a separate note or together with the outcome. */
export function CallNoteField({ lead, draft, change }: Props) {
  const [saving, setSaving] = useState(false)
  const addNote = useAddNote()
  const text = draft.notes.trim()
  const add = async () => {
    if (!text || saving) return
    setSaving(true)
    try {
      await addNote(
        { id: lead.id, name: formatLeadName(lead) },
        { notes: text, sticky: draft.sticky, minutes: minutesToRecord(draft) ?? 0 },
      )
      // The draft is emptied even if the note is only queued, because the timeline already shows the note.
      change(EMPTY_CALL_DRAFT)
    } catch (e) {
      toast.failed(e, () => void add())
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
        placeholder="Call notes (saved with the outcome)"
        aria-keyshortcuts="n"
        rows={2}
        classNames={{ input: timeline.growing ?? '' }}
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
          label="Pin to top"
          checked={draft.sticky}
          onChange={(e) => change({ sticky: e.currentTarget.checked })}
        />
        <Button
          type="submit"
          size="xs"
          variant="default"
          loading={saving}
          disabled={!text}
          rightSection={<ShortcutKeys keys="mod+Enter" />}
        >
          Add note
        </Button>
      </Group>
    </form>
  )
}
