import { choice, date, flag, instant, integer, link, text, typedJson } from '#kernel/fields.ts'
import { CURRENCIES } from '#kernel/money.ts'
import { resource } from '#kernel/resource.ts'
import { customer } from '../customers/customer.ts'
import { invoice } from '../invoices/invoice.ts'
import { charge } from '../payments/charge.ts'
import { FINANCE_ROLES, INVOICING_PACK } from '../rights.ts'

// These resources are separate from the statement parser, because screens import the resources and the parser needs
// Node.js.

/** An unreadable line, with its line number in the file and the reason. */
export interface UnreadableStatementLine {
  readonly line: number
  readonly why: string
}

/** Number of lines that are not payments, such as pending ones, with the reason. */
export interface LeftOutLines {
  readonly why: string
  readonly lines: number
}

/** Meanings of a CSV file's columns. */
export const STATEMENT_COLUMNS = [
  { value: 'day', label: 'Date' },
  { value: 'amount', label: 'Amount' },
  { value: 'paidIn', label: 'Paid in' },
  { value: 'paidOut', label: 'Paid out' },
  { value: 'direction', label: 'Money in or out' },
  { value: 'reference', label: 'Reference or text' },
  { value: 'payer', label: 'Payer' },
  { value: 'currency', label: 'Currency' },
  { value: 'status', label: 'Status' },
] as const
export type StatementColumn = (typeof STATEMENT_COLUMNS)[number]['value']

/** Mapping of a CSV file's columns, by their headings. */
export interface StatementMapping {
  readonly columns: Readonly<Record<string, StatementColumn>>
  /** Words in the direction column that mean money in. Words in neither list are read by their usual meaning. */
  readonly moneyIn?: readonly string[]
  readonly moneyOut?: readonly string[]
}

/** Part of a bank line that pays an invoice. */
export interface BankLinePart {
  /** IRI of the invoice. */
  readonly invoice: string
  /** Pence. */
  readonly amount: number
}

const kept = { readonly: true, notNull: true } as const

export const bankStatement = resource({
  type: 'BankStatement',
  service: 'financial',
  pack: INVOICING_PACK,
  path: 'bank_statements',
  table: 'bank_statement',
  tenant: 'own',
  title: 'name',
  order: ['-id'],
  appendOnly: true,
  fields: {
    name: text({ ...kept, max: 255, label: 'File' }),
    currency: choice(CURRENCIES, { ...kept, default: 'GBP' }),
    /** Number of incoming payments that were not in an earlier statement. */
    lines: integer({ ...kept, label: 'New lines' }),
    known: integer({ ...kept, label: 'Already imported' }),
    outgoing: integer({ ...kept, label: 'Payments out' }),
    /** Number of new lines that may be in an earlier statement in different words. */
    alike: integer({ ...kept, default: 0, label: 'Possibly already imported' }),
    leftOut: typedJson<readonly LeftOutLines[]>()({ ...kept, default: [], label: 'Left out' }),
    /** Mapping that was chosen for a CSV file. It is used again for files with the same headings. */
    mapping: typedJson<StatementMapping | null>()({ readonly: true }),
    headingsKey: text({ ...kept, default: '', visible: 'nobody' }),
    checksum: text({ ...kept, default: '', visible: 'nobody' }),
    problems: typedJson<readonly UnreadableStatementLine[]>()(kept),
    author: text({ ...kept, stamp: 'author', default: '', person: true, label: 'Uploaded by' }),
    createdAt: instant({ ...kept, order: true, label: 'Uploaded' }),
  },
  allow: { read: FINANCE_ROLES },
})

export const BANK_LINE_STATES = [
  { value: 'proposed', label: 'To confirm' },
  { value: 'open', label: 'Unmatched' },
  { value: 'booked', label: 'Recorded' },
  { value: 'ignored', label: 'Not a customer payment' },
] as const

/**
 * An incoming payment on a bank statement, with the invoice, if any, that it seems to pay. When staff confirm the
 * match, the payment is recorded once.
 */
export const bankLine = resource({
  type: 'BankLine',
  service: 'financial',
  pack: INVOICING_PACK,
  path: 'bank_lines',
  table: 'bank_line',
  tenant: 'own',
  title: 'reference',
  order: ['-day', '-id'],
  state: 'state',
  bulk: [{ action: 'book', input: [] }],
  fields: {
    statement: link(() => bankStatement, { ...kept, filter: true, embed: ['name'] }),
    day: date({ ...kept, filter: true, order: true }),
    amount: integer({ ...kept, pence: true, filter: true, order: true }),
    currency: choice(CURRENCIES, { ...kept, filter: true }),
    reference: text({ ...kept, default: '', max: 500, search: true }),
    payer: text({ ...kept, default: '', max: 255, search: true, label: 'Payer' }),
    /** Key that identifies the same line in another file. */
    key: text({ ...kept, visible: 'nobody' }),
    /** ID that the bank gives to the payment in OFX or CAMT.053. */
    bankId: text({ ...kept, default: '', visible: 'nobody' }),
    state: choice(BANK_LINE_STATES, {
      ...kept,
      default: 'open',
      filter: true,
      count: true,
      order: true,
      label: 'Status',
    }),
    customer: link(() => customer, { readonly: true, filter: true, embed: ['companyName'] }),
    invoice: link(() => invoice, { readonly: true, filter: true, embed: ['number', 'amountDue', 'state'] }),
    /** Reason for or against the proposed match. */
    why: text({ ...kept, default: '', max: 500 }),
    /** Empty if the line was split: `bank_lines/{id}/charges` lists all of its payments. */
    charge: link(() => charge, { readonly: true, filter: true, label: 'Payment' }),
    decidedBy: text({ ...kept, default: '', person: true, label: 'Recorded by' }),
    decidedAt: instant({ readonly: true, order: true }),
    createdAt: instant(kept),
    updatedAt: instant({ ...kept, stamp: 'updated' }),
  },
  allow: { read: FINANCE_ROLES },
  actions: {
    book: {
      path: 'book',
      title: 'Record as a payment for the proposed invoice, or for the invoice or customer in the request',
      allow: FINANCE_ROLES,
      from: ['proposed', 'open'],
      input: { invoice: link(() => invoice), customer: link(() => customer) },
    },
    split: {
      path: 'split',
      title: 'Record as payments for several invoices of one customer',
      allow: FINANCE_ROLES,
      from: ['proposed', 'open'],
      to: 'booked',
      input: {
        parts: typedJson<readonly BankLinePart[]>()({
          required: 'Please choose the invoices',
          help: 'A list of {invoice, amount}: the IRI of an invoice and pence.',
        }),
        credit: flag({ help: 'Adds the remainder to the customer’s credit. Without it, the amounts must add up.' }),
      },
    },
    unmatch: {
      path: 'unmatch',
      title: 'Undo the match: reverse the payments of the line, which is then unmatched again',
      allow: FINANCE_ROLES,
      from: ['booked'],
      to: 'open',
      input: { reason: text({ required: 'Please enter the reason', max: 500 }) },
    },
    ignore: {
      path: 'ignore',
      title: 'Mark as not a customer payment',
      allow: FINANCE_ROLES,
      from: ['proposed', 'open'],
      to: 'ignored',
      undo: 'reopen',
      input: {},
    },
    reopen: { path: 'reopen', title: 'Reopen', allow: FINANCE_ROLES, from: ['ignored'], to: 'open', input: {} },
  },
})
