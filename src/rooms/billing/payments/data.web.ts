import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import type { RecordOf } from '#kernel/resource.ts'
import { customer } from '../customers/customer.ts'
import { invoice } from '../invoices/invoice.ts'
import { charge } from './charge.ts'
import { refund } from './refund.ts'
import { webhookEvent } from './webhook-event.ts'

export type Charge = RecordOf<typeof charge>
export type Refund = RecordOf<typeof refund>

/** Milliseconds after which a payment that is under way is looked at again. */
export const LOOK_AGAIN = 3000

/** Whatever money moves stands in several places: they are read again. */
const refresh = (queries: QueryClient) =>
  Promise.all(
    [charge, refund, invoice, customer, webhookEvent].map((r) => queries.invalidateQueries({ queryKey: [r.url] })),
  )

/** Something done about money: what shows it is read again, whatever came of it. */
export function useMoney<V, T>(send: (what: V) => Promise<T>) {
  const queries = useQueryClient()
  return useMutation({ mutationFn: send, onSettled: () => refresh(queries) })
}
