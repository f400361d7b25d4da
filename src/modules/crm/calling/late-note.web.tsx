import { Button, Group, Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type FocusEvent, useCallback, useEffect, useEffectEvent, useRef } from 'react'
import { flushSync } from 'react-dom'
import { createIdempotencyKeys } from '#web/api/idempotency.ts'
import { QUEUED_MESSAGE, QUEUED_RESULT, type QueuedResult, sendOrQueue } from '#web/offline/outbox/outbox.ts'
import { ShortcutKeys } from '#web/ui/keys/shortcut.tsx'
import { showUndoToast, toast } from '#web/ui/toast.ts'
import { contact, note } from '../contacts/contact.ts'
import { leadNotesQueryOptions, type TimelineNote } from '../contacts/data.web.ts'
import timeline from '../timeline/timeline.module.css'
import css from './calling.module.css'
import { type CallDraftUpdater, callDrafts } from './draft.web.ts'
import { type PreviousLeadNote, previousLeadNote, usePreviousLeadNote } from './late-note-state.web.ts'
import { leadViewPath } from './start-calling.web.ts'

interface Words {
  readonly notes: string
  readonly sticky?: boolean
  readonly minutes?: number
}

interface Named {
  readonly id: number
  readonly name: string
}

/**
 * Returns a function that adds a note to a lead's timeline, or queues the note while offline. Retries are idempotent.
 */
export function useAddNote() {
  const queries = useQueryClient()
  const keys = useRef(createIdempotencyKeys())
  return useCallback(
    async ({ id, name }: Named, words: Words, { lasting = false } = {}): Promise<TimelineNote | QueuedResult> => {
      const values = { contact: `${contact.url}/${id}`, ...words }
      const made = await sendOrQueue<TimelineNote>('POST', note.url, values, {
        idempotencyKey: keys.current.keyFor(values),
        lasting,
        description: { what: 'Note', of: name, text: words.notes, at: leadViewPath(id), about: [values.contact] },
      })
      keys.current.forget()
      if (made === QUEUED_RESULT) return made
      const { queryKey } = leadNotesQueryOptions(id)
      queries.setQueryData(queryKey, (was) => was && [made, ...was.filter((n) => n.id !== made.id)])
      void queries.invalidateQueries({ queryKey })
      return made
    },
    [queries],
  )
}

/** Field for a note about a lead that is no longer on the screen. */
export function PreviousLeadNoteField() {
  const { note } = usePreviousLeadNote()
  return note ? <Box key={note.lead} note={note} /> : null
}

function Box({ note }: { readonly note: PreviousLeadNote }) {
  const field = useRef<HTMLTextAreaElement>(null)
  const addNote = useAddNote()
  const add = async (closed = previousLeadNote.close(), lasting = false) => {
    const text = closed?.text.trim()
    if (!closed || !text) return
    try {
      const made = await addNote({ id: closed.lead, name: closed.name }, { notes: text }, { lasting })
      if (made === QUEUED_RESULT)
        toast.info(`The note for ${closed.name} has not been sent yet. ${QUEUED_MESSAGE}`, 'attention')
      else toast.info(`Note added to ${closed.name}`, 'safe')
    } catch (e) {
      previousLeadNote.keep(closed)
      toast.failed(e)
    }
  }
  const drop = () => {
    const dropped = previousLeadNote.close()
    if (dropped?.text.trim())
      showUndoToast({ message: `Note for ${dropped.name} discarded`, undo: () => previousLeadNote.keep(dropped) })
  }
  useEffect(() => {
    const at = field.current
    at?.focus({ preventScroll: true })
    at?.setSelectionRange(at.value.length, at.value.length)
  }, [])
  const onHide = useEffectEvent(() => void add(undefined, true))
  useEffect(() => {
    const leave = () => onHide()
    addEventListener('pagehide', leave)
    return () => removeEventListener('pagehide', leave)
  }, [])
  /** Leaving the field saves the note, except when the field itself moves to another screen. */
  const onBlur = ({ relatedTarget: to, currentTarget }: FocusEvent<HTMLFormElement>) => {
    if (currentTarget.contains(to)) return
    if (to) return void add()
    requestAnimationFrame(() => {
      const isLeft = !currentTarget.contains(document.activeElement) && document.hasFocus()
      if (currentTarget.isConnected && isLeft) void add()
    })
  }
  return (
    <form
      className={css.late}
      data-late-note
      onBlur={onBlur}
      onSubmit={(e) => {
        e.preventDefault()
        void add()
      }}
    >
      <Textarea
        ref={field}
        label={`Note for ${note.name}`}
        rows={2}
        classNames={{ input: timeline.growing ?? '' }}
        maxLength={20_000}
        value={note.text}
        onChange={(e) => previousLeadNote.write(e.currentTarget.value)}
        onKeyDown={(e) => {
          if (e.key === 'Escape') drop()
          if (e.key !== 'Enter' || e.shiftKey) return
          e.preventDefault()
          void add()
        }}
      />
      <Group gap="xs" mt="xs">
        <Button type="submit" size="xs" rightSection={<ShortcutKeys keys="Enter" />}>
          Add note
        </Button>
        <Button size="xs" variant="subtle" rightSection={<ShortcutKeys keys="Escape" />} onClick={drop}>
          Cancel
        </Button>
      </Group>
    </form>
  )
}

/**
 * Moves the text of the note on a previous lead into that lead's own note field if the lead is shown again while the
 * note is being typed. No keystroke is lost.
 */
export function useRestorePreviousLeadNote(id: number, change: CallDraftUpdater, show: () => void) {
  const { note, waiting } = usePreviousLeadNote()
  const isBack = note?.lead === id && !waiting
  useEffect(() => previousLeadNote.arrived(), [])
  const take = useEffectEvent(() => {
    // The URL already belongs to another lead, so this screen is about to unmount.
    if (location.pathname !== leadViewPath(id)) return
    const { notes } = callDrafts.get(id)
    const words = previousLeadNote.takeFor(id)
    // Rendered before the field is focused, so that further typing is appended.
    flushSync(() => {
      show()
      change({ notes: [notes, words].filter(Boolean).join('\n') })
    })
    const field = document.querySelector<HTMLTextAreaElement>('[data-lead-screen] textarea')
    field?.focus()
    field?.setSelectionRange(field.value.length, field.value.length)
  })
  useEffect(() => {
    if (!isBack) return
    const timer = setTimeout(() => take())
    return () => clearTimeout(timer)
  }, [isBack])
}
