import { choice, date, decimal, flag, instant, integer, link, rows, text, typedJson } from '#kernel/fields.ts'
import { BILLING_INTERVALS } from '#kernel/money/periods.ts'
import { CURRENCIES, type Currency } from '#kernel/money.ts'
import { type Resource, resource } from '#kernel/resource.ts'
import type { CouponTerms } from '../catalogue/coupon-rules.ts'
import { plan, product } from '../catalogue/plan.ts'
import { customer } from '../customers/customer.ts'
import { invoice } from '../invoices/invoice.ts'
import { lineVatFields } from '../lines/line-vat.ts'
import { quote } from '../quotes/quote.ts'
import { INVOICING_PACK, PRICING_ROLES, SELLING_ROLES } from '../rights.ts'
import type { PaidItems, PausedItem, PausedItemSummary } from './timeline.ts'

/** A quantity of an item that is charged each period. `until` is the day after the last charged day. */
export const subscriptionItem = resource({
  type: 'SubscriptionItem',
  service: 'financial',
  pack: INVOICING_PACK,
  path: 'subscription_items',
  table: 'subscription_item',
  tenant: 'own',
  title: 'description',
  order: ['from', 'id'],
  fields: {
    subscription: link((): Resource => subscription, { required: true, filter: true }),
    plan: link(() => plan, { filter: true, embed: ['name', 'amount', 'retired'] }),
    product: link(() => product, { filter: true, embed: ['name'] }),
    description: text({ required: true, max: 500 }),
    /** Pence for one unit and one full period. */
    amount: integer({ required: true, min: 0, pence: true, label: 'Unit price' }),
    quantity: integer({ required: true, default: 1, min: 1, max: 1_000_000 }),
    /** Percentage off each payment for this item; null for none. */
    discountPercent: decimal({ min: 0, max: 100, label: 'Discount %' }),
    /** The percentage is stored only if the rate is not in the VAT rate table. */
    ...lineVatFields({ label: 'VAT' }, { min: 0, max: 100 }),
    discountable: flag({ default: true }),
    keepsPrice: flag({ default: false, label: 'Agreed price' }),
    from: date({ required: true, column: 'first_day', order: true, filter: true }),
    until: date({ column: 'ends_on', order: true, filter: true }),
  },
  allow: { read: SELLING_ROLES },
})

export const SUBSCRIPTION_STATES = [
  { value: 'trialing', label: 'Trial' },
  { value: 'active', label: 'Active' },
  { value: 'past_due', label: 'Past due' },
  { value: 'paused', label: 'Paused' },
  { value: 'cancelled', label: 'Cancelled' },
] as const
export type SubscriptionState = (typeof SUBSCRIPTION_STATES)[number]['value']

export const SUBSCRIPTION_ACTIONS = [
  { value: 'add', label: 'Add a plan' },
  { value: 'quantity', label: 'Change quantity' },
  { value: 'swap', label: 'Switch plan' },
  { value: 'remove', label: 'Remove an item' },
  { value: 'pause', label: 'Pause' },
  { value: 'resume', label: 'Resume' },
  { value: 'cancelAtPeriodEnd', label: 'Cancel at the end of the period' },
  { value: 'keep', label: 'Keep subscription' },
  { value: 'cancelNow', label: 'Cancel now' },
  { value: 'withdraw', label: 'Withdraw a scheduled change' },
] as const
export type SubscriptionAction = (typeof SUBSCRIPTION_ACTIONS)[number]['value']

/** When a change of items applies. Changes from the next period are never charged or credited pro rata. */
export const CHANGE_TIMES = [
  { value: 'now', label: 'Now' },
  { value: 'nextPeriod', label: 'From the next period' },
] as const
export type ChangeTime = (typeof CHANGE_TIMES)[number]['value']

export const SUBSCRIPTION_CHANGE_INPUT = {
  way: choice(SUBSCRIPTION_ACTIONS, { required: 'Please choose what to change', label: 'Action' }),
  item: link((): Resource => subscriptionItem, { label: 'Item' }),
  plan: link(() => plan, { label: 'Plan' }),
  quantity: integer({ min: 1, max: 1_000_000, label: 'Quantity' }),
  when: choice(CHANGE_TIMES, { default: 'now', label: 'When' }),
  /** True to credit the unused days when items are removed, reduced or exchanged now, or the subscription is cancelled. */
  credit: flag({ default: false, label: 'Credit the unused days' }),
}

