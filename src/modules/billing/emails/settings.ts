import { decimal, integer, richText } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { INVOICING_PACK, PRICING_ROLES, RAISED_LIMIT_HELP, raisedLimitFields, SELLING_ROLES } from '../rights.ts'

interface DiscountLimits {
  readonly discountLimitPercent: number
  readonly discountLimitAmount: number
}

/** Returns whether a discount needs a second person's approval. Amounts are in pence. */
export const isDiscountAboveLimit = (
  { subtotal, discount }: { readonly subtotal: number; readonly discount: number },
  { discountLimitPercent, discountLimitAmount }: DiscountLimits,
): boolean => discount > discountLimitAmount || discount * 100 > subtotal * discountLimitPercent

/** Quote settings: validity, reminders and default terms. Each client has one record. */
export const quoteSettings = resource({
  type: 'QuoteSettings',
  service: 'financial',
  pack: INVOICING_PACK,
  path: 'quote_settings',
  table: 'quote_settings',
  tenant: 'own',
  fields: {
    validDays: integer({ required: true, default: 30, min: 1, max: 365, label: 'Quote validity (days)' }),
    firstReminder: integer({
      required: true,
      default: 7,
      min: 0,
      max: 90,
      label: 'First reminder (days before expiry)',
    }),
    secondReminder: integer({
      required: true,
      default: 1,
      min: 0,
      max: 90,
      label: 'Second reminder (days before expiry)',
    }),
    discountLimitPercent: decimal({
      notWhileImpersonating: true,
      required: true,
      default: 25,
      min: 0,
      max: 100,
      label: 'Discounts need approval above (%)',
    }),
    discountLimitAmount: integer({
      notWhileImpersonating: true,
      required: true,
      default: 100_000,
      min: 0,
      max: 1_000_000_000,
      pence: true,
      label: 'Discounts need approval above (amount)',
      help: RAISED_LIMIT_HELP,
    }),
    terms: richText({ default: '' }),
    ...raisedLimitFields,
  },
  allow: { read: SELLING_ROLES, create: PRICING_ROLES, update: PRICING_ROLES },
})
