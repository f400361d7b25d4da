import { useMemo } from 'react'
import type { Params } from '../../api/client.ts'
import { rememberPlace } from './places.ts'
import { kept, type Walk } from './walk.ts'

/** The walk on which somebody is: at the address of one of its records, or in its list with one of them open there. */
export function useWalk(pathname: string, search: string): { readonly walk: Walk; readonly index: number } | undefined {
  // Nobody goes on without a change of the address.
  return useMemo(() => {
    const walk = kept.read()
    if (!walk) return undefined
    const isOpen = pathname === walk.path && [...new URLSearchParams(search).values()].includes(walk.at)
    const isHere = ({ id, to }: Walk['stops'][number]) =>
      to === undefined ? isOpen && id === walk.at : to === pathname + search
    // Several calls lead to one lead: the one that was opened comes first.
    const opened = walk.stops.findIndex((stop) => stop.id === walk.at && isHere(stop))
    const index = opened < 0 ? walk.stops.findIndex(isHere) : opened
    return index < 0 ? undefined : { walk, index }
  }, [pathname, search])
}

/** Is there one before or after the one at this place of the page, as far as anybody can tell? */
export function isBeyond({ page, size, total, stops }: Walk, index: number): boolean {
  if (stops[index]) return true
  const place = (page - 1) * size + index
  return kept.ways !== undefined && place >= 0 && place < (total ?? 0)
}

interface Going {
  /** Reads another page of the list. */
  readonly read: (url: string, params: Params) => Promise<readonly unknown[]>
  readonly go: (to: string) => void
}

/** Goes to a record by its place on the walk's page, over the page's edges too. The list is told, for whoever comes back to it. */
export async function walkTo(from: Walk, index: number, { read, go }: Going): Promise<void> {
  let next = from
  let at = index
  const { ways } = kept
  if (!from.stops[index] && ways) {
    const page = from.page + (index < 0 ? -1 : 1)
    const rows = await read(from.url, paged(from, page))
    kept.ways = { ...ways, rows }
    next = { ...from, page, stops: rows.map(ways.stopOf), search: searchAt(from.search, page) }
    at = index < 0 ? next.stops.length - 1 : 0
  }
  const stop = next.stops[at]
  if (!stop) return
  kept.write({ ...next, at: stop.id })
  rememberPlace(next.path, { search: next.search, row: stop.id })
  if (stop.to !== undefined) go(stop.to)
  else kept.ways?.open?.(kept.ways.rows[at])
}

/** The parameters of a page, spelt as the list spells them: an answer that is there already is taken. */
const paged = ({ params, size }: Walk, page: number): Params => ({
  ...params,
  page,
  ...(size === 30 ? {} : { itemsPerPage: size }),
})

function searchAt(search: string, page: number): string {
  const query = new URLSearchParams(search)
  if (page === 1) query.delete('page')
  else query.set('page', String(page))
  const text = query.toString()
  return text && `?${text}`
}