/** Reasons for cancelling that can be given. `unpaid` is for subscriptions with an overdue invoice. */
export const GIVEN_CANCEL_REASONS = [
  { value: 'tooExpensive', label: 'Too expensive' },
  { value: 'notUsed', label: 'Not used' },
  { value: 'competitor', label: 'Moved to a competitor' },
  { value: 'closed', label: 'Business closed' },
  { value: 'service', label: 'Service problem' },
  { value: 'merged', label: 'Sold or merged' },
  { value: 'other', label: 'Other' },
  { value: 'unpaid', label: 'Unpaid' },
] as const
export type GivenCancelReason = (typeof GIVEN_CANCEL_REASONS)[number]['value']

/** All reasons for cancelling. `notRecorded` is for cancellations without a known reason. */
const CANCEL_REASONS = [...GIVEN_CANCEL_REASONS, { value: 'notRecorded', label: 'Not recorded' }] as const
export type CancelReason = (typeof CANCEL_REASONS)[number]['value']

export const describeCancelReason = (reason: CancelReason | null, notes: string): string => {
  const label = CANCEL_REASONS.find(({ value }) => value === reason)?.label ?? ''
  return notes ? `${label}: ${notes}` : label
}

/** The reason is required when a change cancels the subscription, and the notes if the reason is `other`. */
export const CANCEL_REASON_INPUT = {
  reason: choice(GIVEN_CANCEL_REASONS, { label: 'Reason for cancelling' }),
  notes: text({ max: 500, label: 'Notes' }),
}

const kept = { readonly: true, notNull: true } as const

const PLANS_SQL =
  "SELECT string_agg(i.description || CASE WHEN i.quantity > 1 THEN ' × ' || i.quantity ELSE '' END, ', ' ORDER BY i.id) " +
  'FROM subscription_item i WHERE i.client_id = t.client_id AND i.subscription_id = t.id ' +
  "AND t.status <> 'cancelled' AND i.first_day < t.renews_on AND (i.ends_on IS NULL OR i.ends_on >= t.renews_on)"

const RESUMES_WITH_SQL = `(SELECT jsonb_agg(jsonb_strip_nulls(jsonb_build_object('description', i.value -> 'description',
  'quantity', i.value -> 'quantity', 'from', i.value -> 'from', 'until', i.value -> 'until')) ORDER BY i.ordinality)
  FROM jsonb_array_elements(t.paused_items) WITH ORDINALITY i)`

export const PER_MONTH_SQL = `round(t.amount::numeric / (t.interval_count * CASE t."interval" WHEN 'year' THEN 12 WHEN 'quarter' THEN 3 ELSE 1 END))::bigint`

/**
 * A customer's recurring charges with one billing interval. Subscriptions are created by a sale, changed only through
 * previews and never deleted.
 */
