const KEY = 'stanchion-lead-list'

/** The filters last used in this tab, without words searched for: the bare address of the list opens with them. */
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
