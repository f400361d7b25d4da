import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { formatMoney } from '#kernel/money.ts'
import { describeLineDiscount } from '#kernel/money-totals.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { callApi } from '#web/api/client.ts'
import { customer } from '../customers/customer.ts'
import { invoice } from '../invoices/invoice.ts'
import { describeBillingInterval } from '../lines/payment-words.ts'
import type { DiscountApprovalState } from '../quotes/data.web.ts'
import {
  type ChangeTime,
  priceNotice,
  type SubscriptionAction,
  type SubscriptionChangeLine,
  subscription,
  subscriptionChange,
  type subscriptionItem,
} from './subscription.ts'
import { recurringItemAmount } from './timeline.ts'

export type SubscriptionRecord = RecordOf<typeof subscription>
export type SubscriptionItemRecord = RecordOf<typeof subscriptionItem>

export interface SubscriptionChangeBody {
  readonly way: SubscriptionAction
  readonly item?: string
  readonly plan?: string
  readonly quantity?: number
  readonly when?: ChangeTime
  readonly credit?: boolean
}

export interface SubscriptionChangePreview {
  readonly sentence: string
  readonly currency: string
  readonly lines: readonly SubscriptionChangeLine[]
  readonly net: number
  readonly tax: number
  readonly gross: number
  readonly invoiced: number
  readonly credited: number
  readonly needsFinance: boolean
  /** Credit for the unused days of a change made now, in pence including VAT; null if there is none. */
  readonly unused: number | null
  /**
   * Pence per full period, excluding VAT: in this period before the change, and in the next period after the change.
   */
  readonly perPeriod: number
  readonly perNextPeriod: number
  /** First day of the next period. */
  readonly nextPeriod: string
  /** `null` if the change doesn’t raise the discount, or the discount is within the limit. */
  readonly approval: DiscountApprovalState | null
  readonly token: string
}

export const useSubscriptionPreview = (
  of: Pick<SubscriptionRecord, '@id' | 'updatedAt'>,
  asking: SubscriptionChangeBody | undefined,
) =>
  useQuery({
    queryKey: [subscription.url, 'preview', of['@id'], of.updatedAt, asking],
    queryFn: ({ signal }) => callApi<SubscriptionChangePreview>('POST', `${of['@id']}/preview`, asking, { signal }),
    enabled: asking !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
  })

/**
 * Returns a mutation that runs an action on subscriptions. It then refetches the subscriptions, their invoices and
 * their customer.
 */
export function useSubscriptionMutation<T, V = void>(send: (what: V) => Promise<T>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess: () =>
      Promise.all(
        [subscription, subscriptionChange, priceNotice, invoice, customer].map((r) =>
          queries.invalidateQueries({ queryKey: [r.url] }),
        ),
      ),
  })
}

/** Returns the billing interval in words, such as `every month`. */
export const describeSubscriptionInterval = ({
  interval,
  intervalCount,
}: Pick<SubscriptionRecord, 'interval' | 'intervalCount'>): string => describeBillingInterval(interval, intervalCount)

/** Describes the unit price of an item, such as `£24.99 each less 12.5%`. */
export const describeUnitPrice = (
  item: SubscriptionItemRecord,
  { currency }: Pick<SubscriptionRecord, 'currency'>,
): string => `${formatMoney(item.amount, currency)} each ${describeLineDiscount(item)}`.trim()

/** Describes the price of an item, such as `£24.99 each less 12.5%, £65.60 every month, excl. VAT`. */
export const describeItemPrice = (
  item: SubscriptionItemRecord,
  of: Pick<SubscriptionRecord, 'currency' | 'interval' | 'intervalCount'>,
): string =>
  `${describeUnitPrice(item, of)}, ${formatMoney(recurringItemAmount(item), of.currency)} ${describeSubscriptionInterval(of)}, excl. VAT${item.keepsPrice ? ' · agreed price' : ''}`

export const hasSubscriptionEnded = ({ status }: Pick<SubscriptionRecord, 'status'>): boolean => status === 'cancelled'
