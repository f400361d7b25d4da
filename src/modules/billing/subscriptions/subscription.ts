import { choice, date, decimal, flag, instant, integer, jsonOf, link, rows, text } from '#kernel/fields.ts'
import { RHYTHMS } from '#kernel/money/periods.ts'
import { TAX_CODE_OPTIONS } from '#kernel/money/tax-codes.ts'
import { CURRENCIES } from '#kernel/money.ts'
import { type Resource, resource } from '#kernel/resource.ts'
import type { CouponTerms } from '../catalogue/coupon-rules.ts'
import { plan } from '../catalogue/plan.ts'
import { product } from '../catalogue/product.ts'
import { customer } from '../customers/customer.ts'
import { quote } from '../quotes/quote.ts'
import { BOOKS, SELL } from '../rights.ts'
import type { Item } from './timeline.ts'

/** So many of something that is paid each period, from a day until the first that it is no longer there. */
export const subscriptionItem = resource({
  type: 'SubscriptionItem',
  service: 'financial',
  pack: BOOKS,
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
    /** Pence for one, for a whole period. */
    amount: integer({ required: true, min: 0, pence: true, label: 'Price' }),
    quantity: integer({ required: true, default: 1, min: 1, max: 1_000_000 }),
    taxCode: choice(TAX_CODE_OPTIONS, { label: 'VAT' }),
    /** Where it is none of the table's. */
    taxPercent: decimal({ min: 0, max: 100, label: 'VAT %' }),
    discountable: flag({ default: true }),
    from: date({ required: true, column: 'first_day', order: true, filter: true }),
    until: date({ column: 'ends_on', order: true, filter: true }),
  },
  allow: { read: SELL },
})

export const SUBSCRIPTION_STATES = [
  { value: 'trialing', label: 'In its trial' },
  { value: 'active', label: 'Active' },
  { value: 'past_due', label: 'Past due' },
  { value: 'paused', label: 'Paused' },
  { value: 'cancelled', label: 'Cancelled' },
] as const
export type SubscriptionState = (typeof SUBSCRIPTION_STATES)[number]['value']

/** What can be done to a subscription. */
export const WAYS = [
  { value: 'add', label: 'Add a plan' },
  { value: 'quantity', label: 'Change how many' },
  { value: 'swap', label: 'Exchange for another plan' },
  { value: 'remove', label: 'Remove an item' },
  { value: 'pause', label: 'Pause' },
  { value: 'resume', label: 'Resume' },
  { value: 'cancelAtPeriodEnd', label: 'Cancel at the end of the period' },
  { value: 'keep', label: 'Keep it after all' },
  { value: 'cancelNow', label: 'Cancel now' },
] as const
export type Way = (typeof WAYS)[number]['value']

/** What a preview and a change are asked with. */
export const CHANGE_INPUT = {
  way: choice(WAYS, { required: 'Please choose what to change', label: 'What to do' }),
  item: link((): Resource => subscriptionItem, { label: 'Item' }),
  plan: link(() => plan, { label: 'Plan' }),
  quantity: integer({ min: 1, max: 1_000_000, label: 'How many' }),
  /** On cancelling now: the days that are left are given back. */
  credit: flag({ default: false, label: 'Give back the days that are left' }),
}

const kept = { readonly: true, notNull: true } as const

/** What a customer pays again and again, in one rhythm. It is made by a sale, changed by previews that somebody has seen, and never deleted. */
export const subscription = resource({
  type: 'Subscription',
  service: 'financial',
  pack: BOOKS,
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
      label: 'State',
    }),
    quote: link(() => quote, { readonly: true, filter: true, embed: ['reference'] }),
    currency: choice(CURRENCIES, { ...kept, default: 'GBP', filter: true }),
    interval: choice(RHYTHMS, { ...kept, default: 'month', filter: true, label: 'Paid every' }),
    intervalCount: integer({ ...kept, default: 1, label: 'Number of intervals' }),
    /** Pence without VAT and discount that the items come to for a whole period, as they are to go on. */
    amount: integer({ ...kept, default: 0, pence: true, order: true, filter: true, label: 'Each period' }),
    /** The first day of the first whole period: all others are counted from it. */
    anchor: date({ ...kept, label: 'Billing starts' }),
    startedOn: date({ ...kept, filter: true, order: true, label: 'Begun' }),
    /** Days before it cost nothing. */
    chargedFrom: date(kept),
    currentFrom: date({ ...kept, label: 'Period from' }),
    renewsOn: date({ ...kept, filter: true, order: true, label: 'Next period' }),
    /** Has the current period been charged? Days before billing starts are, with the first whole period. */
    charged: flag({ readonly: true, default: false }),
    trialUntil: date({ readonly: true, filter: true, label: 'Trial until' }),
    cancelAtPeriodEnd: flag({ readonly: true, default: false, filter: true, label: 'Ends with its period' }),
    pausedOn: date({ readonly: true }),
    /** What there was when it was paused. */
    pausedItems: jsonOf<readonly Item[]>()({ readonly: true, visible: 'nobody' }),
    /** Since when an invoice of it is overdue. */
    pastDueOn: date({ readonly: true, filter: true, order: true, label: 'Past due since' }),
    /** Since when what it opens can only be read. */
    lapsedOn: date({ readonly: true, filter: true, label: 'Lapsed' }),
    endedOn: date({ readonly: true, filter: true, order: true, label: 'Ended' }),
    cancelledAt: instant({ readonly: true, filter: true, order: true, label: 'Cancelled' }),
    couponTerms: jsonOf<CouponTerms>()({ readonly: true }),
    /** Periods after this one that have the discount; none is all of them. */
    couponPeriodsLeft: integer({ readonly: true }),
    /** Has the current period the discount? */
    discounted: flag({ readonly: true, default: false }),
    poNumber: text({ readonly: true, notNull: true, default: '', label: 'Purchase order' }),
    items: rows(() => subscriptionItem, { by: 'subscription', readonly: true, label: 'Items' }),
    author: text({ readonly: true, notNull: true, stamp: 'author', default: '', person: true, label: 'Made by' }),
    createdAt: instant({ readonly: true, notNull: true, filter: true, order: true }),
    updatedAt: instant({ readonly: true, notNull: true, stamp: 'updated' }),
  },
  allow: { read: SELL },
  actions: {
    change: {
      path: 'change',
      title: 'Change the subscription as its preview has said (`POST {subscription}/preview`)',
      allow: SELL,
      from: ['trialing', 'active', 'past_due', 'paused'],
      input: { ...CHANGE_INPUT, token: text({ required: 'Please look at what it comes to first' }) },
    },
    cancel: {
      path: 'cancel',
      title: 'Cancel the subscription now, with nothing given back (the same as DELETE)',
      allow: SELL,
      from: ['trialing', 'active', 'past_due', 'paused'],
      input: {},
    },
  },
})
