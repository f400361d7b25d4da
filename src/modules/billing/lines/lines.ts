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
