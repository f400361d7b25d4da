import { choice, instant, integer, jsonOf, link, text } from '#kernel/fields.ts'
import { CURRENCIES } from '#kernel/money.ts'
import { resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { customer, LEAD_SOURCE_SQL } from '../customers/customer.ts'
import { FINANCE_ROLES, INVOICING_PACK, SELLING_ROLES } from '../rights.ts'
import { secondPersonActions } from '../second-person.ts'
import { charge, type PaymentNotes } from './charge.ts'

export const REFUND_STATES = [
  { value: 'waiting', label: 'Waiting for approval' },
  { value: 'pending', label: 'Pending' },
  { value: 'succeeded', label: 'Refunded' },
  { value: 'failed', label: 'Failed' },
] as const

/** A refund of a charge. Refunds made at the payment service itself are recorded too, without an author. */
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
    reason: text({ readonly: true, notNull: true, default: '', max: 500, search: true }),
    amount: integer({ readonly: true, notNull: true, pence: true, filter: true, order: true }),
    currency: choice(CURRENCIES, { readonly: true, notNull: true, filter: true }),
    state: choice(REFUND_STATES, { readonly: true, notNull: true, filter: true, count: true, order: true }),
    gatewayRef: text({ readonly: true, filter: true, label: 'Service reference' }),
    /** Idempotency key at the payment service. */
    key: text({ readonly: true, notNull: true, visible: 'nobody' }),
    failure: text({ readonly: true, notNull: true, default: '', max: 500 }),
    notes: text({ readonly: true, notNull: true, default: '', max: 1000 }),
    /** Empty for refunds made at the payment service, which is then the author. */
    createdBy: text({ readonly: true, notNull: true, default: '', person: true, filter: true }),
    approvedBy: text({ readonly: true, notNull: true, default: '', person: true }),
    metadata: jsonOf<PaymentNotes>()({
      readonly: true,
      notNull: true,
      sql: "jsonb_build_object('notes', t.notes, 'createdBy', t.created_by)",
    }),
    settledAt: instant({ readonly: true, filter: true, order: true, label: 'Completed' }),
    /** ID of the source of the customer's lead. */
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
    ...secondPersonActions('createdBy'),
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
