export interface UpcomingInvoice {
  readonly day: string
  /** `Safety pack × 2, Talks` */
  readonly words: string
  /** Pence: excluding VAT, the VAT, and including VAT. */
  readonly net: number
  readonly tax: number
  readonly total: number
}

/** First invoices of a quote if it is accepted on a given day. */
export interface UpcomingInvoices {
  readonly accepted: string
  readonly invoices: readonly UpcomingInvoice[]
}

export const UPCOMING_INVOICE_COUNT = 3
