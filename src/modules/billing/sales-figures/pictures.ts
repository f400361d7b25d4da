import type { CallCount, QuoteCount, SalesFigures } from './figures.ts'

/** A staff ID, or all staff. */
export type SalesPerson = number | 'all'

/** Currency of the figures; quotes in others are left out. */
export const FIGURES_CURRENCY = 'GBP'

const isOf = (whose: SalesPerson) => (done: { readonly person: number | null }) =>
  whose === 'all' || done.person === whose

export const countByWeek = <T extends { readonly person: number | null; readonly week: string }>(
  weeks: readonly string[],
  done: readonly T[],
  whose: SalesPerson,
  amount: (one: T) => number,
): number[] => {
  const theirs = done.filter(isOf(whose))
  return weeks.map((week) => theirs.reduce((n, one) => (one.week === week ? n + amount(one) : n), 0))
}

export const callCountOf = (one: CallCount): number => one.count
export const quoteCountOf = (one: QuoteCount): number => one.count
export const quotePenceOf = (one: QuoteCount): number => (one.currency === FIGURES_CURRENCY ? one.pence : 0)

export const countCallsToday = (f: SalesFigures, whose: SalesPerson): number =>
  f.callsToday.filter(isOf(whose)).reduce((n, one) => n + one.count, 0)

type Query = Readonly<Record<string, string | number | undefined>>

/** List URL with filters; none for all staff. */
const listAt = (path: string, query: Query): string => {
  const set = Object.entries(query).flatMap(([k, v]) => (v === undefined || v === 'all' ? [] : [[k, String(v)]]))
  return `${path}?${new URLSearchParams(set)}`
}

/** URLs of the lists behind the figures, with the same filters as the counts. */
export const callListUrl = (user: SalesPerson, when: string, ended?: string): string =>
  listAt('/crm/calls', { user, when, ended })
export const sentQuotesUrl = (owner: SalesPerson, sent: string): string => listAt('/crm/quotes', { owner, sent })
export const acceptedQuotesUrl = (owner: SalesPerson, decided: string): string =>
  listAt('/crm/quotes', { owner, state: 'accepted', decided })
