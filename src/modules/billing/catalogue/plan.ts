import {
  choice,
  date,
  decimal,
  flag,
  instant,
  integer,
  link,
  longText,
  text,
  typedJson,
  unixSeconds,
} from '#kernel/fields.ts'
import { TAX_CODE_OPTIONS } from '#kernel/money/tax-codes.ts'
import { CURRENCIES } from '#kernel/money.ts'
import { resource } from '#kernel/resource.ts'
import {
  BILLING_ADMIN_ROLE,
  catalogueResourceOptions,
  FINANCE_ROLES,
  INVOICING_PACK,
  SELLING_ROLES,
  STAFF_ROLE,
} from '../rights.ts'

/** Status number of an active application (specification, section 9). */
const ACTIVE = 1

/** Status of the application that a product belongs to (specification, section 3). */
interface AppStatus {
  readonly status: number
  readonly retired: boolean
  readonly hasLapsed: boolean
}

/** Parses an application's status; returns undefined if it is invalid. */
export function parseAppStatus(value: unknown): AppStatus | undefined {
  const { status, retired = false, hasLapsed = false } = (value ?? {}) as Partial<Record<keyof AppStatus, unknown>>
  const isOne = Number.isInteger(status) && typeof retired === 'boolean' && typeof hasLapsed === 'boolean'
  return isOne ? { status: status as number, retired, hasLapsed } : undefined
}

/**
 * Returns whether the product's plans and items can be sold: the product must be on sale and its application active.
 */
export function isProductOnSale({ retired, livemode, appStatus }: Selling): boolean {
  const app = parseAppStatus(appStatus)
  return !retired && livemode && app !== undefined && app.status === ACTIVE && !app.retired && !app.hasLapsed
}
interface Selling {
  readonly retired: boolean
  readonly livemode: boolean
  readonly appStatus: AppStatus
}

/** A product sold by the provider. Its plans and SKUs contain the prices. */
export const product = resource({
  ...catalogueResourceOptions,
  type: 'Product',
  path: 'products',
  table: 'product',
  title: 'name',
  order: ['created'],
  fields: {
    name: text({ required: 'Please give this product a name', filter: 'partial', order: true }),
    description: longText({ default: '' }),
    prodLegend: text({ default: '', label: 'Tagline', help: 'A few words shown beside the name on lists and quotes.' }),
    livemode: flag({ default: true, filter: true, label: 'On sale' }),
    appStatus: typedJson<AppStatus>()({ default: { status: ACTIVE, retired: false, hasLapsed: false } }),
    created: unixSeconds({ readonly: true, column: 'created_at', order: true }),
    retired: flag({ filter: true }),
  },
})

/** A portal pack that is included with a product. */
export const billingApplication = resource({
  ...catalogueResourceOptions,
  type: 'BillingApplication',
  path: 'applications',
  table: 'billing_application',
  title: 'name',
  order: ['name'],
  fields: {
    name: text({ required: 'Please give this application a name', filter: 'partial', order: true }),
    code: text({ default: '', filter: true, max: 50 }),
    product: link(() => product, { filter: true, embed: ['name'] }),
    retired: flag({ filter: true }),
  },
  allow: { read: STAFF_ROLE, create: BILLING_ADMIN_ROLE, update: BILLING_ADMIN_ROLE },
})

/** A VAT rate and the date it applies from. */
export const taxRate = resource({
  ...catalogueResourceOptions,
  type: 'TaxRate',
  path: 'tax_rates',
  table: 'tax_rate',
  title: 'name',
  order: ['-percent'],
  fields: {
    name: text({ required: 'Please give this rate a name', filter: 'partial', order: true }),
    code: choice(TAX_CODE_OPTIONS, { default: 'standard', filter: true, label: 'Type of VAT' }),
    percent: decimal({ required: true, min: 0, max: 100, filter: true, order: true }),
    from: date({ column: 'from_date', filter: true, order: true }),
    retired: flag({ filter: true }),
  },
})

const EXCHANGE_RATE_SOURCES = [
  { value: 'hmrc', label: 'HMRC’s monthly rate' },
  { value: 'own', label: 'Own rate' },
  { value: 'invoice', label: 'Entered on the first invoice of the month' },
] as const

