import { choice, instant, integer, json, link, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { PAYMENT_EVENTS_ROLE } from '../rights.ts'
import { charge } from './charge.ts'

export const WEBHOOK_STATES = [
  { value: 'received', label: 'Received' },
  { value: 'done', label: 'Processed' },
  { value: 'ignored', label: 'Not ours' },
  { value: 'failed', label: 'Failed' },
] as const

/** A webhook event of the payment service. Its content never changes; the result is saved beside it. */
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
    charge: link(() => charge, { readonly: true, filter: true, embed: ['amount', 'currency'] }),
    payload: json({ readonly: true, omitFromLists: true }),
    state: choice(WEBHOOK_STATES, { readonly: true, notNull: true, filter: true, count: true, order: true }),
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
