import { currentPager } from './record-pager.ts'

/** Where one was in a list: its address with filters, the record last opened from it, and how far down. */
interface ListPosition {
  readonly search: string
  readonly row: string
  readonly scroll: number
}

const positions = new Map<string, ListPosition>()

/** Remembers a place in the list at this address; without `scroll`, as far down as before. */
export function rememberListPosition(
  path: string,
  { search, row, scroll }: Omit<ListPosition, 'scroll'> & Partial<ListPosition>,
): void {
  positions.set(path, { search, row, scroll: scroll ?? listPositionAt(path, search)?.scroll ?? 0 })
}

/** Where one was in the list at this address, filters included. */
export const listPositionAt = (path: string, search: string): ListPosition | undefined => {
  const place = positions.get(path)
  return place?.search === search ? place : undefined
}

/** The way back to a list, as it was left: for "Back to the list". */
export function listReturnPath(path: string): string {
  const walk = currentPager.read()
  return path + (positions.get(path)?.search ?? (walk?.path === path ? walk.search : ''))
}