/** The rate at which the VAT of a month's invoices in one currency is stated in sterling. */
export const exchangeRate = resource({
  service: 'financial',
  pack: INVOICING_PACK,
  tenant: 'own',
  type: 'ExchangeRate',
  path: 'exchange_rates',
  table: 'exchange_rate',
  title: 'currency',
  order: ['-month', 'currency'],
  fields: {
    currency: choice(CURRENCIES, { required: true, filter: true, order: true }),
    /** Any day of the month in requests; stored as the first day. */
    month: date({ required: 'Please enter a day of the month', filter: true, order: true }),
    rate: decimal({ required: true, min: 0.0001, max: 1_000_000, label: 'Currency units per £1' }),
    source: choice(EXCHANGE_RATE_SOURCES, { default: 'own', filter: true }),
    author: text({ readonly: true, notNull: true, stamp: 'author', default: '', person: true, label: 'Created by' }),
    createdAt: instant({ readonly: true, notNull: true }),
  },
  allow: { read: SELLING_ROLES, create: FINANCE_ROLES, update: FINANCE_ROLES },
})

export const firstDayOfMonth = (day: string): string => `${day.slice(0, 7)}-01`

/** Returns the source of a rate in words, such as `HMRC’s monthly rate`. */
export const describeRateSource = (source: string): string =>
  EXCHANGE_RATE_SOURCES.find((one) => one.value === source)?.label ?? source

/** Maximum price in pence, so that typing errors are caught before they reach a quote. */
const MAX_PRICE_PENCE = 1_000_000_000

const INTERVALS = [
  { value: 'month', label: 'Month' },
  { value: 'year', label: 'Year' },
] as const

/** A recurring price: a product at an amount per interval. */
export const plan = resource({
  ...catalogueResourceOptions,
  type: 'Plan',
  path: 'plans',
  table: 'plan',
  title: 'name',
  order: ['name'],
  fields: {
    name: text({ required: 'Please give this plan a name', filter: 'partial', order: true }),
    product: link(() => product, { required: true, filter: true, order: true, embed: ['name', 'prodLegend'] }),
    amount: integer({
      required: true,
      min: 0,
      max: MAX_PRICE_PENCE,
      pence: true,
      filter: true,
      order: true,
      label: 'Price',
    }),
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
  ...catalogueResourceOptions,
  type: 'Sku',
  path: 'skus',
  table: 'sku',
  title: 'name',
  order: ['name'],
  fields: {
    name: text({ required: 'Please give this item a name', filter: 'partial', order: true }),
    code: text({ default: '', filter: true, order: true, max: 50 }),
    unit: text({
      default: '',
      max: 50,
      help: 'The unit in which the item is sold, such as a visit, a person or a mile.',
    }),
    product: link(() => product, { filter: true, embed: ['name'] }),
    amount: decimal({
      required: true,
      min: 0,
      max: MAX_PRICE_PENCE,
      pence: true,
      filter: true,
      order: true,
      label: 'Price',
    }),
    currency: choice(CURRENCIES, { default: 'GBP', filter: true }),
    taxRate: link(() => taxRate, { filter: true, embed: ['name', 'percent'], label: 'Tax rate' }),
    version: integer({ readonly: true, notNull: true, label: 'Price version' }),
    /** Our unit cost, never shown to buyers. */
    cost: decimal({ min: 0, max: MAX_PRICE_PENCE, pence: true, order: true, label: 'Unit cost' }),
    stocked: flag({ filter: true, label: 'Track stock' }),
    onHand: decimal({ readonly: true, notNull: true, filter: true, order: true, label: 'In stock' }),
    createdAt: instant({ readonly: true, notNull: true, order: true }),
    retired: flag({ filter: true }),
  },
  actions: {
    count: {
      path: 'count',
      title: 'Enter a stock count. The difference is recorded as a stock movement',
      allow: SELLING_ROLES,
      input: {
        onHand: decimal({
          required: 'Please enter the quantity counted',
          min: 0,
          max: 1_000_000,
          label: 'Quantity counted',
        }),
        reason: text({ required: 'Please enter a reason', max: 500, label: 'Reason' }),
      },
    },
  },
})

/** A current or past price of a plan or an SKU. Each price change creates a new record, and records never change. */
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
