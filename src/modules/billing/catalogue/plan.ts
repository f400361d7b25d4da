import { choice, decimal, flag, instant, integer, link, text } from '#kernel/fields.ts'
import { CURRENCIES } from '#kernel/money.ts'
import { resource } from '#kernel/resource.ts'
import { catalogueOptions, INVOICING_PACK, SELLING_ROLES } from '../rights.ts'
import { product } from './product.ts'
import { taxRate } from './tax-rate.ts'

/** Maximum price in pence: catches typing errors before they reach a quote. */
const MOST = 1_000_000_000

const INTERVALS = [
  { value: 'month', label: 'Month' },
  { value: 'year', label: 'Year' },
] as const

/** A recurring price: a product at an amount per interval. */
export const plan = resource({
  ...catalogueOptions,
  type: 'Plan',
  path: 'plans',
  table: 'plan',
  title: 'name',
  order: ['name'],
  fields: {
    name: text({ required: 'Please give this plan a name', filter: 'partial', order: true }),
    product: link(() => product, { required: true, filter: true, order: true, embed: ['name', 'prodLegend'] }),
    amount: integer({ required: true, min: 0, max: MOST, pence: true, filter: true, order: true, label: 'Price' }),
    currency: choice(CURRENCIES, { default: 'GBP', filter: true }),
    interval: choice(INTERVALS, { default: 'month', filter: true, order: true, label: 'Billed every' }),
    intervalCount: integer({ required: true, default: 1, min: 1, max: 60, label: 'Number of intervals' }),
    taxRate: link(() => taxRate, { filter: true, embed: ['name', 'percent'], label: 'Tax rate' }),
    version: integer({ readonly: true, notNull: true, label: 'Price version' }),
    createdAt: instant({ readonly: true, notNull: true, order: true }),
    retired: flag({ filter: true }),
  },
})

/** A one-off item. Its unit price may have fractions of a penny. */
export const sku = resource({
  ...catalogueOptions,
  type: 'Sku',
  path: 'skus',
  table: 'sku',
  title: 'name',
  order: ['name'],
  fields: {
    name: text({ required: 'Please give this item a name', filter: 'partial', order: true }),
    code: text({ default: '', filter: true, order: true, max: 50 }),
    unit: text({ default: '', max: 50, help: 'What one unit is: a visit, a person, a mile.' }),
    product: link(() => product, { filter: true, embed: ['name'] }),
    amount: decimal({ required: true, min: 0, max: MOST, pence: true, filter: true, order: true, label: 'Price' }),
    currency: choice(CURRENCIES, { default: 'GBP', filter: true }),
    taxRate: link(() => taxRate, { filter: true, embed: ['name', 'percent'], label: 'Tax rate' }),
    version: integer({ readonly: true, notNull: true, label: 'Price version' }),
    /** Our unit cost, never shown to buyers. */
    cost: decimal({ min: 0, max: MOST, pence: true, order: true, label: 'Unit cost' }),
    stocked: flag({ filter: true, label: 'Track stock' }),
    onHand: decimal({ readonly: true, notNull: true, filter: true, order: true, label: 'On hand' }),
    createdAt: instant({ readonly: true, notNull: true, order: true }),
    retired: flag({ filter: true }),
  },
  actions: {
    count: {
      path: 'count',
      title: 'Enter a stock count; the difference is booked as a stock movement',
      allow: SELLING_ROLES,
      input: {
        onHand: decimal({ required: 'Please enter the quantity counted', min: 0, max: 1_000_000, label: 'Counted' }),
        reason: text({ required: 'Please enter a reason', max: 500, label: 'Reason' }),
      },
    },
  },
})

/** A current or past price of a plan or an SKU. Created by each price change and never changed. */
export const price = resource({
  type: 'Price',
  service: 'financial',
  pack: INVOICING_PACK,
  path: 'prices',
  table: 'price',
  tenant: 'own',
  order: ['-from'],
  fields: {
    plan: link(() => plan, { filter: true, readonly: true }),
    sku: link(() => sku, { filter: true, readonly: true }),
    version: integer({ readonly: true, notNull: true, filter: true, order: true }),
    amount: decimal({ readonly: true, notNull: true, pence: true }),
    currency: choice(CURRENCIES, { readonly: true, notNull: true }),
    interval: choice(INTERVALS, { readonly: true }),
    intervalCount: integer({ readonly: true }),
    taxRate: link(() => taxRate, { readonly: true, embed: ['name', 'percent'] }),
    author: text({ readonly: true, notNull: true, stamp: 'author' }),
    from: instant({ readonly: true, notNull: true, column: 'from_at', order: true }),
  },
  allow: { read: SELLING_ROLES },
})
