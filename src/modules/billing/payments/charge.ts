import { choice, flag, instant, integer, jsonOf, link, text } from '#kernel/fields.ts'
import { CURRENCIES } from '#kernel/money.ts'
import { resource } from '#kernel/resource.ts'
import { card } from '../cards/card.ts'
import { customer, LEAD_SOURCE_SQL } from '../customers/customer.ts'
import { invoice } from '../invoices/invoice.ts'
import { INVOICING_PACK, SELLING_ROLES } from '../rights.ts'

/** Pence: ten million pounds. */
export const MAX_PAYMENT_PENCE = 1_000_000_000

export const PAYMENT_METHODS = [
  { value: 'card', label: 'Card' },
  { value: 'bank', label: 'Bank transfer' },
  { value: 'other', label: 'Other' },
] as const

export const CHARGE_STATES = [
  { value: 'pending', label: 'Pending' },
  { value: 'succeeded', label: 'Paid' },
  { value: 'failed', label: 'Failed' },
  { value: 'disputed', label: 'Disputed' },
] as const

/** Notes of staff on a payment or refund, and their author (specification, section 3). */
export interface PaymentNotes {
  readonly notes: string
  readonly createdBy: string
}

const pence = { readonly: true, notNull: true, pence: true } as const

/** A customer's payment or attempted payment. Created by whoever takes it; the payment service reports its outcome. */
export const charge = resource({
  type: 'Charge',
  service: 'financial',
  pack: INVOICING_PACK,
  path: 'charges',
  table: 'charge',
  tenant: 'own',
  order: ['-id'],
  state: 'state',
  fields: {
    customer: link(() => customer, {
      readonly: true,
      notNull: true,
      filter: true,
      embed: ['companyName', 'contactName', 'email'],
    }),
    invoice: link(() => invoice, { readonly: true, filter: true, embed: ['number'] }),
    card: link(() => card, { readonly: true, filter: true, embed: ['brand', 'last4'] }),
    method: choice(PAYMENT_METHODS, { readonly: true, notNull: true, filter: true, count: true, label: 'Method' }),
    amount: integer({ ...pence, filter: true, order: true, label: 'Amount' }),
    currency: choice(CURRENCIES, { readonly: true, notNull: true, filter: true }),
    state: choice(CHARGE_STATES, { readonly: true, notNull: true, filter: true, count: true, order: true }),
    amountRefunded: integer({ ...pence, filter: true, order: true, label: 'Refunded' }),
    amountRefunding: integer({ ...pence, label: 'Being refunded' }),
    refundable: integer({
      readonly: true,
      notNull: true,
      pence: true,
      sql: "CASE WHEN t.state = 'succeeded' THEN t.amount - t.amount_refunded - t.amount_refunding ELSE 0 END",
      label: 'Refundable',
    }),
    /** Part applied to the invoice; the rest is customer credit. */
    amountSettled: integer({ ...pence, label: 'Applied to the invoice' }),
    fee: integer({ ...pence, label: 'Fee' }),
    gateway: text({ readonly: true, notNull: true, default: '', filter: true, label: 'Payment service' }),
    gatewayRef: text({ readonly: true, filter: true, label: 'Service reference' }),
    /** Idempotency key at the payment service; unique. */
    key: text({ readonly: true, notNull: true, visible: 'nobody' }),
    /** Reason for the failure, in the payment service's words. */
    failure: text({ readonly: true, notNull: true, default: '', max: 500 }),
    /** Permanently declined: do not retry this card. */
    hard: flag({ readonly: true, label: 'Permanently declined' }),
    reference: text({ readonly: true, notNull: true, default: '', max: 100, filter: 'partial', search: true }),
    receivedAt: instant({ readonly: true, filter: true, order: true, label: 'Received' }),
    amountDisputed: integer({ ...pence, label: 'Disputed' }),
    disputeFee: integer({ ...pence, label: 'Dispute fee' }),
    dispute: choice(['open', 'won', 'lost'], { readonly: true, filter: true }),
    disputeReason: text({ readonly: true, notNull: true, default: '' }),
    notes: text({ readonly: true, notNull: true, default: '', max: 1000 }),
    createdBy: text({
      readonly: true,
      notNull: true,
      stamp: 'author',
      default: '',
      person: true,
      label: 'Recorded by',
    }),
    metadata: jsonOf<PaymentNotes>()({
      readonly: true,
      notNull: true,
      sql: "jsonb_build_object('notes', t.notes, 'createdBy', t.created_by)",
    }),
    /** ID of the source of the customer's lead. */
    cameFrom: integer({
      readonly: true,
      omitFromLists: true,
      filter: true,
      label: 'Lead source',
      sql: LEAD_SOURCE_SQL,
    }),
    createdAt: instant({ readonly: true, notNull: true, filter: true, order: true, label: 'Started' }),
    updatedAt: instant({ readonly: true, notNull: true, stamp: 'updated' }),
  },
  allow: { read: SELLING_ROLES },
})
