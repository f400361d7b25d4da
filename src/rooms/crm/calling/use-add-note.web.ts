import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'
import { call } from '#web/api/client.ts'
import { contact } from '../contacts/contact.ts'
import { type Note, notesOptions } from '../contacts/data.web.ts'
import { note } from '../contacts/note.ts'

interface Words {
  readonly notes: string
  readonly sticky?: boolean
  readonly minutes?: number
}

/** Adds a note to a lead's timeline; the same once more, after a failure, is added once. */
export function useAddNote() {
  const queries = useQueryClient()
  const sent = useRef<{ body: string; key: string }>(undefined)
  return useCallback(
    async (lead: number, words: Words, { lasting = false } = {}) => {
      const values = { contact: `${contact.url}/${lead}`, ...words }
      const body = JSON.stringify(values)
      if (sent.current?.body !== body)
        sent.current = { body, key: crypto.getRandomValues(new Uint32Array(4)).join('-') }
      const made = await call<Note>('POST', note.url, values, { idempotencyKey: sent.current.key, lasting })
      const { queryKey } = notesOptions(lead)
      queries.setQueryData(queryKey, (was) => was && [made, ...was.filter((n) => n.id !== made.id)])
      void queries.invalidateQueries({ queryKey })
    },
    [queries],
  )
}
