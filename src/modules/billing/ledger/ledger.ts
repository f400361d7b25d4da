import { choice, date, instant, integer, link, rows, text } from '#kernel/fields.ts'
import type { TaxCode } from '#kernel/money/tax-codes.ts'
import { CURRENCIES } from '#kernel/money.ts'
import { type Resource, resource } from '#kernel/resource.ts'
import { product } from '../catalogue/plan.ts'
import { customer } from '../customers/customer.ts'
import { lineVatFields } from '../lines/line-vat.ts'
import { FINANCE_ROLES, INVOICING_PACK } from '../rights.ts'

/** Type of a ledger account, which determines the account's normal side and the statement it appears on. */
type AccountKind = 'asset' | 'liability' | 'income' | 'expense' | 'capital'

interface LedgerAccount {
  readonly value: string
  readonly label: string
  readonly kind: AccountKind
  /** Nominal code as is usual in small companies' books; used in exports. */
  readonly nominal: string
}

/** Ledger accounts. Debits are positive and credits are negative. */
export const LEDGER_ACCOUNTS = [
  { value: 'receivable', label: 'Trade debtors', kind: 'asset', nominal: '1100' },
  { value: 'clearing', label: 'Card payments and Direct Debits in transit', kind: 'asset', nominal: '1250' },
  { value: 'bank', label: 'Bank', kind: 'asset', nominal: '1200' },
  { value: 'sales', label: 'Sales', kind: 'income', nominal: '4000' },
  { value: 'deferred', label: 'Deferred income', kind: 'liability', nominal: '2109' },
  { value: 'vat', label: 'VAT on sales', kind: 'liability', nominal: '2200' },
  { value: 'fees', label: 'Payment fees', kind: 'expense', nominal: '7901' },
  { value: 'badDebt', label: 'Bad debts', kind: 'expense', nominal: '8100' },
  { value: 'adjustment', label: 'Adjustments', kind: 'income', nominal: '4900' },
  { value: 'opening', label: 'Brought forward', kind: 'capital', nominal: '9998' },
] as const satisfies readonly LedgerAccount[]

export type LedgerAccountName = (typeof LEDGER_ACCOUNTS)[number]['value']

export const LEDGER_TRANSACTION_KINDS = [
  { value: 'opening', label: 'Brought forward' },
  { value: 'adjustment', label: 'Adjustment' },
  { value: 'payment', label: 'Payment' },
  { value: 'invoice', label: 'Invoice' },
  { value: 'credit', label: 'Credit note' },
  { value: 'void', label: 'Invoice voided' },
  { value: 'badDebt', label: 'Bad debt' },
  { value: 'earned', label: 'Income earned' },
  { value: 'charge', label: 'Card payment or Direct Debit' },
  { value: 'fee', label: 'Fee' },
  { value: 'refund', label: 'Refund' },
  { value: 'failed', label: 'Payment failed' },
  { value: 'reversed', label: 'Payment reversed' },
  { value: 'dispute', label: 'Payment disputed' },
  { value: 'won', label: 'Dispute won' },
  { value: 'disputeFee', label: 'Dispute fee' },
  { value: 'disputeFeeBack', label: 'Dispute fee refunded' },
  { value: 'payout', label: 'Payout to the bank' },
] as const

export type LedgerTransactionKind = (typeof LEDGER_TRANSACTION_KINDS)[number]['value']

/** API URLs of the ledger reports. The dates in report queries are inclusive. */
export const LEDGER_BALANCES_URL = '/api/financial/ledger/balances'
export const VAT_REPORT_URL = '/api/financial/ledger/vat'
export const ACCOUNTANT_FILES_URL = '/api/financial/ledger/files'
export const LEDGER_JOURNAL_URL = '/api/financial/ledger/journal.csv'
export const LEDGER_SALES_URL = '/api/financial/ledger/sales.csv'
export const LEDGER_PAYMENTS_URL = '/api/financial/ledger/payments.csv'
export const TRIAL_BALANCE_URL = '/api/financial/ledger/trial-balance.csv'

/**
 * A file for an accountant. A `reason` says why the program can't import it; a file in several parts has several URLs.
 */
export interface AccountantFile {
  readonly title: string
  readonly reason: string
  readonly rows: number
  readonly urls: readonly string[]
}

export const DEPOSITS_URL = '/api/financial/ledger/deposits'

/** A payment received before an invoice, in pence. It creates a tax point (VAT Act 1994, section 6(4)). */
export interface Deposit {
  readonly id: number
  readonly day: string
  readonly customer: string
  readonly company: string
  readonly currency: string
  readonly amount: number
}

/** Balance of an account at the end of a day, in pence. */
export interface AccountBalance {
  readonly account: LedgerAccountName
  readonly label: string
  readonly nominal: string
  readonly currency: string
  readonly debit: number
  readonly credit: number
}

/** Sales in a period by type of VAT, in pence and net of credits. */
export interface VatReportLine {
  readonly code: TaxCode
  readonly label: string
  readonly percent: number
  readonly currency: string
  readonly net: number
  readonly vat: number
}

/** One side of a transaction: an amount posted to an account. Created with its transaction and never changed. */
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
    /** Pence; debits are positive, credits negative. */
    amount: integer({ required: true, pence: true, filter: true }),
    currency: choice(CURRENCIES, { default: 'GBP', filter: true }),
    customer: link(() => customer, { filter: true }),
    invoiceId: integer({ filter: true }),
    product: link(() => product, { filter: true, embed: ['name'] }),
    ...lineVatFields({ filter: true, label: 'VAT' }),
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
    kind: choice(LEDGER_TRANSACTION_KINDS, { required: true, filter: true, label: 'Type' }),
    day: date({ required: true, filter: true, order: true }),
    description: text({ required: true, max: 500, filter: 'partial' }),
    customer: link(() => customer, { filter: true, embed: ['companyName'] }),
    /** Type of the source record, such as `Invoice`. Unique together with the source ID and the kind. */
    source: text({ required: true, filter: true }),
    sourceId: integer({ required: true, filter: true }),
    reverses: link((): Resource => ledgerTransaction, { filter: true }),
    entries: rows(() => ledgerEntry, { by: 'transaction' }),
    author: text({ readonly: true, notNull: true, stamp: 'author', default: '', person: true, label: 'Posted by' }),
    createdAt: instant({ readonly: true, notNull: true, filter: true, label: 'Posted' }),
  },
  allow: { read: FINANCE_ROLES },
})

/** Last day of a closed period. Nothing more can be posted for dates up to and including this day. */
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
      label: 'Closed up to',
    }),
    author: text({ readonly: true, notNull: true, stamp: 'author', default: '', person: true, label: 'Closed by' }),
    createdAt: instant({ readonly: true, notNull: true, label: 'Closed' }),
  },
  allow: { read: FINANCE_ROLES, create: FINANCE_ROLES },
})
