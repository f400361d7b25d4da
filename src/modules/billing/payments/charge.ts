import { choice, flag, instant, integer, json, link, text, typedJson } from '#kernel/fields.ts'
import { CURRENCIES } from '#kernel/money.ts'
import { resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { card } from '../cards/card.ts'
import { mandate } from '../cards/mandate.ts'
import { creditNote } from '../credits/credit-note.ts'
import { customer, LEAD_SOURCE_SQL } from '../customers/customer.ts'
import { invoice } from '../invoices/invoice.ts'
import {
  FINANCE_ROLES,
  INVOICING_PACK,
  limitOptions,
  PAYMENT_EVENTS_ROLE,
  PRICING_ROLES,
  RAISED_LIMIT_HELP,
  raisedLimitFields,
  SELLING_ROLES,
} from '../rights.ts'
import { secondApproverActions } from '../second-person.ts'

/** Maximum payment in pence: ten million pounds. */
export const MAX_PAYMENT_PENCE = 1_000_000_000

export const PAYMENT_METHODS = [
  { value: 'card', label: 'Card' },
  { value: 'debit', label: 'Direct Debit' },
  { value: 'bank', label: 'Bank transfer' },
  { value: 'other', label: 'Other' },
] as const

export type PaymentMethod = (typeof PAYMENT_METHODS)[number]['value']

/** Default amount, in pence, above which a refund needs a second person. */
export const DEFAULT_REFUND_LIMIT_PENCE = 50_000

/** Returns whether a payment service moves the money. All other payments are recorded by hand. */
export const isByPaymentService = ({ method }: { readonly method: PaymentMethod }): boolean =>
  method === 'card' || method === 'debit'

export const CHARGE_STATES = [
  { value: 'pending', label: 'Pending' },
  { value: 'succeeded', label: 'Paid' },
  { value: 'failed', label: 'Failed' },
  { value: 'disputed', label: 'Disputed' },
  { value: 'reversed', label: 'Reversed' },
] as const

/** Staff notes on a payment or refund, and their author (specification, section 3). */
export interface PaymentNotes {
  readonly notes: string
  readonly createdBy: string
}

const pence = { readonly: true, notNull: true, pence: true } as const

/**
 * A customer's payment or attempted payment, whether taken by a user, collected automatically or made through a payment
 * link. For payments by card and Direct Debit, the payment service reports the outcome.
 */
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
    mandate: link(() => mandate, { readonly: true, filter: true, embed: ['last4', 'bank'], label: 'Direct Debit' }),
    method: choice(PAYMENT_METHODS, { readonly: true, notNull: true, filter: true, count: true, label: 'Method' }),
    amount: integer({ ...pence, filter: true, order: true, label: 'Amount' }),
    currency: choice(CURRENCIES, { readonly: true, notNull: true, filter: true }),
    state: choice(CHARGE_STATES, { readonly: true, notNull: true, filter: true, count: true, order: true }),
    amountRefunded: integer({ ...pence, filter: true, order: true, label: 'Refunded' }),
    amountRefunding: integer({ ...pence, label: 'Refund waiting or pending' }),
    refundable: integer({
      readonly: true,
      notNull: true,
      pence: true,
      sql: "CASE WHEN t.state = 'succeeded' THEN t.amount - t.amount_refunded - t.amount_refunding ELSE 0 END",
      label: 'Refundable',
    }),
    /** Part applied to the invoice; the remainder is customer credit. */
    amountSettled: integer({ ...pence, label: 'Applied to the invoice' }),
    fee: integer({ ...pence, label: 'Fee' }),
    gateway: text({ readonly: true, notNull: true, default: '', filter: true, label: 'Payment service' }),
    gatewayRef: text({ readonly: true, filter: true, label: 'Payment service reference' }),
    /** Idempotency key at the payment service; unique. */
    key: text({ readonly: true, notNull: true, visible: 'nobody' }),
    /** Reason for the failure, in the payment service's words. */
    failure: text({ readonly: true, notNull: true, default: '', max: 500 }),
    /** True if the card was permanently declined. The card is then not retried. */
    hard: flag({ readonly: true, label: 'Permanently declined' }),
    reference: text({ readonly: true, notNull: true, default: '', max: 100, filter: 'partial', search: true }),
    receivedAt: instant({ readonly: true, filter: true, order: true, label: 'Received' }),
    amountDisputed: integer({ ...pence, label: 'Disputed' }),
    disputeFee: integer({ ...pence, label: 'Dispute fee' }),
    dispute: choice(['open', 'won', 'lost'], { readonly: true, filter: true }),
    disputeReason: text({ readonly: true, notNull: true, default: '' }),
    /** Reason for reversing a payment that was recorded in error. No money was paid out. */
    reversalReason: text({ readonly: true, notNull: true, default: '', max: 500, label: 'Reason for the reversal' }),
    reversedBy: text({ readonly: true, notNull: true, default: '', person: true, label: 'Reversed by' }),
    reversedAt: instant({ readonly: true, label: 'Reversed on' }),
    bankLineId: integer({ readonly: true, visible: 'nobody' }),
    /** IRI of the bank line that the payment was recorded from. A link field would cause an import cycle. */
    bankLine: text({ readonly: true, sql: "'/api/financial/bank_lines/' || t.bank_line_id", label: 'Bank line' }),
    notes: text({ readonly: true, notNull: true, default: '', max: 1000 }),
    createdBy: text({
      readonly: true,
      notNull: true,
      stamp: 'author',
      default: '',
      person: true,
      label: 'Recorded by',
    }),
    metadata: typedJson<PaymentNotes>()({
      readonly: true,
      notNull: true,
      sql: "jsonb_build_object('notes', t.notes, 'createdBy', t.created_by)",
    }),
    /** ID of the source that the customer's lead came from. */
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

export const paymentSettings = resource({
  type: 'PaymentSettings',
  service: 'financial',
  pack: INVOICING_PACK,
  path: 'payment_settings',
  table: 'payment_settings',
  tenant: 'own',
  fields: {
    refundLimit: integer({
      ...limitOptions,
      default: DEFAULT_REFUND_LIMIT_PENCE,
      min: 0,
      max: MAX_PAYMENT_PENCE,
      pence: true,
      label: 'Refunds, write-offs and balance changes need approval above (total in 30 days)',
      help: RAISED_LIMIT_HELP,
    }),
    /**
     * True if card payments are accepted. The payment service belongs to the provider, as does the money received
     * through it.
     */
    takesCards: flag({ readonly: true, label: 'Card payments accepted' }),
    /** Direct Debit is offered once this name is set, because customers must recognise it on their bank statements. */
    debitName: text({
      default: '',
      max: 60,
      label: 'Name on bank statements for Direct Debits',
      help: 'Service user name, as the payment service prints it on customers’ bank statements. Direct Debit is offered on payment pages once this name is set.',
    }),
    ...raisedLimitFields,
  },
  allow: { read: FINANCE_ROLES, update: PRICING_ROLES },
})

export const WEBHOOK_EVENT_STATES = [
  { value: 'received', label: 'Received' },
  { value: 'done', label: 'Processed' },
  { value: 'ignored', label: 'Not for this portal' },
  { value: 'failed', label: 'Failed' },
] as const

/** A webhook event from the payment service. Its content never changes; the result is saved alongside the content. */
export const webhookEvent = resource({
  type: 'WebhookEvent',
  service: 'financial',
  path: 'webhook_events',
  table: 'webhook_event',
  tenant: 'own',
  title: 'type',
  order: ['-id'],
  state: 'state',
  fields: {
    gateway: text({ readonly: true, notNull: true, filter: true, label: 'Payment service' }),
    eventId: text({ readonly: true, notNull: true, filter: true, order: true, label: 'Event' }),
    type: text({ readonly: true, notNull: true, filter: 'partial', order: true, label: 'Event type' }),
    payment: text({ readonly: true, filter: true, label: 'Payment reference' }),
    mandate: text({ readonly: true, filter: true, label: 'Direct Debit reference' }),
    charge: link(() => charge, { readonly: true, filter: true, embed: ['amount', 'currency'] }),
    payload: json({ readonly: true, omitFromLists: true }),
    state: choice(WEBHOOK_EVENT_STATES, { readonly: true, notNull: true, filter: true, count: true, order: true }),
    error: text({ readonly: true, notNull: true, default: '', max: 500 }),
    tries: integer({ readonly: true, notNull: true, default: 0 }),
    handledAt: instant({ readonly: true, order: true, label: 'Processed' }),
    createdAt: instant({ readonly: true, notNull: true, filter: true, order: true, label: 'Received on' }),
  },
  allow: { read: PAYMENT_EVENTS_ROLE },
  actions: {
    replay: { path: 'replay', title: 'Process again', allow: PAYMENT_EVENTS_ROLE, input: {} },
  },
})

export const REFUND_STATES = [
  { value: 'waiting', label: 'Awaiting approval' },
  { value: 'pending', label: 'Pending' },
  { value: 'succeeded', label: 'Refunded' },
  { value: 'failed', label: 'Failed' },
] as const

/** A refund of a charge. Refunds made directly with the payment service are also recorded, without an author. */
export const refund = resource({
  type: 'Refund',
  service: 'financial',
  pack: INVOICING_PACK,
  path: 'refunds',
  table: 'refund',
  tenant: 'own',
  order: ['-id'],
  state: 'state',
  fields: {
    charge: link(() => charge, {
      readonly: true,
      notNull: true,
      filter: true,
      embed: ['amount', 'method', 'gateway', 'gatewayRef'],
    }),
    customer: link(() => customer, { readonly: true, notNull: true, filter: true, embed: ['companyName'] }),
    /** Credit note that requested the refund. */
    creditNote: link(() => creditNote, { readonly: true, filter: true, embed: ['number'], label: 'Credit note' }),
    reason: text({ readonly: true, notNull: true, default: '', max: 500, search: true }),
    amount: integer({ readonly: true, notNull: true, pence: true, filter: true, order: true }),
    currency: choice(CURRENCIES, { readonly: true, notNull: true, filter: true }),
    state: choice(REFUND_STATES, { readonly: true, notNull: true, filter: true, count: true, order: true }),
    gatewayRef: text({ readonly: true, filter: true, label: 'Payment service reference' }),
    /** Idempotency key at the payment service. */
    key: text({ readonly: true, notNull: true, visible: 'nobody' }),
    failure: text({ readonly: true, notNull: true, default: '', max: 500 }),
    notes: text({ readonly: true, notNull: true, default: '', max: 1000 }),
    /**
     * Username of the requester. Empty for refunds made directly with the payment service, which is then treated as the
     * author.
     */
    createdBy: text({ readonly: true, notNull: true, default: '', person: true, filter: true }),
    approvedBy: text({ readonly: true, notNull: true, default: '', person: true }),
    metadata: typedJson<PaymentNotes>()({
      readonly: true,
      notNull: true,
      sql: "jsonb_build_object('notes', t.notes, 'createdBy', t.created_by)",
    }),
    settledAt: instant({ readonly: true, filter: true, order: true, label: 'Completed' }),
    /** ID of the source that the customer's lead came from. */
    cameFrom: integer({
      readonly: true,
      omitFromLists: true,
      filter: true,
      label: 'Lead source',
      sql: LEAD_SOURCE_SQL,
    }),
    createdAt: instant({ readonly: true, notNull: true, filter: true, order: true, label: 'Requested' }),
    updatedAt: instant({ readonly: true, notNull: true, stamp: 'updated' }),
  },
  allow: { read: SELLING_ROLES },
  actions: {
    ...secondApproverActions('createdBy'),
    withdraw: {
      path: 'withdraw',
      title: 'Withdraw',
      allow: FINANCE_ROLES,
      from: ['waiting'],
      rows: [{ unless: 'nobody', only: only.mine('createdBy') }],
      input: {},
    },
  },
})
