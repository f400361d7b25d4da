import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { RecordOf } from '#kernel/resource.ts'
import { type Collection, call } from '#web/api/client.ts'
import { oneOptions } from '#web/api/resources.ts'
import { contact } from '../crm/contact.ts'
import { card } from './card.ts'
import { coupon } from './coupon.ts'
import type { CouponTerms } from './coupon-rules.ts'
import { customer } from './customer.ts'
import type { Metadata } from './customer-metadata.ts'

export type Customer = Omit<RecordOf<typeof customer>, 'coupon' | 'metadata' | 'contact'> & {
  readonly coupon: (CouponTerms & { '@id': string; id: number }) | null
  readonly contact: { '@id': string; id: number; name: string | null; companyName: string | null } | null
  readonly metadata: Metadata
}
export type Card = RecordOf<typeof card>

/** What a person calls the customer. */
export const customerName = (c: Pick<Customer, 'companyName' | 'contactName' | 'email'>): string =>
  c.companyName ?? c.contactName ?? c.email ?? 'Customer'

const cardsKey = (id: number) => [card.url, 'of', id] as const

/** The cards that are in use. */
export const useCards = (id: number) =>
  useQuery({
    queryKey: cardsKey(id),
    queryFn: ({ signal }) => call<Collection<Card>>('GET', `${customer.url}/${id}/cards`, undefined, { signal }),
  })

/** Something done to a customer: the record, its cards and the notes of its contact are read again, whatever came of it. */
export function useCustomerCall<T, V = void>(id: number, send: (what: V) => Promise<T>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: oneOptions(customer, id).queryKey }),
        queries.invalidateQueries({ queryKey: cardsKey(id) }),
        queries.invalidateQueries({ queryKey: [customer.url, 'list'] }),
        queries.invalidateQueries({ queryKey: [coupon.url] }),
        queries.invalidateQueries({ queryKey: [contact.url] }),
      ]),
  })
}
