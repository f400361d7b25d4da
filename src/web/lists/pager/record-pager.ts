import type { QueryParams } from '../../api/client.ts'
import { session } from '../../api/session.ts'
import { tabValueForPerson } from '../../offline/owner.ts'

/** Record of a list, with its URL. */
interface PagerRecord {
  readonly id: string
  /** URL of the record; `undefined` if the list opens the record with a handler. */
  readonly to?: string | undefined
}

/** Snapshot of the list that a record was opened from, for moving to the previous and next record. */
export interface RecordPager {
  /** Path of the list. */
  readonly path: string
  readonly search: string
  /** URL of the list in the API. The query parameters don't include the page. */
  readonly url: string
  readonly params: QueryParams
  readonly size: number
  readonly total: number | undefined
  readonly page: number
  /** Records on the current page of the list. */
  readonly stops: readonly PagerRecord[]
  /** ID of the open record. */
  readonly at: string
}

/** Handlers with which a list opens its records. They are not available after a reload. */
export interface RecordOpener {
  readonly stopOf: (row: unknown) => PagerRecord
  /** Opens a record that has no URL. */
  readonly open?: ((row: unknown) => void) | undefined
  readonly rows: readonly unknown[]
}

export type RecordPagerSource = Omit<RecordPager, 'stops' | 'at' | 'path' | 'search'> & RecordOpener

/**
 * The pager contains records and search text, so it belongs to the person and is removed from the tab with the person's
 * other input.
 */
const stored = () => tabValueForPerson<RecordPager>(session.me(), 'walk')
/** Lists on screen, by path. */
const sources = new Map<string, () => RecordPagerSource>()
/** Current record pager. It is retained across reloads. */
export const currentRecordPager = {
  read: (): RecordPager | undefined => stored().read(),
  write: (walk: RecordPager) => stored().write(walk),
  /** Handlers of the pager's list. Set only if the pager was started after the page was loaded. */
  ways: undefined as RecordOpener | undefined,
}

/** Registers a list on screen as the source of a pager. Returns a function that removes the registration. */
export function registerRecordPagerSource(path: string, offer: () => RecordPagerSource): () => void {
  sources.set(path, offer)
  return () => {
    if (sources.get(path) === offer) sources.delete(path)
  }
}

/**
 * Finds the handlers of the pager's list if that list is on screen and shows the same records. The records then open
 * above that list.
 */
export function findRecordOpener({ path, page, stops }: RecordPager): RecordOpener | undefined {
  const offer = sources.get(path)?.()
  const isSame =
    offer?.page === page && offer.rows.map((row) => offer.stopOf(row).id).join() === stops.map(({ id }) => id).join()
  return isSame ? offer : undefined
}

/** Starts a pager at a record opened from the list on screen. */
export function startRecordPager(path: string, search: string, id: string): void {
  const offer = sources.get(path)?.()
  if (!offer) return
  const { stopOf, open, rows, ...asked } = offer
  currentRecordPager.ways = { stopOf, open, rows }
  currentRecordPager.write({ ...asked, path, search, stops: rows.map(stopOf), at: id })
}
