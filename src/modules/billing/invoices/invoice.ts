import { choice, date, decimal, instant, integer, jsonOf, link, longText, rows, text } from '#kernel/fields.ts'
import { TAX_CODE_OPTIONS } from '#kernel/money/tax-codes.ts'
import { CURRENCIES } from '#kernel/money.ts'
import { type Resource, resource } from '#kernel/resource.ts'
import { sequence } from '#kernel/sequence.ts'
import { product } from '../catalogue/product.ts'
import { customer } from '../customers/customer.ts'
import { lineFields } from '../lines/line.ts'
import type { Supplier } from '../print/supplier.ts'
import { quote } from '../quotes/quote.ts'
import { BOOKS, FINANCE, SELL } from '../rights.ts'
import type { InvoiceSums } from './amounts.ts'
import type { Buyer } from './buyer.ts'

/** Drawn as an invoice is issued, in the same transaction: one that is refused gives its number back. */
export const invoiceNumbers = sequence({ name: 'invoice', prefix: 'INV-', per: 'client', gapless: true, digits: 5 })

/** Ten million pounds, either way. */
const MOST = 1_000_000_000
/** What the portal works out of a line; nobody says it. */
const worked = { default: 0, editable: 'nobody', pence: true } as const

/** One line of an invoice, written with it. */
export const invoiceLine = resource({
  type: 'InvoiceLine',
  service: 'financial',
  pack: BOOKS,
  path: 'invoice_lines',
  table: 'invoice_line',
  tenant: 'own',
  title: 'description',
  order: ['position'],
  fields: {
    invoice: link((): Resource => invoice, { required: true, filter: true }),
    ...lineFields,
    /** Below nil for what is given back on the same invoice: the unused days of a plan that was exchanged. */
    unitAmount: decimal({
      required: 'Please enter the price of one',
      min: -MOST,
      max: MOST,
      pence: true,
      label: 'Price',
    }),
    taxCode: choice(TAX_CODE_OPTIONS, { label: 'VAT' }),
    product: link(() => product, { filter: true, embed: ['name'] }),
    /** The days that the service is for, the last one included. */
    from: date({ column: 'first_day', label: 'First day' }),
    to: date({ column: 'last_day', label: 'Last day' }),
    amount: integer(worked),
    discount: integer(worked),
    net: integer(worked),
    tax: integer(worked),
  },
  allow: { read: SELL },
})

export const INVOICE_STATES = ['draft', 'open', 'paid', 'void', 'uncollectible'] as const
export type InvoiceState = (typeof INVOICE_STATES)[number]

const pence = { readonly: true, notNull: true, order: true, pence: true } as const
const reason = longText({ required: 'Please say why', max: 1000 })

