import { choice, date, flag, instant, integer, link, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { customer } from '../customers/customer.ts'
import { STAFF } from '../rights.ts'

/** Kept for later payments; or entered to pay once, and kept only if that is paid and whoever paid has asked for it. */
export const KEPT = ['yes', 'ifPaid', 'no'] as const
export type CardKept = (typeof KEPT)[number]

/** A card that the payment gateway keeps: only what may be shown of it. Made and detached through the gateway. */
export const card = resource({
  type: 'Card',
  service: 'financial',
  path: 'cards',
  table: 'card',
  tenant: 'own',
  title: 'last4',
  order: ['-default', '-id'],
  fields: {
    customer: link(() => customer, { readonly: true, always: true, filter: true }),
    brand: text({ readonly: true, always: true }),
    last4: text({ readonly: true, always: true }),
    expMonth: integer({ readonly: true, always: true }),
    expYear: integer({ readonly: true, always: true }),
    /** The last day on which it can be charged. */
    expiresOn: date({ readonly: true, filter: true, order: true, label: 'Expires' }),
    gateway: text({ readonly: true, always: true }),
    gatewayId: text({ readonly: true, always: true, visible: 'nobody' }),
    kept: choice(KEPT, { readonly: true, always: true, visible: 'nobody', default: 'yes' }),
    default: flag({ column: 'is_default', readonly: true, order: true }),
    createdAt: instant({ readonly: true, always: true, order: true }),
    retired: flag({ readonly: true, filter: true }),
  },
  allow: { read: STAFF },
  actions: {
    makeDefault: { path: 'make-default', title: 'Use this card first', allow: STAFF, input: {} },
  },
})
