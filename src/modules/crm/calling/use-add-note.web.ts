import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'
import { createIdempotencyKeys } from '#web/api/idempotency.ts'
import { QUEUED_RESULT, type QueuedResult, sendOrQueue } from '#web/offline/outbox/outbox.ts'
import { contact, note } from '../contacts/contact.ts'
import { leadNotesOptions, type TimelineNote } from '../contacts/data.web.ts'
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

/** Adds a note to a lead's timeline, or queues it while offline. Retries are idempotent. */
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
      const { queryKey } = leadNotesOptions(id)
      queries.setQueryData(queryKey, (was) => was && [made, ...was.filter((n) => n.id !== made.id)])
      void queries.invalidateQueries({ queryKey })
      return made
    },
    [queries],
  )
}
