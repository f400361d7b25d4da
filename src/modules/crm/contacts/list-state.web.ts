import { LONDON_TIME_ZONE } from '#kernel/time.ts'
import type { QueryParams } from '#web/api/client.ts'
import '#web/dates/temporal.ts'
import { sortOrderParams } from '#web/lists/url-state.ts'
import { LEAD_CATEGORIES, type LeadCategory } from '../outcomes/outcome.ts'
import { staff } from '../staff/staff.ts'

/** Tabs of the lead list. SEARCH is added while the user is searching. */
export type LeadListTab = LeadCategory | 'ALL' | 'IR35' | 'SEARCH'
export const LEAD_LIST_TABS: readonly LeadListTab[] = [...LEAD_CATEGORIES, 'ALL', 'IR35']

export const DUE_FILTERS = {
  overdue: 'Overdue',
  today: 'Due by the end of today',
  week: 'Due in 7 days',
  none: 'No date',
} as const
export type DueFilter = keyof typeof DUE_FILTERS

/** State of the lead list, stored entirely in the URL. */
export interface LeadListState {
  readonly tab: LeadListTab
  /** Owner filter: `all`, `mine`, `none`, or a username. */
  readonly owner: string
  readonly due: DueFilter | ''
  /** ID of a business type. */
  readonly type: string
  /** ID of an import. */
  readonly batch: string
  readonly q: string
  /** Sort order, such as `-companyName`. By default, the earliest due leads come first. */
  readonly order: string
  readonly page: number
  /** Visible columns and saved view, both managed by the list component. */
  readonly columns: string
  readonly view: string
}

export const LEADS_PAGE_SIZE = 50
export const DEFAULT_LEAD_LIST: LeadListState = {
  tab: 'ALL',
  owner: 'all',
  due: '',
  type: '',
  batch: '',
  q: '',
  order: '',
  page: 1,
  columns: '',
  view: '',
}

const within = <K extends string>(keys: Readonly<Record<K, unknown>>, v: string | null): v is K =>
  v !== null && Object.hasOwn(keys, v)

const digits = (text: string) => (/^\d+$/.test(text) ? text : '')

export function parseLeadListState(query: URLSearchParams): LeadListState {
  const get = (k: string) => query.get(k) ?? ''
  const q = get('q').trim()
  const tab = LEAD_LIST_TABS.find((t) => t === get('category')) ?? DEFAULT_LEAD_LIST.tab
  const due = query.get('due')
  return {
    // Search terms apply within the category or, if none is chosen, to all leads.
    tab: q && tab === DEFAULT_LEAD_LIST.tab ? 'SEARCH' : tab,
    owner: get('owner') || DEFAULT_LEAD_LIST.owner,
    due: within(DUE_FILTERS, due) ? due : '',
    type: digits(get('type')),
    batch: digits(get('import')),
    q,
    order: /^-?[a-zA-Z.]+$/.test(get('order')) ? get('order') : DEFAULT_LEAD_LIST.order,
    page: Math.max(1, Math.floor(Number(get('page'))) || 1),
    columns: get('columns'),
    view: get('view'),
  }
}

/** Returns the state as a URL query, without default values. */
export function serialiseLeadListState(s: LeadListState): string {
  const query = new URLSearchParams()
  const put = (key: string, value: string, usual: string) => value !== usual && query.set(key, value)
  if (s.tab !== 'SEARCH') put('category', s.tab, DEFAULT_LEAD_LIST.tab)
  put('owner', s.owner, DEFAULT_LEAD_LIST.owner)
  put('due', s.due, '')
  put('type', s.type, '')
  put('import', s.batch, '')
  put('q', s.q, '')
  put('order', s.order, '')
  put('page', String(s.page), '1')
  put('columns', s.columns, '')
  put('view', s.view, '')
  return query.toString()
}

export const LEAD_LIST_PATH = '/crm/contact/list'
export const leadListPath = (from: string) => LEAD_LIST_PATH + leadListQueryString(from)
/** Returns the query part of the list's URL; an empty string if there are no filters. */
export const leadListQueryString = (from: string) => from && `?${from}`

/**
 * Returns the API parameters for an owner filter. A user's own leads are requested by user ID, so that the name of
 * their staff record doesn't matter.
 */
export function leadOwnerParams(owner: string, me: number): QueryParams {
  if (owner === 'all') return {}
  if (owner === 'none') return { 'exists[owner]': false }
  return owner === 'mine' ? { 'owner.user': me } : { owner: `${staff.url}/${encodeURIComponent(owner)}` }
}

/** Returns the end of a day in London, in Unix seconds. */
const endOfDay = (now: Temporal.Instant, days = 0) => {
  const day = now
    .toZonedDateTimeISO(LONDON_TIME_ZONE)
    .toPlainDate()
    .add({ days: days + 1 })
  return Math.floor(day.toZonedDateTime(LONDON_TIME_ZONE).epochMilliseconds / 1000) - 1
}

function dueParams(due: DueFilter | '', now: Temporal.Instant): QueryParams {
  // Rounded up to five minutes, so that the query stays the same for a while and can be cached.
  if (due === 'overdue') return { 'callbackDate[lte]': Math.ceil(now.epochMilliseconds / 300_000) * 300 }
  if (due === 'today') return { 'callbackDate[lte]': endOfDay(now) }
  if (due === 'week') return { 'callbackDate[lte]': endOfDay(now, 7) }
  return due === 'none' ? { 'exists[callbackDate]': false } : {}
}

/**
 * Returns the API parameters for filters and sort order, as used by the list, by the call queue and to find the next
 * lead after an outcome.
 */
export function leadListParams(s: LeadListState, me: number, now: Temporal.Instant): QueryParams {
  return {
    retired: false,
    q: s.q,
    'lastResult.category': LEAD_CATEGORIES.find((c) => c === s.tab),
    ir35: s.tab === 'IR35' ? true : undefined,
    ...leadOwnerParams(s.owner, me),
    ...dueParams(s.due, now),
    businessType: s.type,
    importBatch: s.batch,
    ...sortOrderParams(s.order || 'callbackDate'),
  }
}
