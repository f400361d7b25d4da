import { useQuery } from '@tanstack/react-query'
import type { RecordOf } from '#kernel/resource.ts'
import { type Collection, call } from '#web/api/client.ts'
import { customer } from '../customers/customer.ts'
import { partKey } from '../customers/data.web.ts'
import type { card } from './card.ts'

export type Card = RecordOf<typeof card>

/** Active cards of a customer. */
export const useCards = (id: number, enabled = true) =>
  useQuery({
    queryKey: partKey(id, 'cards'),
    queryFn: ({ signal }) => call<Collection<Card>>('GET', `${customer.url}/${id}/cards`, undefined, { signal }),
    enabled,
  })
