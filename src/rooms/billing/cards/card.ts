import { flag, instant, integer, link, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { customer } from '../customers/customer.ts'
import { SELL } from '../rights.ts'

/** A card that the payment gateway keeps: only what may be shown of it. Made and detached through the gateway. */
export const card = resource({
  type: 'Card',
  service: 'financial',
  path: 'cards',
  table: 'card',
  tenant: 'own',
  title: 'last4',
  order: ['-isDefault', '-id'],
  fields: {
    customer: link(() => customer, { readonly: true, filter: true }),
    brand: text({ readonly: true }),
    last4: text({ readonly: true }),
    expMonth: integer({ readonly: true }),
    expYear: integer({ readonly: true }),
    gateway: text({ readonly: true }),
    gatewayId: text({ readonly: true, visible: 'nobody' }),
    isDefault: flag({ readonly: true, order: true }),
    createdAt: instant({ readonly: true, order: true }),
    retired: flag({ readonly: true, filter: true }),
  },
  allow: { read: SELL },
  actions: {
    makeDefault: { path: 'make-default', title: 'Use this card first', allow: SELL, input: {} },
  },
})
