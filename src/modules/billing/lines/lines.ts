/** The three lists of a quote and the type of their lines, in printing order. */
export const LINE_LISTS = { plans: 'plan', skus: 'sku', additionalItems: 'additional' } as const
export type LineListName = keyof typeof LINE_LISTS
export const LINE_LIST_NAMES = ['plans', 'skus', 'additionalItems'] as const satisfies readonly LineListName[]

export type QuoteLineLists<L> = Readonly<Record<LineListName, readonly L[]>>

export const mapLineLists = <T>(make: (list: LineListName) => T): Record<LineListName, T> => ({
  plans: make('plans'),
  skus: make('skus'),
  additionalItems: make('additionalItems'),
})

/** All lines in printing order. */
export const allQuoteLines = <L>(lists: QuoteLineLists<L>): L[] => LINE_LIST_NAMES.flatMap((list) => [...lists[list]])

/** Position of the nth printed line in its list: `plans[0]`. */
export function findLinePosition(lists: QuoteLineLists<unknown>, nth: number): { list: LineListName; index: number } {
  let left = nth
  for (const list of LINE_LIST_NAMES) {
    const { length } = lists[list]
    if (left < length) return { list, index: left }
    left -= length
  }
  return { list: 'additionalItems', index: left }
}
