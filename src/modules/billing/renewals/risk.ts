import type { BillingInterval } from '#kernel/money/periods.ts'
import type { Currency } from '#kernel/money.ts'

export const RENEWALS_URL = '/api/financial/renewals'

export const RENEWAL_DAYS_AHEAD = 90
/**
 * Days for which a failed payment is treated as a risk sign, and days without a sign-in after which a client is treated
 * as inactive.
 */
export const RECENT_FAILED_PAYMENT_DAYS = 90
export const INACTIVE_CLIENT_DAYS = 60

/** Signs that a subscription may not be renewed, with their points out of a hundred. */
export const RENEWAL_RISK_SIGNS = [
  { sign: 'ends', points: 50, words: 'The subscription is set to end after this period' },
  { sign: 'overdue', points: 25, words: 'The customer has an overdue invoice' },
  { sign: 'failed', points: 20, words: `A payment failed in the last ${RECENT_FAILED_PAYMENT_DAYS} days` },
  { sign: 'card', points: 15, words: 'The default card expires before the renewal date' },
  { sign: 'quiet', points: 15, words: `Nobody at the client has signed in for ${INACTIVE_CLIENT_DAYS} days` },
] as const
export type RenewalRiskSign = (typeof RENEWAL_RISK_SIGNS)[number]['sign']

export const RENEWAL_RISK_BANDS = [
  { value: 'high', label: 'High', from: 50 },
  { value: 'medium', label: 'Medium', from: 20 },
  { value: 'low', label: 'Low', from: 0 },
] as const
export type RenewalRiskBand = (typeof RENEWAL_RISK_BANDS)[number]['value']

/** Sort orders: highest risk first, highest value first or earliest date first. */
export const RENEWAL_SORT_ORDERS = [
  { value: 'risk', label: 'Risk' },
  { value: 'value', label: 'Value' },
  { value: 'day', label: 'Date' },
] as const

export const calculateRenewalRisk = (signs: readonly RenewalRiskSign[]): number =>
  Math.min(
    100,
    RENEWAL_RISK_SIGNS.reduce((sum, { sign, points }) => sum + (signs.includes(sign) ? points : 0), 0),
  )

export const renewalRiskBandFor = (risk: number): RenewalRiskBand =>
  RENEWAL_RISK_BANDS.find(({ from }) => risk >= from)?.value ?? 'low'

/** A subscription whose next period starts soon. */
export interface UpcomingRenewal {
  readonly '@id': string
  readonly id: number
  readonly customer: string
  readonly company: string
  readonly renewsOn: string
  readonly interval: BillingInterval
  readonly intervalCount: number
  readonly currency: Currency
  /** Pence per year, excluding VAT, after line discounts and before any discount from a coupon or quote. */
  readonly yearly: number
  readonly risk: number
  readonly band: RenewalRiskBand
  readonly signs: readonly RenewalRiskSign[]
}

export interface RenewalTotal {
  readonly currency: Currency
  readonly band: RenewalRiskBand
  readonly subscriptions: number
  readonly yearly: number
}

export interface RenewalsReport {
  readonly from: string
  readonly to: string
  readonly sums: readonly RenewalTotal[]
  readonly total: number
  readonly rows: readonly UpcomingRenewal[]
}
