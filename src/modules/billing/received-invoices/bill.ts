import type { Currency } from '#kernel/money.ts'
import type { InvoiceState } from '../invoices/invoice.ts'

export const BILLS = '/api/financial/bills'

export const PAYS = 'ROLE_CLIENT_ADMIN'

/** An invoice of the provider, as seen by the company that received it. */
export interface Bill {
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
