import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'
import { idempotencyKeys } from '#web/api/idempotency.ts'
import { QUEUED, type QueuedOffline, sendOrQueue } from '#web/offline/outbox/outbox.ts'
import { contact } from '../contacts/contact.ts'
import { type Note, notesOptions } from '../contacts/data.web.ts'
import { note } from '../contacts/note.ts'
import { pathOf } from './start-calling.web.ts'

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
  const keys = useRef(idempotencyKeys())
  return useCallback(
    async ({ id, name }: Named, words: Words, { lasting = false } = {}): Promise<Note | QueuedOffline> => {
      const values = { contact: `${contact.url}/${id}`, ...words }
      const made = await sendOrQueue<Note>('POST', note.url, values, {
        idempotencyKey: keys.current.keyFor(values),
        lasting,
        description: { what: 'Note', of: name, text: words.notes, at: pathOf(id), about: [values.contact] },
      })
      keys.current.forget()
      if (made === QUEUED) return made
      const { queryKey } = notesOptions(id)
      queries.setQueryData(queryKey, (was) => was && [made, ...was.filter((n) => n.id !== made.id)])
      void queries.invalidateQueries({ queryKey })
      return made
    },
    [queries],
  )
}