export const subscription = resource({
  type: 'Subscription',
  service: 'financial',
  pack: INVOICING_PACK,
  path: 'subscriptions',
  table: 'subscription',
  tenant: 'own',
  title: 'company',
  order: ['-id'],
  state: 'status',
  fields: {
    customer: link(() => customer, { ...kept, filter: true, embed: ['companyName', 'contactName', 'email'] }),
    company: text({ ...kept, default: '', search: true, order: true, filter: 'partial' }),
    status: choice(SUBSCRIPTION_STATES, {
      ...kept,
      default: 'active',
      filter: true,
      order: true,
      count: true,
      label: 'Status',
    }),
    quote: link(() => quote, { readonly: true, filter: true, embed: ['reference'] }),
    currency: choice(CURRENCIES, { ...kept, default: 'GBP', filter: true }),
    interval: choice(BILLING_INTERVALS, { ...kept, default: 'month', filter: true, label: 'Billed every' }),
    intervalCount: integer({ ...kept, default: 1, label: 'Number of intervals' }),
    /** Pence per full period of the current items, excluding VAT and before any discount from a coupon or quote. */
    amount: integer({ ...kept, default: 0, pence: true, order: true, filter: true, label: 'Amount per period' }),
    /** `amount` per month, rounded. */
    perMonth: integer({
      readonly: true,
      pence: true,
      label: 'Amount per month',
      sql: PER_MONTH_SQL,
    }),
    /** Descriptions and quantities of the current items. */
    plans: text({
      readonly: true,
      label: 'Plans',
      sql: `coalesce((${PLANS_SQL}), '')`,
    }),
    /** First day of the first full period, from which all other periods are counted. */
    anchor: date({ ...kept, label: 'Billing starts' }),
    startedOn: date({ ...kept, filter: true, order: true, label: 'Started' }),
    /** First charged day; days before it are free. */
    chargedFrom: date(kept),
    currentFrom: date({ ...kept, label: 'Start of current period' }),
    renewsOn: date({ ...kept, filter: true, order: true, label: 'Next period' }),
    /**
     * True if the current period has been charged. Days before billing starts are charged with the first full period.
     */
    charged: flag({ readonly: true, default: false }),
    trialUntil: date({ readonly: true, filter: true, label: 'Trial until' }),
    cancelAtPeriodEnd: flag({ readonly: true, default: false, filter: true, label: 'Ends after this period' }),
    pausedOn: date({ readonly: true }),
    pausedItems: typedJson<readonly PausedItem[]>()({ readonly: true, visible: 'nobody' }),
    /** Items with which a paused subscription resumes; with days for changes from the next period. */
    resumesWith: typedJson<readonly PausedItemSummary[]>()({
      readonly: true,
      omitFromLists: true,
      sql: RESUMES_WITH_SQL,
    }),
    /** Set if items were removed or reduced without a credit. */
    paidItems: typedJson<PaidItems>()({ readonly: true, visible: 'nobody' }),
    /** Date since which one of the subscription's invoices has been overdue. */
    pastDueOn: date({ readonly: true, filter: true, order: true, label: 'Past due since' }),
    /** Date since which the subscription's applications have been read-only. */
    lapsedOn: date({ readonly: true, filter: true, label: 'Lapsed' }),
    endedOn: date({ readonly: true, filter: true, order: true, label: 'Ended' }),
    cancelledAt: instant({ readonly: true, filter: true, order: true, label: 'Cancelled' }),
    /** Set while the subscription is set to end, and once it has ended. */
    cancelReason: choice(CANCEL_REASONS, { readonly: true, filter: true, count: true, label: 'Reason for cancelling' }),
    cancelNotes: text({ ...kept, default: '', max: 500, label: 'Notes on cancelling' }),
    couponTerms: typedJson<CouponTerms>()({ readonly: true }),
    /** Number of discounted periods after the current one; null if all are discounted. */
    couponPeriodsLeft: integer({ readonly: true }),
    discounted: flag({ readonly: true, default: false }),
    poNumber: text({ readonly: true, notNull: true, default: '', label: 'Purchase order' }),
    items: rows(() => subscriptionItem, { by: 'subscription', readonly: true, label: 'Items' }),
    author: text({ readonly: true, notNull: true, stamp: 'author', default: '', person: true, label: 'Created by' }),
    createdAt: instant({ readonly: true, notNull: true, filter: true, order: true }),
    updatedAt: instant({ readonly: true, notNull: true, stamp: 'updated' }),
  },
  allow: { read: SELLING_ROLES },
  actions: {
    change: {
      path: 'change',
      title: 'Apply a previewed change to the subscription (`POST {subscription}/preview`)',
      allow: SELLING_ROLES,
      from: ['trialing', 'active', 'past_due', 'paused'],
      input: {
        ...SUBSCRIPTION_CHANGE_INPUT,
        ...CANCEL_REASON_INPUT,
        token: text({ required: 'Preview the change first' }),
      },
    },
    askApproval: {
      path: 'ask-approval',
      title: 'Request approval for the discount that a change of the subscription raises',
      allow: SELLING_ROLES,
      from: ['trialing', 'active', 'past_due'],
      input: {
        ...SUBSCRIPTION_CHANGE_INPUT,
        reason: text({ required: 'Please enter a reason', max: 500, label: 'Reason' }),
      },
    },
    keepPrice: {
      path: 'keep-price',
      title: 'Keep the agreed price of an item, or let notices of a new price apply to it',
      allow: PRICING_ROLES,
      from: ['trialing', 'active', 'past_due'],
      input: {
        item: link((): Resource => subscriptionItem, { required: 'Please choose an item', label: 'Item' }),
        keep: flag({ default: true, label: 'Keep the agreed price' }),
      },
    },
    cancel: {
      path: 'cancel',
      title: 'Cancel the subscription now without a credit',
      allow: SELLING_ROLES,
      from: ['trialing', 'active', 'past_due', 'paused'],
      input: CANCEL_REASON_INPUT,
    },
  },
})

export const SUBSCRIPTION_SUMMARY_URL = '/api/financial/subscription_summary'

/** Totals of subscriptions in one currency, in pence per month, like `perMonth`. */
export interface SubscriptionSummary {
  readonly currency: Currency
  readonly count: number
  /** Trials, active and past due subscriptions. */
  readonly running: number
  readonly paused: number
  readonly cancelled: number
}

