import { choice, email, flag, instant, integer, jsonOf, link, phone, text } from '#kernel/fields.ts'
import { CURRENCIES } from '#kernel/money.ts'
import { resource } from '#kernel/resource.ts'
import { contact } from '#modules/crm/contacts/contact.ts'
import { client } from '#modules/portal/clients/client.ts'
import { coupon } from '../catalogue/coupon.ts'
import { BOOKS, FINANCE, SELL, STAFF } from '../rights.ts'
import { COUNTRIES } from './countries.ts'
import type { Metadata } from './metadata.ts'

/** Where the lead of a record's customer came from, in SQL over `t`. */
export const LEADS_SOURCE =
  '(SELECT l.came_from_id FROM customer k JOIN contact l ON l.client_id = k.client_id AND l.id = k.contact_id WHERE k.client_id = t.client_id AND k.id = t.customer_id)'

const keepBoth = flag({ writeOnly: true, help: 'The same was booked a moment ago, and is meant once more.' })

/** Somebody who buys: a lead or a client, as the provider's books know them. */
export const customer = resource({
  type: 'Customer',
  service: 'financial',
  pack: BOOKS,
  path: 'customers',
  table: 'customer',
  tenant: 'own',
  title: 'companyName',
  order: ['-createdAt'],
  bulk: ['retire'],
  fields: {
    companyName: text({ readonly: true, filter: 'partial', order: true, search: true, label: 'Company' }),
    contactName: text({ readonly: true, filter: 'partial', order: true, search: true }),
    telephone: phone({ readonly: true, search: true }),
    email: email({
      required: 'Please enter the e-mail address that quotes and invoices go to',
      filter: true,
      order: true,
      search: true,
      label: 'E-mail',
    }),
    coupon: link(() => coupon, { filter: true, embed: ['name', 'percentOff', 'amountOff', 'currency'] }),
    /** owner, createdBy, contact_uri, contact_id, client_id, telephone, company_name, contact_name (specification, section 3). */
    metadata: jsonOf<Metadata>()({ default: {} }),
    /** The lead or the client that it is: for the provider to say, whose customers use the portal. */
    contact: link(() => contact, { filter: true, embed: ['name', 'companyName'], editable: STAFF }),
    client: link(() => client, { column: 'account_id', filter: true, editable: STAFF }),
    currency: choice(CURRENCIES, { default: 'GBP' }),
    /** Pence; below zero the customer is in credit. */
    accountBalance: integer({ readonly: true, notNull: true, order: true, pence: true, label: 'Account balance' }),
    /** Pence to add to the balance: sent, never read back. */
    accountBalanceChange: integer({ writeOnly: true, min: -1_000_000_000, max: 1_000_000_000 }),
    /** Why the balance changes; a payment that was received says it by its day. */
    accountBalanceReason: text({ writeOnly: true, max: 500 }),
    keepBoth,
    /** Whom invoices are made out to, where it is not the company as it stands above. */
    billingName: text({ default: '', omitFromLists: true, label: 'Name on invoices' }),
    address1: text({ default: '', omitFromLists: true, label: 'Address' }),
    address2: text({ default: '', omitFromLists: true, label: 'Address, second line' }),
    city: text({ default: '', omitFromLists: true }),
    county: text({ default: '', omitFromLists: true }),
    postcode: text({ default: '', omitFromLists: true, max: 20 }),
    country: choice(COUNTRIES, { default: 'GB', omitFromLists: true }),
    vatNumber: text({ default: '', omitFromLists: true, max: 20, label: 'VAT number' }),
    /** What their invoices say unless told otherwise. */
    poNumber: text({ default: '', omitFromLists: true, max: 50, label: 'Purchase order number' }),
    invoiceEmail: email({ default: '', omitFromLists: true, label: 'E-mail for invoices' }),
    paymentDays: integer({ default: 14, min: 0, max: 365, omitFromLists: true, label: 'Days to pay' }),
    paymentReceivedDate: instant({ filter: true, order: true, label: 'Payment received' }),
    /** What they are made known to a gateway with: no other portal says the same of somebody else. */
    gatewayKey: text({ readonly: true, notNull: true, visible: 'nobody' }),
    /** What each gateway calls the customer, by the gateway's name. */
    gatewayRefs: jsonOf<Readonly<Record<string, string>>>()({ readonly: true, notNull: true, visible: 'nobody' }),
    createdAt: instant({ readonly: true, notNull: true, filter: true, order: true }),
    updatedAt: instant({ readonly: true, notNull: true, stamp: 'updated' }),
    retired: flag({ filter: true }),
  },
  allow: { read: SELL, create: SELL, update: SELL },
  actions: {
    balance: {
      path: 'balance',
      title: 'Add to the account balance, or take from it',
      allow: FINANCE,
      input: {
        change: integer({ required: true, min: -1_000_000_000, max: 1_000_000_000 }),
        reason: text({ max: 500, help: 'Why it changes; a payment says it by the day on which it was received.' }),
        paymentReceivedDate: instant(),
        keepBoth,
      },
    },
    detachCoupon: { path: 'detach-coupon', title: 'Take the coupon off', allow: SELL, input: {} },
  },
})
