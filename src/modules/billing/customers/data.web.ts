import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { RecordOf } from '#kernel/resource.ts'
import { contact } from '#modules/crm/contacts/contact.ts'
import { oneOptions } from '#web/api/resources.ts'
import { coupon } from '../catalogue/coupon.ts'
import { balanceChange } from './balance-change.ts'
import { customer } from './customer.ts'

export type Customer = RecordOf<typeof customer>

/** What a person calls the customer. */
export const customerName = (c: Pick<Customer, 'companyName' | 'contactName' | 'email'>): string =>
  c.companyName ?? c.contactName ?? c.email ?? 'Customer'

/** Under which key a list that hangs on a customer is kept: their cards. */
export const partKey = (id: number, part: 'cards') => [customer.url, id, part] as const

/** Something done to a customer: the record, its cards and the notes of its contact are read again, whatever came of it. */
export function useCustomerCall<T, V = void>(id: number, send: (what: V) => Promise<T>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: oneOptions(customer, id).queryKey }),
        queries.invalidateQueries({ queryKey: partKey(id, 'cards') }),
        queries.invalidateQueries({ queryKey: [customer.url, 'list'] }),
        queries.invalidateQueries({ queryKey: [balanceChange.url] }),
        queries.invalidateQueries({ queryKey: [coupon.url] }),
        queries.invalidateQueries({ queryKey: [contact.url] }),
      ]),
  })
}
