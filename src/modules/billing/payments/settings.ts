import { flag, integer } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { FINANCE_ROLES, INVOICING_PACK, PRICING_ROLES } from '../rights.ts'
import { MAX_PAYMENT_PENCE } from './charge.ts'

export const paymentSettings = resource({
  type: 'PaymentSettings',
  service: 'financial',
  pack: INVOICING_PACK,
  path: 'payment_settings',
  table: 'payment_settings',
  tenant: 'own',
  fields: {
    refundLimit: integer({
      required: true,
      default: 50_000,
      min: 0,
      max: MAX_PAYMENT_PENCE,
      pence: true,
      label: 'Refunds need approval above',
    }),
    /** The payment service belongs to the provider, and so does the money it takes. */
    takesCards: flag({ readonly: true, label: 'Card payments accepted' }),
  },
  allow: { read: FINANCE_ROLES, update: PRICING_ROLES },
})
