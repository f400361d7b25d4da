import { useMutation, useQueryClient } from '@tanstack/react-query'
import { iriOf, type RecordOf } from '#kernel/resource.ts'
import { type Actor, holds } from '#kernel/roles.ts'
import { isSameName } from '#kernel/signature.ts'
import { SIGN_FOR_OTHERS } from '#rooms/documents/kinds/rights.ts'
import { call } from '#web/api/client.ts'
import { oneOptions, useOne } from '#web/api/resources.ts'
import { presentedTalk } from './toolbox-talk.ts'

/** Somebody who was to hear the talk, as the record holds them. */
export interface Attendee {
  readonly '@id'?: string
  readonly name: string
  readonly method?: 'finger' | 'typed' | 'on behalf' | null
  readonly strokes?: unknown
  /** Whose account it is, and whose hand signed; what the portal says, and nobody sends. */
  readonly user?: number | null
  readonly signer?: number | null
  readonly visitor?: boolean
  readonly byName?: string | null
  readonly signedAt?: string | null
  readonly absence?: string | null
}

export type Presented = Omit<RecordOf<typeof presentedTalk>, 'attendees'> & { readonly attendees: readonly Attendee[] }

export function usePresented(slug: string | undefined) {
  const found = useOne(presentedTalk, slug)
  return { ...found, record: found.data as unknown as Presented | undefined }
}

/** How somebody could sign for one who is named; `undefined` where that is not theirs to do. */
export function signingOf(actor: Actor, { name, user, visitor }: Attendee): 'own' | 'visitor' | 'behalf' | undefined {
  if (actor.original) return undefined
  if (user === actor.userId || (!user && isSameName(name, actor.name))) return 'own'
  return visitor ? 'visitor' : holds(actor, SIGN_FOR_OTHERS) ? 'behalf' : undefined
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