/** What a customer is asked to pay. A draft can be changed; once issued it has its number and says the same for ever. */
export const invoice = resource({
  type: 'Invoice',
  service: 'financial',
  pack: BOOKS,
  path: 'invoices',
  table: 'invoice',
  tenant: 'own',
  title: 'number',
  order: ['-date', '-id'],
  state: 'state',
  fields: {
    number: text({
      readonly: true,
      notNull: true,
      default: '',
      filter: true,
      order: true,
      search: true,
      label: 'Invoice',
    }),
    customer: link(() => customer, {
      required: 'Please choose who this invoice is for',
      filter: true,
      embed: ['companyName', 'contactName', 'email'],
    }),
    company: text({ readonly: true, notNull: true, default: '', search: true, order: true, filter: 'partial' }),
    quote: link(() => quote, { readonly: true, filter: true, embed: ['reference'] }),
    subscriptionId: integer({ readonly: true, filter: true }),
    /** Where it comes from. What the portal has made itself keeps the prices that it was made with. */
    origin: choice(['manual', 'quote', 'subscription'], {
      readonly: true,
      notNull: true,
      default: 'manual',
      filter: true,
    }),
    state: choice(INVOICE_STATES, {
      readonly: true,
      notNull: true,
      default: 'draft',
      filter: true,
      order: true,
      count: true,
    }),
    /** The day of issue. */
    date: date({ readonly: true, filter: true, order: true, label: 'Date' }),
    taxPoint: date({ readonly: true, filter: true, order: true, label: 'Tax point' }),
    dueOn: date({ filter: true, order: true, label: 'Due' }),
    /** The days that it is for, the last one included. */
    periodFrom: date({ column: 'first_day', label: 'First day' }),
    periodTo: date({ column: 'last_day', label: 'Last day' }),
    currency: choice(CURRENCIES, { default: 'GBP', filter: true }),
    percentOff: decimal({ min: 0, max: 100, lenient: true, label: 'Discount %' }),
    amountOff: integer({ min: 0, max: MOST, pence: true, label: 'Discount' }),
    /** Of the coupon that it is by. */
    discountName: text({ readonly: true, notNull: true, default: '' }),
    poNumber: text({ default: '', max: 50, search: true, label: 'Purchase order' }),
    notes: longText({ default: '', max: 5000, label: 'A word to the customer' }),
    lines: rows(() => invoiceLine, { by: 'invoice', label: 'Lines' }),
    subtotal: integer(pence),
    discount: integer(pence),
    net: integer(pence),
    tax: integer(pence),
    total: integer(pence),
    /** As `amounts.ts` works them out, without the lines. */
    totals: jsonOf<InvoiceSums>()({ readonly: true, notNull: true }),
    /** Units of the currency for a pound: of HM Revenue & Customs for the month, or the selling rate of the day. */
    exchangeRate: decimal({ min: 0.0001, max: 1_000_000, label: 'Units for £1' }),
    /** VAT in pence sterling, on invoices in another currency. */
    sterlingTax: integer({ readonly: true, pence: true, label: 'VAT in sterling' }),
    supplier: jsonOf<Supplier>()({ readonly: true, omitFromLists: true }),
    buyer: jsonOf<Buyer>()({ readonly: true, omitFromLists: true }),
    amountPaid: integer({ ...pence, label: 'Paid' }),
    amountCredited: integer({ ...pence, label: 'Credited' }),
    amountWrittenOff: integer({ ...pence, label: 'Written off' }),
    amountDue: integer({ ...pence, filter: true, label: 'To pay' }),
    timesWrittenOff: integer({ readonly: true, notNull: true, visible: 'nobody' }),
    /** Why it is void or uncollectible. */
    reason: text({ readonly: true, notNull: true, default: '' }),
    issuedAt: instant({ readonly: true, filter: true, order: true, label: 'Issued' }),
    sentAt: instant({ readonly: true, filter: true, order: true, label: 'Sent' }),
    paidAt: instant({ readonly: true, filter: true, order: true, label: 'Paid on' }),
    author: text({ readonly: true, notNull: true, stamp: 'author', default: '', person: true, label: 'Made by' }),
    createdAt: instant({ readonly: true, notNull: true, filter: true, order: true }),
    updatedAt: instant({ readonly: true, notNull: true, stamp: 'updated' }),
  },
  allow: { read: SELL, create: SELL, update: SELL, delete: SELL },
  actions: {
    issue: {
      path: 'issue',
      title: 'Issue the invoice: it gets its number, is posted and goes to the customer',
      allow: FINANCE,
      from: ['draft'],
      input: {
        taxPoint: date({ help: 'When the goods or services were supplied; the day of issue unless said.' }),
        /** Of the preview that was looked at (`GET {invoice}/preview`). */
        fingerprint: text(),
      },
    },
    send: {
      path: 'send',
      title: 'Send it by e-mail: a draft as a pro forma',
      allow: SELL,
      from: ['draft', 'open', 'paid'],
      input: {},
    },
    void: {
      path: 'void',
      title: 'Make void an invoice that nothing was paid or credited of',
      allow: FINANCE,
      from: ['open'],
      input: { reason },
    },
    writeOff: {
      path: 'write-off',
      title: 'Write off what is still to pay: it is uncollectible',
      allow: FINANCE,
      from: ['open'],
      input: { reason },
    },
    reopen: {
      path: 'reopen',
      title: 'Ask for what was written off after all',
      allow: FINANCE,
      from: ['uncollectible'],
      input: {},
    },
    useCredit: {
      path: 'use-credit',
      title: 'Pay it from what the customer has in credit',
      allow: FINANCE,
      from: ['open'],
      input: {},
    },
  },
})
