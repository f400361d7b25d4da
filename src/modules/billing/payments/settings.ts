import { flag, integer } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { BOOKS, FINANCE, SET_PRICES } from '../rights.ts'
import { MOST } from './charge.ts'

export const paymentSettings = resource({
  type: 'PaymentSettings',
  service: 'financial',
  pack: BOOKS,
  path: 'payment_settings',
  table: 'payment_settings',
  tenant: 'own',
  fields: {
    refundLimit: integer({
      required: true,
      default: 50_000,
      min: 0,
      max: MOST,
      pence: true,
      label: 'Refunds need approval above',
    }),
    /** The payment service belongs to the provider, and so does the money it takes. */
    takesCards: flag({ readonly: true, label: 'Card payments accepted' }),
  },
  allow: { read: FINANCE, update: SET_PRICES },
})
