import { kept } from './walk.ts'

/** Where one was in a list: its address with filters, the record last opened from it, and how far down. */
interface Place {
  readonly search: string
  readonly row: string
  readonly scroll: number
}

const places = new Map<string, Place>()

/** Remembers a place in the list at this address; without `scroll`, as far down as before. */
export function rememberPlace(path: string, { search, row, scroll }: Omit<Place, 'scroll'> & Partial<Place>): void {
  places.set(path, { search, row, scroll: scroll ?? placeAt(path, search)?.scroll ?? 0 })
}

/** Where one was in the list at this address, filters included. */
export const placeAt = (path: string, search: string): Place | undefined => {
  const place = places.get(path)
  return place?.search === search ? place : undefined
}

/** The way back to a list, as it was left: for "Back to the list". */
export function backTo(path: string): string {
  const walk = kept.read()
  return path + (places.get(path)?.search ?? (walk?.path === path ? walk.search : ''))
}
