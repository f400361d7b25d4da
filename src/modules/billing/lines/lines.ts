/** The three lists of a quote, with the type of their lines, in printing order. */
export const QUOTE_LINE_LISTS = { plans: 'plan', skus: 'sku', additionalItems: 'additional' } as const
export type QuoteLineListName = keyof typeof QUOTE_LINE_LISTS
export const QUOTE_LINE_LIST_NAMES = [
  'plans',
  'skus',
  'additionalItems',
] as const satisfies readonly QuoteLineListName[]

export type QuoteLineLists<L> = Readonly<Record<QuoteLineListName, readonly L[]>>

export const mapQuoteLineLists = <T>(make: (list: QuoteLineListName) => T): Record<QuoteLineListName, T> => ({
  plans: make('plans'),
  skus: make('skus'),
  additionalItems: make('additionalItems'),
})

/** Returns all lines in printing order. */
export const allQuoteLines = <L>(lists: QuoteLineLists<L>): L[] =>
  QUOTE_LINE_LIST_NAMES.flatMap((list) => [...lists[list]])

/** Returns the position of the nth printed line in its list, such as `plans[0]`. */
export function findQuoteLinePosition(
  lists: QuoteLineLists<unknown>,
  nth: number,
): { list: QuoteLineListName; index: number } {
  let left = nth
  for (const list of QUOTE_LINE_LIST_NAMES) {
    const { length } = lists[list]
    if (left < length) return { list, index: left }
    left -= length
  }
  return { list: 'additionalItems', index: left }
}

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
