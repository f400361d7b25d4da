import '@mantine/core/styles/InlineInput.layer.css'
import { Button, Checkbox, Group, Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { isSameValue } from '#kernel/forms/visible.ts'
import { createIdempotencyKeys } from '#web/api/idempotency.ts'
import { session } from '#web/api/session.ts'
import { QUEUED, type QueuedResult, sendOrQueue } from '#web/offline/outbox/outbox.ts'
import { ownTabValue } from '#web/offline/owner.ts'
import { ShortcutKeys } from '#web/ui/keys/shortcut.tsx'
import { toast } from '#web/ui/toast.ts'
import { contact, note } from '../contacts/contact.ts'
import { type LeadRecord, leadName, leadNotesOptions, type TimelineNote } from '../contacts/data.web.ts'
import timeline from '../timeline/timeline.module.css'
import css from './calling.module.css'
import { leadViewPath } from './on-from-sale.web.tsx'

/** Unsaved input about a call, stored in the browser tab per person and lead. */
export interface CallDraft {
  readonly notes: string
  /** Callback date as typed so far. */
  readonly when: string
  readonly sticky: boolean
  /** Minutes typed by hand, instead of the timer's. */
  readonly minutes: number | null
  /** Start time of the timer in ms; null while it is stopped. */
  readonly startedAt: number | null
  /** Time measured by earlier runs of the timer, in ms. */
  readonly ran: number
}

export const EMPTY_CALL_DRAFT: CallDraft = {
  notes: '',
  when: '',
  sticky: false,
  minutes: null,
  startedAt: null,
  ran: 0,
}

const stored = (id: number) => ownTabValue<Partial<CallDraft>>(session.me(), `lead ${id}`)

export const callDrafts = {
  get: (id: number): CallDraft => ({ ...EMPTY_CALL_DRAFT, ...stored(id).read() }),
  set: (id: number, draft: CallDraft) => stored(id).write(isSameValue(draft, EMPTY_CALL_DRAFT) ? undefined : draft),
}

export type ChangeCallDraft = (change: Partial<CallDraft>) => void

export function useCallDraft(id: number) {
  const [draft, setDraft] = useState(() => callDrafts.get(id))
  const change = useCallback<ChangeCallDraft>(
    (change) =>
      setDraft((was) => {
        const next = { ...was, ...change }
        callDrafts.set(id, next)
        return next
      }),
    [id],
  )
  return { draft, change }
}

/** Milliseconds on the timer. */
export const timeElapsed = (d: CallDraft, now = Date.now()) =>
  d.ran + (d.startedAt === null ? 0 : Math.max(0, now - d.startedAt))

/** Minutes to record: as typed, or the timer's, rounded to the nearest minute. */
export function draftMinutes(d: CallDraft, now = Date.now()): number | undefined {
  if (d.minutes !== null) return d.minutes
  const ms = timeElapsed(d, now)
  return ms > 0 ? Math.max(1, Math.round(ms / 60_000)) : undefined
}

export const startTimer = (d: CallDraft): Partial<CallDraft> => (d.startedAt === null ? { startedAt: Date.now() } : {})
export const stopTimer = (d: CallDraft): Partial<CallDraft> => ({ startedAt: null, ran: timeElapsed(d) })

/** Re-renders once a second while the timer is running. */
export function useTick(running: boolean): void {
  const [, draw] = useState(0)
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => draw((n) => n + 1), 1000)
    return () => clearInterval(timer)
  }, [running])
}

interface Words {
  readonly notes: string
  readonly sticky?: boolean
  readonly minutes?: number
}

interface Named {
  readonly id: number
  readonly name: string
}

/** Adds a note to a lead's timeline, or queues it offline. Retries are idempotent. */
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
      if (made === QUEUED) return made
      const { queryKey } = leadNotesOptions(id)
      queries.setQueryData(queryKey, (was) => was && [made, ...was.filter((n) => n.id !== made.id)])
      void queries.invalidateQueries({ queryKey })
      return made
    },
    [queries],
  )
}

interface Props {
  readonly lead: LeadRecord
  readonly draft: CallDraft
  readonly change: ChangeCallDraft
}

/** Field for call notes: saved as a note, or together with the outcome. */
export function NoteField({ lead, draft, change }: Props) {
  const [saving, setSaving] = useState(false)
  const addNote = useAddNote()
  const text = draft.notes.trim()
  const add = async () => {
    if (!text || saving) return
    setSaving(true)
    try {
      await addNote(
        { id: lead.id, name: leadName(lead) },
        { notes: text, sticky: draft.sticky, minutes: draftMinutes(draft) ?? 0 },
      )
      // Queued notes are shown in the timeline too.
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
