import type { Currency } from '#kernel/money.ts'
import type { InvoiceState } from '../invoices/invoice.ts'

export interface PaymentPageData {
  readonly '@id': string
  readonly '@type': 'PaymentPage'
  readonly provider: string
  readonly number: string
  readonly company: string
  readonly date: string | null
  readonly dueOn: string | null
  readonly currency: Currency
  readonly total: number
  readonly amountDue: number
  readonly state: InvoiceState
  readonly underWay: boolean
  readonly card: boolean
  readonly bank: readonly string[]
}
