import type { TaxCode } from '#kernel/money/tax-codes.ts'
import type { LedgerAccountName } from './accounts.ts'

/** API endpoints of the ledger reports; dates are inclusive. */
export const BALANCES_URL = '/api/financial/ledger/balances'
export const VAT_REPORT_URL = '/api/financial/ledger/vat'
export const JOURNAL_URL = '/api/financial/ledger/journal.csv'

/** Balance of an account at the end of a day, in pence. */
export interface AccountBalance {
  readonly account: LedgerAccountName
  readonly label: string
  readonly nominal: string
  readonly currency: string
  readonly debit: number
  readonly credit: number
}

/** Sales of a period by type of VAT, in pence, net of credits. */
export interface VatReportLine {
  readonly code: TaxCode
  readonly label: string
  readonly percent: number
  readonly currency: string
  readonly net: number
  readonly vat: number
}
