import type { Called, Offered, SalesFigures } from './figures.ts'

/** Somebody's staff id, or everybody's work together. */
export type Whose = number | 'all'

/** What people are paid in and count in; what is in another currency stands with the quotes themselves. */
export const MONEY = 'GBP'

const isOf = (whose: Whose) => (done: { readonly person: number | null }) => whose === 'all' || done.person === whose

/** How many by week, in the order of the weeks. */
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

/** How many calls somebody has made today. */
export const callsToday = (f: SalesFigures, whose: Whose): number =>
  f.callsToday.filter(isOf(whose)).reduce((n, one) => n + one.count, 0)

type Query = Readonly<Record<string, string | number | undefined>>

/** An address with what a list is narrowed to; nothing of everybody. */
const listAt = (path: string, query: Query): string => {
  const set = Object.entries(query).flatMap(([k, v]) => (v === undefined || v === 'all' ? [] : [[k, String(v)]]))
  return `${path}?${new URLSearchParams(set)}`
}

/** The lists behind the figures: the same words, so that they show what was counted. */
export const callsAt = (user: Whose, when: string, ended?: string): string =>
  listAt('/crm/calls', { user, when, ended })
export const sentAt = (owner: Whose, sent: string): string => listAt('/crm/quotes', { owner, sent })
export const acceptedAt = (owner: Whose, decided: string): string =>
  listAt('/crm/quotes', { owner, state: 'accepted', decided })
