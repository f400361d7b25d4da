import { LONDON } from '#kernel/time.ts'
import type { Params } from '#web/api/client.ts'
import '#web/dates/temporal.ts'
import { staff } from '../staff/staff.ts'

const CATEGORIES = ['NEW', 'PFP', 'DOWNL', 'DEMO', 'CB', 'QUOTE'] as const
/** The strip's tabs; SEARCH joins them while something is searched for. */
export const TABS = [...CATEGORIES, 'ALL', 'IR35'] as const
export type Tab = (typeof TABS)[number] | 'SEARCH'

/** What the categories stand for, for the tab's title. */
export const TAB_WORDS: Readonly<Record<Tab, string>> = {
  NEW: 'New leads',
  PFP: 'Pitched for pack',
  DOWNL: 'Downloads',
  DEMO: 'Demos',
  CB: 'Callbacks',
  QUOTE: 'Quotes',
  ALL: 'All leads',
  IR35: 'Leads that asked about IR35',
  SEARCH: 'What the search found',
}

export const SORTS = {
  due: 'callbackDate',
  company: 'companyName',
  contact: 'name',
  owner: 'owner.name',
  age: 'createdAt',
} as const
export type Sort = keyof typeof SORTS

export const DUE = { overdue: 'Overdue', today: 'Due by tonight', week: 'Due in 7 days', none: 'No date set' } as const
export type Due = keyof typeof DUE

/** What the list shows; all of it stands in the address. */
export interface ListState {
  readonly tab: Tab
  /** `all`, `mine`, `none`, or a username. */
  readonly owner: string
  readonly due: Due | ''
  /** Id of a business type. */
  readonly type: string
  readonly q: string
  readonly sort: Sort
  readonly desc: boolean
  readonly page: number
}

export const PAGE_SIZE = 50
export const START: ListState = {
  tab: 'ALL',
  owner: 'all',
  due: '',
  type: '',
  q: '',
  sort: 'due',
  desc: false,
  page: 1,
}

const within = <K extends string>(keys: Readonly<Record<K, unknown>>, v: string | null): v is K =>
  v !== null && Object.hasOwn(keys, v)

export function readState(query: URLSearchParams): ListState {
  const get = (k: string) => query.get(k) ?? ''
  const q = get('q').trim()
  const tab = TABS.find((t) => t === get('category')) ?? START.tab
  const due = query.get('due')
  const sort = query.get('sort')
  return {
    tab: q ? 'SEARCH' : tab,
    owner: get('owner') || START.owner,
    due: within(DUE, due) ? due : '',
    type: /^\d+$/.test(get('type')) ? get('type') : '',
    q,
    sort: within(SORTS, sort) ? sort : START.sort,
    desc: get('dir') === 'desc',
    page: Math.max(1, Math.floor(Number(get('page'))) || 1),
  }
}

/** The state as an address's query; what is as at the start is left out. */
export function writeState(s: ListState): string {
  const query = new URLSearchParams()
  const put = (key: string, value: string, usual: string) => value !== usual && query.set(key, value)
  if (s.tab !== 'SEARCH') put('category', s.tab, START.tab)
  put('owner', s.owner, START.owner)
  put('due', s.due, '')
  put('type', s.type, '')
  put('q', s.q, '')
  put('sort', s.sort, START.sort)
  put('dir', s.desc ? 'desc' : 'asc', 'asc')
  put('page', String(s.page), '1')
  return query.toString()
}

export const listPath = (from: string) => `/crm/contact/list${from && `?${from}`}`

/** Whose leads, as the API is asked; one's own go by the person, whatever their staff record is called. */
export function ownerParams(owner: string, me: number): Params {
  if (owner === 'all') return {}
  if (owner === 'none') return { 'exists[owner]': false }
  return owner === 'mine' ? { 'owner.user': me } : { owner: `${staff.url}/${encodeURIComponent(owner)}` }
}

/** The end of a day in London, as unix seconds. */
const endOfDay = (now: Temporal.Instant, days = 0) => {
  const day = now
    .toZonedDateTimeISO(LONDON)
    .toPlainDate()
    .add({ days: days + 1 })
  return Math.floor(day.toZonedDateTime(LONDON).epochMilliseconds / 1000) - 1
}

function dueParams(due: Due | '', now: Temporal.Instant): Params {
  // The next five minutes too: so the question stays the same for a while.
  if (due === 'overdue') return { 'callbackDate[lte]': Math.ceil(now.epochMilliseconds / 300_000) * 300 }
  if (due === 'today') return { 'callbackDate[lte]': endOfDay(now) }
  if (due === 'week') return { 'callbackDate[lte]': endOfDay(now, 7) }
  return due === 'none' ? { 'exists[callbackDate]': false } : {}
}

/** The filters and the order, as the API is asked: for the list, the queue and an outcome's next lead alike. */
export function apiParams(s: ListState, me: number, now: Temporal.Instant): Params {
  return {
    retired: false,
    q: s.q,
    'lastResult.category': CATEGORIES.find((c) => c === s.tab),
    ir35: s.tab === 'IR35' ? true : undefined,
    ...ownerParams(s.owner, me),
    ...dueParams(s.due, now),
    businessType: s.type,
    [`order[${SORTS[s.sort]}]`]: s.desc ? 'desc' : 'asc',
  }
}
