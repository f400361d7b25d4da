/** Where somebody was in the list: to be there again when they come back. */
interface Place {
  readonly from: string
  readonly scroll: number
  /** The lead that was opened. */
  readonly lead: number
}

const KEY = 'stanchion-lead-list'
let place: Place | undefined

export const rememberPlace = (next: Place) => {
  place = next
}
export const placeIn = (from: string): Place | undefined => (place?.from === from ? place : undefined)

/** The filters last used in this tab: the bare address of the list opens with them. */
export const lastList = {
  get: () => sessionStorage.getItem(KEY) ?? '',
  set: (from: string) => sessionStorage.setItem(KEY, from),
}

/** Leads dealt with since the page was loaded: going on through the list passes them by. */
const done = new Set<number>()
export const dealtWith = {
  has: (id: number) => done.has(id),
  add: (id: number) => void done.add(id),
  undo: (id: number) => void done.delete(id),
}