const SUBSCRIPTION_CHANGES = [
  { value: 'started', label: 'Started' },
  { value: 'renewed', label: 'Renewed' },
  { value: 'add', label: 'Plan added' },
  { value: 'quantity', label: 'Quantity changed' },
  { value: 'swap', label: 'Plan switched' },
  { value: 'remove', label: 'Item removed' },
  { value: 'pause', label: 'Paused' },
  { value: 'resume', label: 'Resumed' },
  { value: 'cancelAtPeriodEnd', label: 'Set to end after this period' },
  { value: 'keep', label: 'Cancellation withdrawn' },
  { value: 'cancelNow', label: 'Cancelled' },
  { value: 'scheduled', label: 'Change scheduled' },
  { value: 'withdraw', label: 'Scheduled change withdrawn' },
  { value: 'keepPrice', label: 'Agreed price changed' },
  { value: 'ended', label: 'Ended at the end of the period' },
  { value: 'pastDue', label: 'Past due' },
  { value: 'lapsed', label: 'Lapsed' },
  { value: 'recovered', label: 'No longer past due' },
] as const
export type SubscriptionChangeKind = (typeof SUBSCRIPTION_CHANGES)[number]['value']

/** A line of a change: a sentence that describes it, and the net amount and VAT in pence. */
export interface SubscriptionChangeLine {
  readonly sentence: string
  readonly net: number
  readonly tax: number
}

/** A change that was applied to a subscription: type, time, author and amounts. Records never change. */
export const subscriptionChange = resource({
  type: 'SubscriptionChange',
  service: 'financial',
  pack: INVOICING_PACK,
  path: 'subscription_changes',
  table: 'subscription_change',
  tenant: 'own',
  title: 'description',
  order: ['-id'],
  appendOnly: true,
  fields: {
    subscription: link(() => subscription, { required: true, filter: true }),
    kind: choice(SUBSCRIPTION_CHANGES, { required: true, filter: true, label: 'Type' }),
    day: date({ required: true, filter: true, order: true }),
    description: text({ required: true, max: 1000 }),
    lines: typedJson<readonly SubscriptionChangeLine[]>()({ default: [] }),
    /** Pence excluding VAT; negative for credits. */
    net: integer({ required: true, default: 0, pence: true }),
    tax: integer({ required: true, default: 0, pence: true, label: 'VAT' }),
    invoice: link(() => invoice, { filter: true, embed: ['number', 'state', 'total', 'date'] }),
    creditNotes: text({ default: '' }),
    /** Reason for cancelling, for changes that cancel or end the subscription. */
    reason: choice(CANCEL_REASONS, { filter: true, label: 'Reason for cancelling' }),
    notes: text({ default: '', max: 500, label: 'Notes' }),
    author: text({ readonly: true, notNull: true, stamp: 'author', default: '', person: true, label: 'Changed by' }),
    createdAt: instant({ readonly: true, notNull: true, filter: true, order: true }),
  },
  allow: { read: SELLING_ROLES },
})

const PRICE_NOTICE_STATES = [
  { value: 'open', label: 'Announced' },
  { value: 'applied', label: 'In force' },
  { value: 'replaced', label: 'Replaced' },
  { value: 'withdrawn', label: 'Withdrawn' },
] as const

/**
 * Notice of a plan's new price to a customer. The price applies from the stated day if the mail server accepted the
 * e-mail the required number of days earlier; otherwise, from the first later period that meets this condition.
 */
export const priceNotice = resource({
  type: 'PriceNotice',
  service: 'financial',
  pack: INVOICING_PACK,
  path: 'price_notices',
  table: 'price_notice',
  tenant: 'own',
  title: 'description',
  order: ['-id'],
  state: 'state',
  emails: 'id',
  fields: {
    plan: link(() => plan, { ...kept, filter: true, embed: ['name'] }),
    subscription: link(() => subscription, { ...kept, filter: true }),
    customer: link(() => customer, { ...kept, filter: true, embed: ['companyName'] }),
    description: text({ ...kept, max: 500 }),
    formerAmount: integer({ ...kept, pence: true, label: 'Former price' }),
    amount: integer({ ...kept, pence: true, label: 'New price' }),
    currency: choice(CURRENCIES, kept),
    from: date({ ...kept, column: 'first_day', filter: true, order: true, label: 'New price from' }),
    days: integer({ ...kept, label: 'Days of notice' }),
    email: text({ ...kept, label: 'Sent to' }),
    state: choice(PRICE_NOTICE_STATES, { ...kept, default: 'open', filter: true, count: true }),
    author: text({ ...kept, stamp: 'author', default: '', person: true, label: 'Created by' }),
    createdAt: instant({ ...kept, filter: true, order: true }),
    updatedAt: instant({ ...kept, stamp: 'updated' }),
  },
  allow: { read: SELLING_ROLES },
  actions: {
    withdraw: { path: 'withdraw', title: 'Withdraw', allow: PRICING_ROLES, from: ['open'], to: 'withdrawn', input: {} },
  },
})
