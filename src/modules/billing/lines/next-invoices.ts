/** An invoice that a quote leads to. */
export interface NextInvoice {
  readonly day: string
  /** `Safety pack × 2, Talks` */
  readonly words: string
  /** Pence: without VAT, the VAT, and both. */
  readonly net: number
  readonly tax: number
  readonly total: number
}

/** The first invoices of a quote, if it is accepted on a day. */
export interface NextInvoices {
  readonly accepted: string
  readonly invoices: readonly NextInvoice[]
}

/** How many are shown. */
export const NEXT = 3
