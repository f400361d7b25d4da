import type { Called, Offered, SalesFigures } from './figures.ts'

/** A staff ID, or all staff. */
export type Whose = number | 'all'

/** Currency of the figures; quotes in others are left out. */
export const MONEY = 'GBP'

const isOf = (whose: Whose) => (done: { readonly person: number | null }) => whose === 'all' || done.person === whose

export const byWeek = <T extends { readonly person: number | null; readonly week: string }>(
  weeks: readonly string[],
  done: readonly T[],
  whose: Whose,
  amount: (one: T) => number,
): number[] => {
  const theirs = done.filter(isOf(whose))
  return weeks.map((week) => theirs.reduce((n, one) => (one.week === week ? n + amount(one) : n), 0))
}

export const calls = (one: Called): number => one.count
export const quotes = (one: Offered): number => one.count
export const money = (one: Offered): number => (one.currency === MONEY ? one.pence : 0)

export const callsToday = (f: SalesFigures, whose: Whose): number =>
  f.callsToday.filter(isOf(whose)).reduce((n, one) => n + one.count, 0)

type Query = Readonly<Record<string, string | number | undefined>>

/** List URL with filters; none for all staff. */
const listAt = (path: string, query: Query): string => {
  const set = Object.entries(query).flatMap(([k, v]) => (v === undefined || v === 'all' ? [] : [[k, String(v)]]))
  return `${path}?${new URLSearchParams(set)}`
}

/** URLs of the lists behind the figures, with the same filters as the counts. */
export const callsAt = (user: Whose, when: string, ended?: string): string =>
  listAt('/crm/calls', { user, when, ended })
export const sentAt = (owner: Whose, sent: string): string => listAt('/crm/quotes', { owner, sent })
export const acceptedAt = (owner: Whose, decided: string): string =>
  listAt('/crm/quotes', { owner, state: 'accepted', decided })
