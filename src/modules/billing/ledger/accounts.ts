/** A ledger account: its type sets its normal side and its statement. */
type AccountKind = 'asset' | 'liability' | 'income' | 'expense' | 'capital'

export interface LedgerAccount {
  readonly value: string
  readonly label: string
  readonly kind: AccountKind
  /** Usual nominal code in small companies' books, for exports. */
  readonly nominal: string
}

/** Ledger accounts. Debits are positive, credits negative. */
export const LEDGER_ACCOUNTS = [
  { value: 'receivable', label: 'Trade debtors', kind: 'asset', nominal: '1100' },
  { value: 'clearing', label: 'Card payments in transit', kind: 'asset', nominal: '1250' },
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

/** Types of ledger transactions. */
export const TRANSACTION_KINDS = [
  { value: 'opening', label: 'Brought forward' },
  { value: 'adjustment', label: 'Adjustment' },
  { value: 'payment', label: 'Payment' },
  { value: 'invoice', label: 'Invoice' },
  { value: 'credit', label: 'Credit note' },
  { value: 'void', label: 'Invoice voided' },
  { value: 'badDebt', label: 'Bad debt' },
  { value: 'earned', label: 'Income earned' },
  { value: 'charge', label: 'Card payment' },
  { value: 'fee', label: 'Fee' },
  { value: 'refund', label: 'Refund' },
  { value: 'failed', label: 'Late payment failure' },
  { value: 'dispute', label: 'Payment disputed' },
  { value: 'won', label: 'Dispute won' },
  { value: 'disputeFee', label: 'Dispute fee' },
  { value: 'disputeFeeBack', label: 'Dispute fee refunded' },
  { value: 'payout', label: 'Payout to the bank' },
] as const

export type TransactionKind = (typeof TRANSACTION_KINDS)[number]['value']
