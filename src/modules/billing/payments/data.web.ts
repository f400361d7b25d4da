import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import type { RecordOf } from '#kernel/resource.ts'
import { financeRequest } from '../approvals/finance-request.ts'
import { balanceChange, customer } from '../customers/customer.ts'
import { invoice } from '../invoices/invoice.ts'
import { charge, refund, webhookEvent } from './charge.ts'

export type ChargeRecord = RecordOf<typeof charge>

export type RefundRecord = RecordOf<typeof refund>

export const PENDING_PAYMENT_POLL_MS = 3000

const SHOWN = [charge, refund, invoice, customer, webhookEvent, balanceChange, financeRequest]
  .map((r): string => r.url)
  .concat('/api/financial/bank_lines', '/api/financial/discount_approvals')

/** Matches the URLs of lists below an invoice, a customer or a payment. */
const UNDER = /^\/api\/financial\/\w+\/\d+\/(?:charges|refunds)$/

/** Refetches all lists and records that show movements of money. Several screens may show the same movement. */
const refresh = (queries: QueryClient) =>
  queries.invalidateQueries({
    predicate: ({ queryKey: [at] }) => typeof at === 'string' && (SHOWN.includes(at) || UNDER.test(at)),
  })

/** Returns a mutation that moves money. It then refetches the screens that show the movement, even after a failure. */
export function usePaymentMutation<V, T>(send: (what: V) => Promise<T>) {
  const queries = useQueryClient()
  return useMutation({ mutationFn: send, onSettled: () => refresh(queries) })
}
