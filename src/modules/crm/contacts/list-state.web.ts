import { LONDON } from '#kernel/time.ts'
import type { Params } from '#web/api/client.ts'
import '#web/dates/temporal.ts'
import { orderParams } from '#web/lists/url-state.ts'
import { CATEGORIES, type Category } from '../outcomes/categories.ts'
import { staff } from '../staff/staff.ts'

/** Tabs of the list; SEARCH is added during a search. */
export type Tab = Category | 'ALL' | 'IR35' | 'SEARCH'
export const TABS: readonly Tab[] = [...CATEGORIES, 'ALL', 'IR35']

export const DUE = { overdue: 'Overdue', today: 'Due by tonight', week: 'Due in 7 days', none: 'No date' } as const
export type Due = keyof typeof DUE

/** State of the lead list; all of it is in the URL. */
export interface ListState {
  readonly tab: Tab
  /** `all`, `mine`, `none`, or a username. */
  readonly owner: string
  readonly due: Due | ''
  /** Id of a business type. */
  readonly type: string
  /** Id of an import. */
  readonly batch: string
  readonly q: string
  /** `-companyName`; by default, the earliest due first. */
  readonly order: string
  readonly page: number
  /** Visible columns and saved view, managed by the list component. */
  readonly columns: string
  readonly view: string
}

export const PAGE_SIZE = 50
export const START: ListState = {
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

export function readState(query: URLSearchParams): ListState {
  const get = (k: string) => query.get(k) ?? ''
  const q = get('q').trim()
  const tab = TABS.find((t) => t === get('category')) ?? START.tab
  const due = query.get('due')
  return {
    // Search terms apply within the category, or to all leads without one.
    tab: q && tab === START.tab ? 'SEARCH' : tab,
    owner: get('owner') || START.owner,
    due: within(DUE, due) ? due : '',
    type: digits(get('type')),
    batch: digits(get('import')),
    q,
    order: /^-?[a-zA-Z.]+$/.test(get('order')) ? get('order') : START.order,
    page: Math.max(1, Math.floor(Number(get('page'))) || 1),
    columns: get('columns'),
    view: get('view'),
  }
}

/** The state as a URL query, without default values. */
export function writeState(s: ListState): string {
  const query = new URLSearchParams()
  const put = (key: string, value: string, usual: string) => value !== usual && query.set(key, value)
  if (s.tab !== 'SEARCH') put('category', s.tab, START.tab)
  put('owner', s.owner, START.owner)
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

export const LIST_PATH = '/crm/contact/list'
export const listPath = (from: string) => LIST_PATH + searchOf(from)
/** Query part of the list's URL. */
export const searchOf = (from: string) => from && `?${from}`

/** Owner filter for the API; one's own leads are requested by user id, whatever the staff record's name. */
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
  // Rounded up to five minutes, so that the query stays the same for a while.
  if (due === 'overdue') return { 'callbackDate[lte]': Math.ceil(now.epochMilliseconds / 300_000) * 300 }
  if (due === 'today') return { 'callbackDate[lte]': endOfDay(now) }
  if (due === 'week') return { 'callbackDate[lte]': endOfDay(now, 7) }
  return due === 'none' ? { 'exists[callbackDate]': false } : {}
}

/** Filters and order for the API, shared by the list, the call queue and the next lead of an outcome. */
export function apiParams(s: ListState, me: number, now: Temporal.Instant): Params {
  return {
    retired: false,
    q: s.q,
    'lastResult.category': CATEGORIES.find((c) => c === s.tab),
    ir35: s.tab === 'IR35' ? true : undefined,
    ...ownerParams(s.owner, me),
    ...dueParams(s.due, now),
    businessType: s.type,
    importBatch: s.batch,
    ...orderParams(s.order || 'callbackDate'),
  }
}
