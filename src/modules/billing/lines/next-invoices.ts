export interface UpcomingInvoice {
  readonly day: string
  /** Invoiced items in words, such as `Safety pack × 2, Talks`. */
  readonly words: string
  /** Pence: the amount excluding VAT, the VAT, and the amount including VAT. */
  readonly net: number
  readonly tax: number
  readonly total: number
}

/** A quote's first invoices if the quote is accepted on a given day. */
export interface UpcomingInvoices {
  readonly accepted: string
  readonly invoices: readonly UpcomingInvoice[]
}

export const UPCOMING_INVOICE_COUNT = 3
