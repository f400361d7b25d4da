import { flag, integer } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { BOOKS, FINANCE, SET_PRICES } from '../rights.ts'
import { MOST } from './charge.ts'

/** How payments are taken and given back. One record. */
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
      label: 'A second person approves refunds above',
    }),
    /** The payment service is the provider's, and what it takes is the provider's money. */
    takesCards: flag({ readonly: true, label: 'Cards are taken' }),
  },
  allow: { read: FINANCE, update: SET_PRICES },
})
