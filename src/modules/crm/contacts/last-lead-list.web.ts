import { tabStorage } from '#web/offline/browser-storage.ts'

const filters = tabStorage.text('stanchion-lead-list')

/** The filters last used in this tab, without search terms. A list URL without filters opens with them. */
export const lastLeadListFilters = {
  get: () => filters.read() ?? '',
  set: (from: string) => filters.write(from),
}

/** Leads dealt with since the page was loaded; the record pager skips them. */
const done = new Set<number>()

export const leadsDealtWith = {
  has: (id: number) => done.has(id),
  add: (id: number) => void done.add(id),
  undo: (id: number) => void done.delete(id),
}
