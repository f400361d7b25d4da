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

const SHOWN = [charge, refund, invoice, customer, webhookEvent]
  .map((r): string => r.url)
  .concat('/api/financial/bank_lines', '/api/financial/discount_approvals')
/** What belongs to an invoice, a customer or a payment is listed under its address. */
const UNDER = /^\/api\/financial\/\w+\/\d+\/(?:charges|refunds)$/

/** Whatever money moves stands in several places: they are read again. */
const refresh = (queries: QueryClient) =>
  queries.invalidateQueries({
    predicate: ({ queryKey: [at] }) => typeof at === 'string' && (SHOWN.includes(at) || UNDER.test(at)),
  })

/** Something done about money: what shows it is read again, whatever came of it. */
export function useMoney<V, T>(send: (what: V) => Promise<T>) {
  const queries = useQueryClient()
  return useMutation({ mutationFn: send, onSettled: () => refresh(queries) })
}
