import { useQuery } from '@tanstack/react-query'
import type { RecordOf } from '#kernel/resource.ts'
import { type Collection, callApi } from '#web/api/client.ts'
import { customer } from '../customers/customer.ts'
import { customerListQueryKey } from '../customers/data.web.ts'
import type { card } from './card.ts'

export type CardRecord = RecordOf<typeof card>

export const useCustomerCards = (id: number, enabled = true) =>
  useQuery({
    queryKey: customerListQueryKey(id, 'cards'),
    queryFn: ({ signal }) =>
      callApi<Collection<CardRecord>>('GET', `${customer.url}/${id}/cards`, undefined, { signal }),
    enabled,
  })
