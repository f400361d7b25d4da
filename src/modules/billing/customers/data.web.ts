import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { CURRENCIES } from '#kernel/money.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { contact } from '#modules/crm/contacts/contact.ts'
import { leadSource } from '#modules/crm/contacts/import-batch.ts'
import { type Collection, callApi } from '#web/api/client.ts'
import { recordQueryOptions } from '#web/api/resources.ts'
import { emptyFieldFilter, emptyFieldFilterSchema } from '#web/lists/empty-field-filter.ts'
import { weekFilterSchema } from '#web/lists/weeks.ts'
import { financeRequest } from '../approvals/finance-request.ts'
import type { card } from '../cards/card.ts'
import { coupon } from '../catalogue/coupon.ts'
import { balanceChange, customer } from './customer.ts'

/** URL state shared by financial lists: dates, currency and lead source. */
export const financialListUrlState = {
  when: weekFilterSchema,
  currency: z.enum(['', ...CURRENCIES]).default(''),
  cameFrom: z.string().regex(/^\d*$/).default(''),
  notSaid: emptyFieldFilterSchema,
}
export const FINANCIAL_LIST_FILTERS = [
  'currency',
  { key: 'cameFrom', label: 'Lead source', target: leadSource },
  emptyFieldFilter({ cameFrom: 'Lead source' }),
]

export type CustomerRecord = RecordOf<typeof customer>

/** Returns a customer's company name or, if there is none, the contact's name or the e-mail address. */
export const formatCustomerName = (c: Pick<CustomerRecord, 'companyName' | 'contactName' | 'email'>): string =>
  c.companyName ?? c.contactName ?? c.email ?? 'Customer'

/** Returns the query key for one of a customer's lists, such as cards. */
export const customerListQueryKey = (id: number, part: 'cards' | 'mandates') => [customer.url, id, part] as const

export type CardRecord = RecordOf<typeof card>

export const useCustomerCards = (id: number, enabled = true) =>
  useQuery({
    queryKey: customerListQueryKey(id, 'cards'),
    queryFn: ({ signal }) =>
      callApi<Collection<CardRecord>>('GET', `${customer.url}/${id}/cards`, undefined, { signal }),
    enabled,
  })

/**
 * Returns a mutation that runs an action on a customer. Afterwards, even after a failure, it refetches the customer,
 * the customer lists, cards, Direct Debits, balance changes, coupons and contacts.
 */
export function useCustomerMutation<T, V = void>(id: number, send: (what: V) => Promise<T>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: recordQueryOptions(customer, id).queryKey }),
        queries.invalidateQueries({ queryKey: customerListQueryKey(id, 'cards') }),
        queries.invalidateQueries({ queryKey: customerListQueryKey(id, 'mandates') }),
        queries.invalidateQueries({ queryKey: [customer.url, 'list'] }),
        queries.invalidateQueries({ queryKey: [balanceChange.url] }),
        queries.invalidateQueries({ queryKey: [financeRequest.url] }),
        queries.invalidateQueries({ queryKey: [coupon.url] }),
        queries.invalidateQueries({ queryKey: [contact.url] }),
      ]),
  })
}
