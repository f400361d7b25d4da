import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { RecordOf } from '#kernel/resource.ts'
import { call } from '#web/api/client.ts'
import { customer } from '../customers/customer.ts'
import { invoice } from '../invoices/invoice.ts'
import { everyWords } from '../lines/sum.ts'
import { type ChangeLine, subscriptionChange } from './change.ts'
import { subscription, type subscriptionItem, type Way } from './subscription.ts'

export type Subscription = RecordOf<typeof subscription>
export type SubscriptionItem = RecordOf<typeof subscriptionItem>

export interface Asking {
  readonly way: Way
  readonly item?: string
  readonly plan?: string
  readonly quantity?: number
  readonly credit?: boolean
}

export interface Preview {
  readonly sentence: string
  readonly currency: string
  readonly lines: readonly ChangeLine[]
  readonly net: number
  readonly tax: number
  readonly gross: number
  readonly invoiced: number
  readonly credited: number
  readonly needsFinance: boolean
  readonly token: string
}

export const useSubscriptionPreview = (of: Pick<Subscription, '@id' | 'updatedAt'>, asking: Asking | undefined) =>
  useQuery({
    queryKey: [subscription.url, 'preview', of['@id'], of.updatedAt, asking],
    queryFn: ({ signal }) => call<Preview>('POST', `${of['@id']}/preview`, asking, { signal }),
    enabled: asking !== undefined,
    retry: false,
    gcTime: 0,
  })

/** Mutation on subscriptions; refetches them, their invoices and their customer. */
export function useSubscriptionCall<T, V = void>(send: (what: V) => Promise<T>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess: () =>
      Promise.all(
        [subscription, subscriptionChange, invoice, customer].map((r) =>
          queries.invalidateQueries({ queryKey: [r.url] }),
        ),
      ),
  })
}

/** Billing interval in words: `every month`. */
export const rhythmWords = ({ interval, intervalCount }: Pick<Subscription, 'interval' | 'intervalCount'>): string =>
  everyWords(interval, intervalCount)

export const isOver = ({ status }: Pick<Subscription, 'status'>): boolean => status === 'cancelled'
