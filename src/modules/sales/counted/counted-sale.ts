import { z } from 'zod'
import { choice, date, flag, instant, integer, link, longText, strings, text, typedJson } from '#kernel/fields.ts'
import { CURRENCIES } from '#kernel/money.ts'
import { type Resource, resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { product } from '#modules/billing/catalogue/plan.ts'
import { insuranceSale } from '#modules/billing/customers/insurance-sale.ts'
import { quote } from '#modules/billing/quotes/quote.ts'
import { contact, sale } from '#modules/crm/contacts/contact.ts'
import { leadSource } from '#modules/crm/contacts/import-batch.ts'
import { staff } from '#modules/crm/staff/staff.ts'
import { user } from '#modules/identity/people/user.ts'
import { SALES_MANAGER_ROLE, SELLER_ROLE } from '../rights.ts'

/** List filter for sales from website leads. */
export const websiteFilterSchema = z.enum(['', 'yes']).default('')
export const WEBSITE_FILTER = {
  key: 'web',
  label: 'From the website',
  options: [{ value: 'yes', label: 'Yes', asks: { web: '', 'cameFrom.web': 'true' } }],
}

export const SALE_SOURCES = [
  { value: 'quote', label: 'Quote accepted' },
  { value: 'insurance', label: 'Insurance sold' },
  { value: 'hand', label: 'Entered by hand' },
] as const

/** Renewal outcomes; `none` applies to sales without a yearly plan. */
export const RENEWAL_OUTCOMES = [
  { value: 'none', label: 'Nothing to renew' },
  { value: 'open', label: 'Not yet known' },
  { value: 'renewed', label: 'Renewed' },
  { value: 'lost', label: 'Not renewed' },
] as const

/** Maximum amount in pence. An amount above ten million pounds must be a typing error. */
const MAX_AMOUNT_PENCE = 1_000_000_000

const own = { unless: SALES_MANAGER_ROLE, only: only.mine('person') } as const
const reason = longText({ required: 'Please enter a reason', max: 1000 })

/**
 * A sale that counts towards figures and commission: product, seller, day in London time, and the record from which it
 * was created.
 */
export const countedSale = resource({
  type: 'CountedSale',
  service: 'sales',
  path: 'sales_stats',
  table: 'counted_sale',
  tenant: 'own',
  title: 'what',
  order: ['-day', '-id'],
  state: 'state',
  bulk: [{ action: 'check', input: ['versions'] }],
  fields: {
    day: date({ required: 'Please enter the date of the sale', filter: true, order: true }),
    seller: link(() => staff, { filter: true, order: true, embed: ['username', 'name'], label: 'Sold by' }),
    /** The seller's user account. */
    person: link(() => user, { readonly: true, filter: true }),
    /** Amount in pence, excluding VAT. */
    amount: integer({
      required: 'Please enter the amount',
      min: 0,
      max: MAX_AMOUNT_PENCE,
      pence: true,
      filter: true,
      order: true,
      label: 'Amount, excluding VAT',
    }),
    currency: choice(CURRENCIES, { default: 'GBP', filter: true }),
    source: choice(SALE_SOURCES, { readonly: true, default: 'hand', filter: true, count: true, label: 'Source' }),
    what: text({ required: 'Please enter what was sold', filter: 'partial', max: 200, label: 'What was sold' }),
    product: link(() => product, { filter: true, embed: ['name'] }),
    contact: link(() => contact, { filter: true, embed: ['companyName', 'name'], label: 'Lead' }),
    company: text({ default: '', filter: 'partial', order: true }),
    /** The lead's source on the day of the sale. */
    cameFrom: link(() => leadSource, { readonly: true, filter: true, label: 'Lead source' }),
    /** The lead's deal, if the sale was entered from a deal. */
    sale: link(() => sale, { filter: true, label: 'Deal' }),
    quote: link(() => quote, { readonly: true, filter: true, embed: ['reference'] }),
    insuranceSale: link(() => insuranceSale, { readonly: true, filter: true, label: 'Insurance' }),
    /** Next payment date of the yearly plan, if the sale comes from a quote. */
    renewsOn: date({ readonly: true, filter: true, order: true, label: 'Renewal due' }),
    renewal: choice(RENEWAL_OUTCOMES, { readonly: true, default: 'none', filter: true, count: true, label: 'Renewal' }),
    renewedBy: link((): Resource => countedSale, { readonly: true, filter: true, label: 'Renewed by' }),
    renewalReason: text({ readonly: true, default: '', max: 1000, label: 'Reason for non-renewal' }),
    notes: longText({ default: '', max: 2000 }),
    state: choice(
      [
        { value: 'waiting', label: 'Not checked' },
        { value: 'checked', label: 'Checked' },
      ],
      { readonly: true, default: 'waiting', filter: true, count: true, label: 'Check status' },
    ),
    /** Usernames of the people who changed the figures since the last check. */
    changedBy: strings({ readonly: true, notNull: true, default: [], label: 'Changed by' }),
    /** Number of changes to the sale, including its entry. */
    version: integer({ readonly: true, notNull: true, default: 1 }),
    checkedBy: text({ readonly: true, default: '', person: true }),
    checkedAt: instant({ readonly: true }),
    retired: flag({ readonly: true, filter: true }),
    reason: text({ readonly: true, default: '', max: 1000, label: 'Reason for retiring the sale' }),
    author: text({ readonly: true, notNull: true, stamp: 'author' }),
    createdAt: instant({ readonly: true, notNull: true, order: true }),
    updatedAt: instant({ readonly: true, notNull: true, stamp: 'updated' }),
  },
  allow: {
    read: SELLER_ROLE,
    create: SELLER_ROLE,
    update: SELLER_ROLE,
    rows: [{ ...own, verbs: ['create', 'update'] }],
  },
  actions: {
    check: {
      path: 'check',
      title: 'Mark the sale as checked, by somebody who neither made, entered nor changed it',
      allow: SALES_MANAGER_ROLE,
      from: ['waiting'],
      to: 'checked',
      input: {
        version: integer({
          help: '`version` of the sale that was read. If the sale has changed since, it is refused (409).',
        }),
        versions: typedJson<Readonly<Record<string, number>>>()({
          help: 'For several sales: the `version` of each, by the ID of the sale.',
        }),
      },
      rows: [
        { unless: 'nobody', only: only.either(only.others('person'), { field: 'person', is: "nobody's" }) },
        { unless: 'nobody', only: only.others('author') },
      ],
    },
    retire: {
      path: 'retire',
      title: 'Remove the sale from the figures',
      allow: SELLER_ROLE,
      input: { reason },
      rows: [own],
    },
    restore: { path: 'restore', title: 'Count the sale again', allow: SALES_MANAGER_ROLE, input: {} },
    lose: {
      path: 'lose',
      title: 'Record that the customer will not renew',
      allow: SELLER_ROLE,
      input: { reason },
      rows: [own],
    },
    hope: { path: 'hope', title: 'Reopen the renewal', allow: SELLER_ROLE, input: {}, rows: [own] },
  },
})

const KNOWN = RENEWAL_OUTCOMES.filter(({ value }) => value !== 'none')

/** List filter by renewal outcome; `any` finds all sales that have a renewal date. */
export const renewalFilterSchema = z.enum(['', 'any', 'open', 'renewed', 'lost']).default('')
export const RENEWAL_FILTER = {
  key: 'renewal',
  label: 'Renewal',
  options: [{ value: 'any', label: 'Has a renewal date', asks: { renewal: '', 'exists[renewsOn]': 'true' } }, ...KNOWN],
}
