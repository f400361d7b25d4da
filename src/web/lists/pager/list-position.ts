import { currentRecordPager } from './record-pager.ts'

/** Position in a list: the list's URL parameters, the last opened record, and the scroll position. */
interface ListPosition {
  readonly search: string
  readonly row: string
  readonly scroll: number
}

const positions = new Map<string, ListPosition>()

/** Stores the position in the list at this path. The stored scroll position is retained unless a new one is given. */
export function storeListPosition(
  path: string,
  { search, row, scroll }: Omit<ListPosition, 'scroll'> & Partial<ListPosition>,
): void {
  positions.set(path, { search, row, scroll: scroll ?? findListPosition(path, search)?.scroll ?? 0 })
}

/** Returns the last position in the list at this path, if the URL parameters are the same. */
export const findListPosition = (path: string, search: string): ListPosition | undefined => {
  const place = positions.get(path)
  return place?.search === search ? place : undefined
}

/** Returns the URL of a list in its last state, for "Back to the list". */
export function getListReturnPath(path: string): string {
  const walk = currentRecordPager.read()
  return path + (positions.get(path)?.search ?? (walk?.path === path ? walk.search : ''))
}
