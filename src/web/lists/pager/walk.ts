import type { Params } from '../../api/client.ts'
import { session } from '../../api/session.ts'
import { ownTabValue } from '../../offline/owner.ts'

/** A record of a list, and what opens it. */
interface Stop {
  readonly id: string
  /** Its address; nothing where the list opens it by doing something. */
  readonly to?: string | undefined
}

/** A list that a record was opened from, as it was asked for then: its records are walked through, one after the other. */
export interface Walk {
  /** Where the list is, without and with what narrows it. */
  readonly path: string
  readonly search: string
  /** What the API is asked, without the page. */
  readonly url: string
  readonly params: Params
  readonly size: number
  readonly total: number | undefined
  readonly page: number
  /** Of that page. */
  readonly stops: readonly Stop[]
  /** Which of them is open. */
  readonly at: string
}

/** What a list knows of its records only since it has been on screen: gone with a reload. */
export interface Ways {
  readonly stopOf: (row: unknown) => Stop
  /** Opens a record that has no address. */
  readonly open?: ((row: unknown) => void) | undefined
  readonly rows: readonly unknown[]
}

export type Offer = Omit<Walk, 'stops' | 'at' | 'path' | 'search'> & Ways

/** A walk names records, and the words that found them: it is its person's, and leaves the tab with what they have typed. */
const stored = () => ownTabValue<Walk>(session.me(), 'walk')
/** By the path of the list. */
const offers = new Map<string, () => Offer>()
/** The walk that somebody is on: it outlives a reload. */
export const kept = {
  read: (): Walk | undefined => stored().read(),
  write: (walk: Walk) => stored().write(walk),
  /** Of the walk that was begun since the page was loaded. */
  ways: undefined as Ways | undefined,
}

/** A list says how it tells what it shows, in case one of its records is opened. */
export function offerWalk(path: string, offer: () => Offer): () => void {
  offers.set(path, offer)
  return () => {
    if (offers.get(path) === offer) offers.delete(path)
  }
}

/** What the list of a walk knows, where it is on screen as it was then: its records are opened over it. */
export function waysOf({ path, page, stops }: Walk): Ways | undefined {
  const offer = offers.get(path)?.()
  const isSame =
    offer?.page === page && offer.rows.map((row) => offer.stopOf(row).id).join() === stops.map(({ id }) => id).join()
  return isSame ? offer : undefined
}

/** A record is opened from the list on screen. */
export function beginWalk(path: string, search: string, id: string): void {
  const offer = offers.get(path)?.()
  if (!offer) return
  const { stopOf, open, rows, ...asked } = offer
  kept.ways = { stopOf, open, rows }
  kept.write({ ...asked, path, search, stops: rows.map(stopOf), at: id })
}
