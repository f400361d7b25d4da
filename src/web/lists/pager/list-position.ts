import { session } from '../../api/session.ts'
import { tabValueForPerson } from '../../offline/owner.ts'
import { currentRecordPager } from './record-pager.ts'

/** Position in a list: the list's URL parameters, the last opened record, and the scroll position. */
interface ListPosition {
  readonly search: string
  readonly row: string
  readonly scroll: number
}

type PositionsByPath = Readonly<Record<string, ListPosition>>

/** Positions of this person's lists. They are retained across reloads of the tab. */
const stored = () => tabValueForPerson<PositionsByPath>(session.me(), 'lists')
const positionAt = (path: string, search?: string) => {
  const position = stored().read()?.[path]
  return search === undefined || position?.search === search ? position : undefined
}

let isFirstPage = true

/** To be called when the person moves on from the page with which the tab was loaded. That page starts at its top. */
export const leaveFirstPage = (): void => {
  isFirstPage = false
}

/** Stores the position in the list at this path. The stored scroll position is retained unless a new one is given. */
export function storeListPosition(
  path: string,
  { search, row, scroll }: Omit<ListPosition, 'scroll'> & Partial<ListPosition>,
): void {
  const position = { search, row, scroll: scroll ?? positionAt(path, search)?.scroll ?? 0 }
  stored().write({ ...stored().read(), [path]: position })
}

/** Returns the last position in the list at this path, if the URL parameters are the same. */
export const findListPosition = (path: string, search: string): ListPosition | undefined =>
  isFirstPage ? undefined : positionAt(path, search)

/** Returns the URL of a list in its last state, for "Back to the list". */
export function getListReturnPath(path: string): string {
  const walk = currentRecordPager.read()
  return path + (positionAt(path)?.search ?? (walk?.path === path ? walk.search : ''))
}
