/** The three lists of a quote and the type of their lines, in printing order. */
export const LISTS = { plans: 'plan', skus: 'sku', additionalItems: 'additional' } as const
export type ListName = keyof typeof LISTS
export const LIST_NAMES = ['plans', 'skus', 'additionalItems'] as const satisfies readonly ListName[]

export type Lists<L> = Readonly<Record<ListName, readonly L[]>>

export const eachList = <T>(make: (list: ListName) => T): Record<ListName, T> => ({
  plans: make('plans'),
  skus: make('skus'),
  additionalItems: make('additionalItems'),
})

/** All lines in printing order. */
export const allLines = <L>(lists: Lists<L>): L[] => LIST_NAMES.flatMap((list) => [...lists[list]])

/** Position of the nth printed line in its list: `plans[0]`. */
export function placeOf(lists: Lists<unknown>, nth: number): { list: ListName; index: number } {
  let left = nth
  for (const list of LIST_NAMES) {
    const { length } = lists[list]
    if (left < length) return { list, index: left }
    left -= length
  }
  return { list: 'additionalItems', index: left }
}
