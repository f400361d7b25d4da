import type { Currency } from '#kernel/money.ts'
import type { InvoiceState } from '../invoices/invoice.ts'

/** What a customer's link to pay opens. */
export interface PaymentPage {
  readonly '@id': string
  readonly '@type': 'PaymentPage'
  /** To whom it is paid. */
  readonly provider: string
  readonly number: string
  readonly company: string
  readonly date: string | null
  readonly dueOn: string | null
  readonly currency: Currency
  readonly total: number
  readonly amountDue: number
  readonly state: InvoiceState
  /** A payment is being made just now. */
  readonly underWay: boolean
  /** Can it be paid by card here? */
  readonly card: boolean
  /** Where it is paid to by the bank, a line each. */
  readonly bank: readonly string[]
}
