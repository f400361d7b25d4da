import type { Currency } from '#kernel/money.ts'
import type { InvoiceState } from '../invoices/invoice.ts'

export const RECEIVED_INVOICES_URL = '/api/financial/bills'

export const RECEIVED_INVOICE_PAYER_ROLE = 'ROLE_CLIENT_ADMIN'

/** An invoice from the provider, as seen by the company that received it. */
export interface ReceivedInvoice {
  readonly '@id': string
  readonly '@type': 'Bill'
  readonly id: number
  readonly number: string
  readonly date: string
  readonly dueOn: string
  readonly currency: Currency
  readonly total: number
  readonly amountDue: number
  readonly state: Exclude<InvoiceState, 'draft'>
}
