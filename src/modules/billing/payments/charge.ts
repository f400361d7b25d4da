import { choice, flag, instant, integer, jsonOf, link, text } from '#kernel/fields.ts'
import { CURRENCIES } from '#kernel/money.ts'
import { resource } from '#kernel/resource.ts'
import { card } from '../cards/card.ts'
import { customer, LEADS_SOURCE } from '../customers/customer.ts'
import { invoice } from '../invoices/invoice.ts'
import { BOOKS, SELL } from '../rights.ts'

/** Ten million pounds. */
export const MOST = 1_000_000_000

export const METHODS = [
  { value: 'card', label: 'Card' },
  { value: 'bank', label: 'Bank transfer' },
  { value: 'other', label: 'Another way' },
] as const

export const CHARGE_STATES = [
  { value: 'pending', label: 'Under way' },
  { value: 'succeeded', label: 'Paid' },
  { value: 'failed', label: 'Failed' },
  { value: 'disputed', label: 'Disputed' },
] as const

/** What those who take or give back money say of it, and who that was (specification, section 3). */
export interface PaymentNotes {
  readonly notes: string
  readonly createdBy: string
}

const pence = { readonly: true, notNull: true, pence: true } as const

/** Money that a customer has paid, or has tried to. Made by whoever takes it, and settled by what the payment service says. */
export const charge = resource({
  type: 'Charge',
  service: 'financial',
  pack: BOOKS,
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
    method: choice(METHODS, { readonly: true, notNull: true, filter: true, count: true, label: 'Paid by' }),
    amount: integer({ ...pence, filter: true, order: true, label: 'Amount' }),
    currency: choice(CURRENCIES, { readonly: true, notNull: true, filter: true }),
    state: choice(CHARGE_STATES, { readonly: true, notNull: true, filter: true, count: true, order: true }),
    /** Of it, paid back. */
    amountRefunded: integer({ ...pence, filter: true, order: true, label: 'Refunded' }),
    /** Of it, asked back and not settled. */
    amountRefunding: integer({ ...pence, label: 'Being refunded' }),
    refundable: integer({
      readonly: true,
      notNull: true,
      pence: true,
      sql: "CASE WHEN t.state = 'succeeded' THEN t.amount - t.amount_refunded - t.amount_refunding ELSE 0 END",
      label: 'Refundable now',
    }),
    /** What of it the invoice is paid with; the rest is in the customer's credit. */
    amountSettled: integer({ ...pence, label: 'Settled on the invoice' }),
    fee: integer({ ...pence, label: 'Fee' }),
    /** The payment service that it went through, and what that calls it. */
    gateway: text({ readonly: true, notNull: true, default: '', filter: true, label: 'Payment service' }),
    gatewayRef: text({ readonly: true, filter: true, label: 'Its reference there' }),
    /** What it is ordered with there: no other order has it. */
    key: text({ readonly: true, notNull: true, visible: 'nobody' }),
    /** Why it failed, in the payment service's own sentence. */
    failure: text({ readonly: true, notNull: true, default: '', max: 500 }),
    /** This card will never be charged: trying again is of no use. */
    hard: flag({ readonly: true, label: 'Declined for good' }),
    /** What the bank statement calls it. */
    reference: text({ readonly: true, notNull: true, default: '', max: 100, filter: 'partial', search: true }),
    receivedAt: instant({ readonly: true, filter: true, order: true, label: 'Received' }),
    amountDisputed: integer({ ...pence, label: 'Disputed' }),
    disputeFee: integer({ ...pence, label: 'Fee for the dispute' }),
    dispute: choice(['open', 'won', 'lost'], { readonly: true, filter: true }),
    disputeReason: text({ readonly: true, notNull: true, default: '' }),
    notes: text({ readonly: true, notNull: true, default: '', max: 1000 }),
    createdBy: text({ readonly: true, notNull: true, stamp: 'author', default: '', person: true, label: 'Taken by' }),
    metadata: jsonOf<PaymentNotes>()({
      readonly: true,
      notNull: true,
      sql: "jsonb_build_object('notes', t.notes, 'createdBy', t.created_by)",
    }),
    /** Where the customer's lead came from: the id of that. */
    cameFrom: integer({ readonly: true, omitFromLists: true, filter: true, label: 'Came from', sql: LEADS_SOURCE }),
    createdAt: instant({ readonly: true, notNull: true, filter: true, order: true, label: 'Begun' }),
    updatedAt: instant({ readonly: true, notNull: true, stamp: 'updated' }),
  },
  allow: { read: SELL },
})
