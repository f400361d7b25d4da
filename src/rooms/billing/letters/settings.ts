import { integer, richText } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { BOOKS, SELL, SET_PRICES } from '../rights.ts'

/** How long quotes stand, when customers are reminded, and the terms that a new quote begins with. One record. */
export const quoteSettings = resource({
  type: 'QuoteSettings',
  service: 'financial',
  pack: BOOKS,
  path: 'quote_settings',
  table: 'quote_settings',
  tenant: 'own',
  fields: {
    validDays: integer({ required: true, default: 30, min: 1, max: 365, label: 'Days that a quote is valid' }),
    firstReminder: integer({
      required: true,
      default: 7,
      min: 0,
      max: 90,
      label: 'First reminder, days before it expires',
    }),
    secondReminder: integer({
      required: true,
      default: 1,
      min: 0,
      max: 90,
      label: 'Second reminder, days before it expires',
    }),
    terms: richText({ default: '' }),
  },
  allow: { read: SELL, update: SET_PRICES },
})
