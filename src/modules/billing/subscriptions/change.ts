import { choice, date, instant, integer, jsonOf, link, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { invoice } from '../invoices/invoice.ts'
import { INVOICING_PACK, SELLING_ROLES } from '../rights.ts'
import { subscription } from './subscription.ts'

export const SUBSCRIPTION_CHANGES = [
  { value: 'started', label: 'Started' },
  { value: 'renewed', label: 'Renewed' },
  { value: 'add', label: 'Plan added' },
  { value: 'quantity', label: 'Quantity changed' },
  { value: 'swap', label: 'Plan switched' },
  { value: 'remove', label: 'Item removed' },
  { value: 'pause', label: 'Paused' },
  { value: 'resume', label: 'Resumed' },
  { value: 'cancelAtPeriodEnd', label: 'Set to end after this period' },
  { value: 'keep', label: 'Kept after all' },
  { value: 'cancelNow', label: 'Cancelled' },
  { value: 'ended', label: 'Ended after its period' },
  { value: 'pastDue', label: 'Past due' },
  { value: 'lapsed', label: 'Lapsed' },
  { value: 'recovered', label: 'Paid again' },
] as const
export type SubscriptionChangeKind = (typeof SUBSCRIPTION_CHANGES)[number]['value']

/** A line of a change: pence excluding VAT, and the reason. */
export interface SubscriptionChangeLine {
  readonly sentence: string
  readonly net: number
  readonly tax: number
}

/** An applied change of a subscription: type, time, author and amounts. Never changed. */
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
    lines: jsonOf<readonly SubscriptionChangeLine[]>()({ default: [] }),
    /** Pence excluding VAT; negative for credits. */
    net: integer({ required: true, default: 0, pence: true }),
    tax: integer({ required: true, default: 0, pence: true, label: 'VAT' }),
    invoice: link(() => invoice, { filter: true, embed: ['number', 'state', 'total', 'date'] }),
    creditNotes: text({ default: '' }),
    author: text({ readonly: true, notNull: true, stamp: 'author', default: '', person: true, label: 'Changed by' }),
    createdAt: instant({ readonly: true, notNull: true, filter: true, order: true }),
  },
  allow: { read: SELLING_ROLES },
})
