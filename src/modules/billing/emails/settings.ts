import { decimal, flag, integer, richText } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import type { MeasuredDiscount } from '../lines/line.ts'
import {
  INVOICING_PACK,
  limitOptions,
  PRICING_ROLES,
  RAISED_LIMIT_HELP,
  raisedLimitFields,
  SELLING_ROLES,
} from '../rights.ts'

/** Input of an action that sends a record's e-mail again. */
export const sendAgainInput = {
  again: flag({ label: 'Send again', help: 'Sends the e-mail even if it was requested a moment ago.' }),
}

interface DiscountLimits {
  readonly discountLimitPercent: number
  readonly discountLimitAmount: number
}

/** Pence that rounding may add to the discount of a line. */
const ROUNDING_PENCE = 1

/**
 * Returns whether a discount needs a second person's approval: it exceeds the amount within a year, or the percentage
 * on any one line. Amounts are in pence.
 */
export const isDiscountAboveLimit = (
  { discount, lines }: MeasuredDiscount,
  { discountLimitPercent, discountLimitAmount }: DiscountLimits,
): boolean =>
  discount > discountLimitAmount ||
  lines.some(
    ({ price, off }) =>
      (off - ROUNDING_PENCE) * 100 >= price * discountLimitPercent && off * 100 > price * discountLimitPercent,
  )

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
      ...limitOptions,
      default: 25,
      min: 0,
      max: 100,
      label: 'Discounts need approval above (%)',
      help: 'Percentage off any one line, including the discount of the quote.',
    }),
    discountLimitAmount: integer({
      ...limitOptions,
      default: 100_000,
      min: 0,
      max: 1_000_000_000,
      pence: true,
      label: 'Discounts need approval above (amount)',
      help: `Total of a quote’s discounts within a year. ${RAISED_LIMIT_HELP}`,
    }),
    terms: richText({ default: '' }),
    ...raisedLimitFields,
  },
  allow: { read: SELLING_ROLES, create: PRICING_ROLES, update: PRICING_ROLES },
})
