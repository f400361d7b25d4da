import { choice, decimal, flag, instant, integer, strings, text } from '#kernel/fields.ts'
import { CURRENCIES } from '#kernel/money.ts'
import { resource } from '#kernel/resource.ts'
import { catalogueResourceOptions } from '../rights.ts'

/** A discount by percentage or by an amount in pence. It applies once, for a number of periods or for ever. */
export const coupon = resource({
  ...catalogueResourceOptions,
  type: 'Coupon',
  path: 'coupons',
  table: 'coupon',
  title: 'name',
  order: ['percentOff'],
  fields: {
    name: text({ required: 'Please give this coupon a name', filter: 'partial', order: true }),
    percentOff: decimal({ min: 0, max: 100, filter: true, order: true, label: 'Percent off' }),
    amountOff: integer({ min: 1, max: 1_000_000_000, pence: true, filter: true, order: true, label: 'Amount off' }),
    currency: choice(CURRENCIES, { default: 'GBP' }),
    duration: choice(
      [
        { value: 'once', label: 'Once' },
        { value: 'periods', label: 'For a number of periods' },
        { value: 'forever', label: 'For ever' },
      ],
      { default: 'once', filter: true },
    ),
    durationPeriods: integer({ min: 1, max: 120, label: 'Number of periods' }),
    /** IRIs of the plans that the coupon applies to; empty for all plans. */
    plans: strings({ default: [], filter: true, label: 'Only for these plans' }),
    maxRedemptions: integer({ min: 1, max: 1_000_000, label: 'Maximum uses' }),
    timesRedeemed: integer({ readonly: true, notNull: true, order: true, label: 'Times used' }),
    expiresAt: instant({ filter: true, order: true, label: 'Valid until' }),
    createdAt: instant({ readonly: true, notNull: true, order: true }),
    retired: flag({ filter: true }),
  },
})
