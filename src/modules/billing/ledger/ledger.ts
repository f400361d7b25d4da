import { choice, date, decimal, instant, integer, link, rows, text } from '#kernel/fields.ts'
import { TAX_CODE_OPTIONS } from '#kernel/money/tax-codes.ts'
import { CURRENCIES } from '#kernel/money.ts'
import { type Resource, resource } from '#kernel/resource.ts'
import { product } from '../catalogue/product.ts'
import { customer } from '../customers/customer.ts'
import { FINANCE_ROLES, INVOICING_PACK } from '../rights.ts'
import { LEDGER_ACCOUNTS, TRANSACTION_KINDS } from './accounts.ts'

/** One side of a transaction: an amount on an account. Created with its transaction and never changed. */
export const ledgerEntry = resource({
  type: 'LedgerEntry',
  service: 'financial',
  pack: INVOICING_PACK,
  path: 'ledger_entries',
  table: 'ledger_entry',
  tenant: 'own',
  order: ['-id'],
  appendOnly: true,
  fields: {
    transaction: link((): Resource => ledgerTransaction, { required: true, filter: true }),
    day: date({ required: true, filter: true, order: true }),
    account: choice(LEDGER_ACCOUNTS, { required: true, filter: true }),
    /** Pence: debits are positive, credits negative. */
    amount: integer({ required: true, pence: true, filter: true }),
    currency: choice(CURRENCIES, { default: 'GBP', filter: true }),
    customer: link(() => customer, { filter: true }),
    /** Invoice ID. */
    invoiceId: integer({ filter: true }),
    product: link(() => product, { filter: true, embed: ['name'] }),
    taxCode: choice(TAX_CODE_OPTIONS, { filter: true, label: 'VAT' }),
    taxPercent: decimal({ label: 'VAT %' }),
  },
  allow: { read: FINANCE_ROLES },
})

/** A ledger transaction: its type, date and entries, which sum to zero. */
export const ledgerTransaction = resource({
  type: 'LedgerTransaction',
  service: 'financial',
  pack: INVOICING_PACK,
  path: 'ledger_transactions',
  table: 'ledger_transaction',
  tenant: 'own',
  title: 'description',
  order: ['-day', '-id'],
  appendOnly: true,
  fields: {
    kind: choice(TRANSACTION_KINDS, { required: true, filter: true, label: 'Type' }),
    day: date({ required: true, filter: true, order: true }),
    description: text({ required: true, max: 500, filter: 'partial' }),
    customer: link(() => customer, { filter: true, embed: ['companyName'] }),
    /** Type of the source record: `Invoice`. Unique together with source ID and kind. */
    source: text({ required: true, filter: true }),
    sourceId: integer({ required: true, filter: true }),
    reverses: link((): Resource => ledgerTransaction, { filter: true }),
    entries: rows(() => ledgerEntry, { by: 'transaction' }),
    author: text({ readonly: true, notNull: true, stamp: 'author', default: '', person: true, label: 'Posted by' }),
    createdAt: instant({ readonly: true, notNull: true, filter: true, label: 'Posted' }),
  },
  allow: { read: FINANCE_ROLES },
})

/** End of a closed period: nothing more is posted up to this day. */
export const ledgerLock = resource({
  type: 'LedgerLock',
  service: 'financial',
  pack: INVOICING_PACK,
  path: 'ledger_locks',
  table: 'ledger_lock',
  tenant: 'own',
  order: ['-through', '-id'],
  appendOnly: true,
  fields: {
    through: date({
      required: 'Please choose the last day of the period',
      filter: true,
      order: true,
      label: 'Closed through',
    }),
    author: text({ readonly: true, notNull: true, stamp: 'author', default: '', person: true, label: 'Closed by' }),
    createdAt: instant({ readonly: true, notNull: true, label: 'Closed' }),
  },
  allow: { read: FINANCE_ROLES, create: FINANCE_ROLES, notWhileImpersonating: ['create'] },
})
