import { useMutation, useQueryClient } from '@tanstack/react-query'
import { iriOf, type RecordOf } from '#kernel/resource.ts'
import { call } from '#web/api/client.ts'
import { oneOptions, useOne } from '#web/api/resources.ts'
import { presentedTalk } from './toolbox-talk.ts'

/** Somebody who was to hear the talk, as the record holds them. */
export interface Attendee {
  readonly '@id'?: string
  readonly name: string
  readonly method?: 'finger' | 'typed' | 'on behalf' | null
  readonly byName?: string | null
  readonly strokes?: unknown
  readonly signedAt?: string | null
  readonly absence?: string | null
}

export type Presented = Omit<RecordOf<typeof presentedTalk>, 'attendees'> & { readonly attendees: readonly Attendee[] }

export function usePresented(slug: string | undefined) {
  const found = useOne(presentedTalk, slug)
  return { ...found, record: found.data as unknown as Presented | undefined }
}

/** Changes the record at once: a signature must not wait for a button. */
export function useChange(id: number) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (values: Readonly<Record<string, unknown>>) => call<Presented>('PUT', iriOf(presentedTalk, id), values),
    onSuccess: (saved) => {
      queries.setQueryData(oneOptions(presentedTalk, id).queryKey, saved as never)
      void queries.invalidateQueries({ queryKey: [presentedTalk.url, 'list'] })
    },
  })
}
