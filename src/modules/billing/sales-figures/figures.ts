import type { OutcomeMeaning } from '#modules/crm/calls/call.ts'

export const SALES_FIGURES_URL = '/api/sales/salesStats'

export const PAST_WEEKS_SHOWN = 8

export interface SalesStaffMember {
  readonly '@id': string
  readonly id: number
  readonly name: string
  readonly user: number | null
  /** Target number of calls per day. */
  readonly callsPerDay: number
}

/** Work in the week that starts on this Monday; `person` is null for quotes without an owner. */
interface WeeklyWork {
  readonly person: number | null
  readonly week: string
  readonly count: number
}
export interface WeeklyCallCount extends WeeklyWork {
  readonly result: number
  /** Effect of the call's outcome on the sale. */
  readonly way: OutcomeMeaning
  readonly minutes: number
}
export interface WeeklyQuoteCount extends WeeklyWork {
  readonly currency: string
  readonly pence: number
}

/**
 * Calls and quotes in the last weeks, by person and week. Depending on the user's rights, they cover all staff, the
 * user's team or the user alone.
 */
export interface SalesFigures {
  readonly today: string
  /** Mondays of the weeks shown; the last one starts the current week. */
  readonly weeks: readonly string[]
  readonly people: readonly SalesStaffMember[]
  readonly calls: readonly WeeklyCallCount[]
  readonly callsToday: readonly { readonly person: number | null; readonly count: number }[]
  /** Quotes by the week in which they were sent, regardless of their status. */
  readonly sent: readonly WeeklyQuoteCount[]
  /** Quotes by the week in which they were accepted. */
  readonly accepted: readonly WeeklyQuoteCount[]
}

/** A staff ID, or `all` for all staff. */
export type SalesPersonFilter = number | 'all'

/** Currency of the figures. Quotes in other currencies are left out. */
const FIGURES_CURRENCY = 'GBP'

const isOf = (whose: SalesPersonFilter) => (done: { readonly person: number | null }) =>
  whose === 'all' || done.person === whose

export const sumFiguresByWeek = <T extends { readonly person: number | null; readonly week: string }>(
  weeks: readonly string[],
  done: readonly T[],
  whose: SalesPersonFilter,
  amount: (one: T) => number,
): number[] => {
  const theirs = done.filter(isOf(whose))
  return weeks.map((week) => theirs.reduce((n, one) => (one.week === week ? n + amount(one) : n), 0))
}

export const getCallCount = (one: WeeklyCallCount): number => one.count
export const getQuoteCount = (one: WeeklyQuoteCount): number => one.count
export const getSterlingQuotePence = (one: WeeklyQuoteCount): number =>
  one.currency === FIGURES_CURRENCY ? one.pence : 0

export const countCallsToday = (f: SalesFigures, whose: SalesPersonFilter): number =>
  f.callsToday.filter(isOf(whose)).reduce((n, one) => n + one.count, 0)

type Query = Readonly<Record<string, string | number | undefined>>

/** Returns a list URL with filters; filters with the value `all` are left out. */
const listAt = (path: string, query: Query): string => {
  const set = Object.entries(query).flatMap(([k, v]) => (v === undefined || v === 'all' ? [] : [[k, String(v)]]))
  return `${path}?${new URLSearchParams(set)}`
}

/** Returns the URL of a list that makes up the figures, with the same filters as the counts. */
export const callListUrl = (user: SalesPersonFilter, when: string, ended?: string): string =>
  listAt('/crm/calls', { user, when, ended })
export const sentQuotesUrl = (owner: SalesPersonFilter, sent: string): string => listAt('/crm/quotes', { owner, sent })
export const acceptedQuotesUrl = (owner: SalesPersonFilter, decided: string): string =>
  listAt('/crm/quotes', { owner, state: 'accepted', decided })
