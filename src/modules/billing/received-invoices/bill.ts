import type { Currency } from '#kernel/money.ts'
import type { InvoiceState } from '../invoices/invoice.ts'

/** Where a company reads what the provider asks it to pay. */
export const BILLS = '/api/financial/bills'

/** Who pays for a company. */
export const PAYS = 'ROLE_CLIENT_ADMIN'

/** An invoice of the provider, as the company that it is for reads it. */
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
