import { useMemo } from 'react'
import type { QueryParams } from '../../api/client.ts'
import { paginationParams } from '../../api/resources.ts'
import { storeListPosition } from './list-position.ts'
import { currentRecordPager, findRecordOpener, type RecordPager } from './record-pager.ts'
import type { PagerEntryState } from './use-page-entry.ts'

interface PagerPosition {
  readonly walk: RecordPager
  readonly index: number
}

/**
 * Returns the current pager position if the page shows one of the pager's records, or the pager's list with a record
 * open.
 */
export function useRecordPager(pathname: string, search: string): PagerPosition | undefined {
  // The position in the pager changes only when the URL changes.
  return useMemo(() => {
    const walk = currentRecordPager.read()
    if (!walk) return undefined
    const isOpen = pathname === walk.path && [...new URLSearchParams(search).values()].includes(walk.at)
    const isHere = ({ id, to }: RecordPager['stops'][number]) =>
      to === undefined ? isOpen && id === walk.at : to === pathname + search || to === pathname
    // Several calls may belong to one lead. The open call takes precedence.
    const opened = walk.stops.findIndex((stop) => stop.id === walk.at && isHere(stop))
    const index = opened < 0 ? walk.stops.findIndex(isHere) : opened
    return index < 0 ? undefined : { walk, index }
  }, [pathname, search])
}

/** Returns true if there is a record at this index of the page, or probably one on the previous or next page. */
export function hasRecordAt({ page, size, total, stops }: RecordPager, index: number): boolean {
  if (stops[index]) return true
  const place = (page - 1) * size + index
  return place >= 0 && place < (total ?? 0)
}

interface PagerNavigation {
  /** Fetches another page of the list. */
  readonly read: (url: string, params: QueryParams) => Promise<readonly unknown[]>
  readonly go: (to: string, state?: PagerEntryState) => void
}

/**
 * Opens the next or previous record, even if it is on another page. The new position is stored for "Back to the list".
 * After a reload, only the list knows the URLs of its records, so the list is opened first.
 */
export async function goToNeighbouringRecord(
  { walk, index }: PagerPosition,
  by: 1 | -1,
  { read, go }: PagerNavigation,
): Promise<void> {
  const here = walk.stops[index]?.to
  let next = walk
  let at = index
  currentRecordPager.ways ??= findRecordOpener(walk)
  do {
    at += by
    if (next.stops[at]) continue
    if (!hasRecordAt(next, at)) return
    const page = next.page + by
    const { ways } = currentRecordPager
    if (!ways) return go(next.path + searchAt(next.search, page), { enters: by, from: here })
    const rows = await read(next.url, paginationParams(next.params, page, next.size))
    if (!rows.length) return
    currentRecordPager.ways = { ...ways, rows }
    next = { ...next, page, stops: rows.map(ways.stopOf), search: searchAt(next.search, page) }
    at = by < 0 ? next.stops.length - 1 : 0
    // If the current record has a URL, rows that lead to the same URL are skipped, such as other calls of the same
    // lead.
  } while (here !== undefined && next.stops[at]?.to === here)
  const stop = next.stops[at]
  if (!stop) return
  currentRecordPager.write({ ...next, at: stop.id })
  storeListPosition(next.path, { search: next.search, row: stop.id })
  if (stop.to !== undefined) go(stop.to)
  else currentRecordPager.ways?.open?.(currentRecordPager.ways.rows[at])
}

function searchAt(search: string, page: number): string {
  const query = new URLSearchParams(search)
  if (page === 1) query.delete('page')
  else query.set('page', String(page))
  const text = query.toString()
  return text && `?${text}`
}
