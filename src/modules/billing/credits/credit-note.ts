import { choice, date, decimal, instant, integer, link, longText, rows, text, typedJson } from '#kernel/fields.ts'
import { CURRENCIES } from '#kernel/money.ts'
import { type Resource, resource } from '#kernel/resource.ts'
import { defineSequence } from '#kernel/sequence.ts'
import { financeRequest } from '../approvals/finance-request.ts'
import { product } from '../catalogue/plan.ts'
import { customer } from '../customers/customer.ts'
import type { CreditNoteTotals } from '../invoices/amounts.ts'
import { invoice, invoiceLine } from '../invoices/invoice.ts'
import type { Buyer } from '../invoices/paper.ts'
import { lineVatFields } from '../lines/line-vat.ts'
import type { Supplier } from '../print/quote-document.ts'
import { FINANCE_ROLES, INVOICING_PACK, SELLING_ROLES } from '../rights.ts'

export const creditNoteNumberSequence = defineSequence({
  name: 'credit note',
  prefix: 'CN-',
  per: 'client',
  gapless: true,
  digits: 5,
})

const filled = { editable: 'nobody' } as const

/** Uses of an amount already paid that is credited: it is added to the customer's credit, or its refund is requested. */
export const CREDIT_DESTINATIONS = [
  { value: 'balance', label: 'Added to the customer’s credit' },
  { value: 'refund', label: 'Refund to the customer' },
] as const

/**
 * Credit for one invoice line, by quantity or by an amount in pence. If neither is given, the remainder of the line is
 * credited.
 */
export const creditNoteLine = resource({
  type: 'CreditNoteLine',
  service: 'financial',
  pack: INVOICING_PACK,
  path: 'credit_note_lines',
  table: 'credit_note_line',
  tenant: 'own',
  title: 'description',
  order: ['position'],
  appendOnly: true,
  fields: {
    creditNote: link((): Resource => creditNote, { required: true, filter: true }),
    line: link(() => invoiceLine, { required: 'Please choose a line from the invoice', filter: true }),
    description: text({ ...filled, default: '', max: 500 }),
    quantity: decimal({ min: 0.0001, max: 1_000_000 }),
    /** Pence, excluding VAT. */
    net: integer({ pence: true, label: 'Excl. VAT' }),
    tax: integer({ ...filled, pence: true, label: 'VAT' }),
    ...lineVatFields(filled, filled),
    reversePercent: decimal({ ...filled, label: 'Reverse charge %' }),
    product: link(() => product, { ...filled, embed: ['name'] }),
    position: integer({ default: 0, order: true }),
  },
  allow: { read: SELLING_ROLES },
})

const pence = { readonly: true, notNull: true, order: true, pence: true } as const
const summed = { readonly: true, notNull: true, pence: true } as const
/** Returns the SQL for the sum of the refunds that the credit note has requested, in these states. */
const refundsOf = (states: string): string =>
  `(SELECT coalesce(sum(r.amount), 0) FROM refund r WHERE r.client_id = t.client_id AND r.credit_note_id = t.id AND r.state IN (${states}))`

/** A credit note for all or part of an invoice. It is issued on creation and never changed. */
export const creditNote = resource({
  type: 'CreditNote',
  service: 'financial',
  pack: INVOICING_PACK,
  path: 'credit_notes',
  table: 'credit_note',
  tenant: 'own',
  title: 'number',
  order: ['-date', '-id'],
  appendOnly: true,
  emails: 'id',
  fields: {
    number: text({ readonly: true, notNull: true, default: '', filter: true, order: true, label: 'Credit note' }),
    invoice: link(() => invoice, {
      required: 'Please choose the invoice to credit',
      filter: true,
      embed: ['number', 'date'],
    }),
    customer: link(() => customer, { readonly: true, notNull: true, filter: true, embed: ['companyName'] }),
    company: text({ readonly: true, notNull: true, default: '', filter: 'partial', order: true }),
    date: date({ readonly: true, notNull: true, filter: true, order: true, label: 'Date' }),
    reason: longText({ required: 'Please enter the reason for the credit', max: 1000 }),
    to: choice(CREDIT_DESTINATIONS, {
      column: 'goes_to',
      default: 'balance',
      filter: true,
      label: 'Amount already paid',
    }),
    currency: choice(CURRENCIES, { readonly: true, notNull: true, filter: true }),
    lines: rows(() => creditNoteLine, { by: 'creditNote', label: 'Lines' }),
    net: integer(pence),
    tax: integer(pence),
    total: integer(pence),
    totals: typedJson<CreditNoteTotals>()({ readonly: true, notNull: true }),
    /** Amount for which refunds were requested with the credit note. The refunds may be declined or fail. */
    amountToRefund: integer({ ...pence, column: 'amount_refunded', default: 0, label: 'Refund requested' }),
    amountRefunded: integer({ ...summed, sql: refundsOf("'succeeded'"), label: 'Refunded' }),
    amountRefunding: integer({ ...summed, sql: refundsOf("'waiting', 'pending'"), label: 'Refund waiting or pending' }),
    exchangeRate: decimal({ readonly: true, label: 'Currency units per £1' }),
    sterlingTax: integer({ readonly: true, pence: true, label: 'VAT in sterling' }),
    supplier: typedJson<Supplier>()({ readonly: true, notNull: true, omitFromLists: true }),
    buyer: typedJson<Buyer>()({ readonly: true, notNull: true, omitFromLists: true }),
    poNumber: text({ readonly: true, notNull: true, default: '', label: 'Purchase order' }),
    /** Request whose approval issued the credit note. */
    financeRequest: link(() => financeRequest, {
      readonly: true,
      filter: true,
      embed: ['author', 'decidedBy'],
      label: 'Approved request',
    }),
    author: text({ readonly: true, notNull: true, stamp: 'author', default: '', person: true, label: 'Created by' }),
    createdAt: instant({ readonly: true, notNull: true, filter: true, order: true }),
  },
  allow: { read: SELLING_ROLES, create: FINANCE_ROLES },
})
