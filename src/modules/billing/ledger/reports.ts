import type { TaxCode } from '#kernel/money/tax-codes.ts'
import type { AccountName } from './accounts.ts'

/** Where the reports of the ledger are had; days are inclusive. */
export const BALANCES_URL = '/api/financial/ledger/balances'
export const VAT_URL = '/api/financial/ledger/vat'
export const JOURNAL_URL = '/api/financial/ledger/journal.csv'

/** What an account comes to at the end of a day, in pence. */
export interface AccountBalance {
  readonly account: AccountName
  readonly label: string
  readonly nominal: string
  readonly currency: string
  readonly debit: number
  readonly credit: number
}

/** What was sold in a period under a kind of VAT, in pence: net of credits. */
export interface VatLine {
  readonly code: TaxCode
  readonly label: string
  readonly percent: number
  readonly currency: string
  readonly net: number
  readonly vat: number
}
