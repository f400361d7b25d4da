import type { Resource } from '#kernel/resource.ts'
import type { Way } from '#modules/crm/calls/ways.ts'

/** What the rows of a report are. */
export type By = 'person' | 'day' | 'week' | 'month' | 'source' | 'product' | 'cameFrom'

/** The days of a row, both in it, and what else its list is narrowed to. */
export interface At {
  readonly from: string
  readonly to: string
  /** A staff id. */
  readonly person?: string
  /** A filter of the list, and its value. */
  readonly by?: By
  readonly group?: string
}

/** What a list of a number is asked for; one that says `web` is of what came by the web. */
export interface Counted {
  readonly list: Resource
  readonly on: string
  readonly sum?: string
  readonly where?: Readonly<Record<string, string | readonly string[]>>
  readonly web?: true
  /** In the period just before, which is as long. */
  readonly earlier?: true
}

/**
 * Where a number comes from: what the writes have counted, a list that is counted, the calls that people mean to make, or two other numbers
 * of the row: one divided by the other, by how much one is more than the other, or what the other leaves of it.
 */
type Source =
  | { readonly work: 'call' | 'sale'; readonly add: 'count' | 'amount'; readonly way?: Way }
  | Counted
  | { readonly meant: 'calls' }
  | { readonly top: string; readonly bottom: string }
  | { readonly now: string; readonly once: string }
  | { readonly of: string; readonly less: string }

/** A number of a report: its name, how it comes about in words, where from, and the list that shows what it counts. */
export interface Measure {
  readonly key: string
  readonly label: string
  readonly formula: string
  readonly format: 'count' | 'money' | 'percent'
  readonly from: Source
  readonly opens?: (at: At) => string
  /** It is drawn; the others stand in the table alone. */
  readonly drawn?: true
}

export interface Report {
  readonly name: string
  readonly title: string
  readonly intro: string
  readonly by: readonly By[]
  /** The days that it is of unless others are asked for: this month. */
  readonly usual?: 'year' | 'ahead' | 'around'
  readonly measures: readonly Measure[]
}

export const BY_WORDS: Readonly<Record<By, string>> = {
  person: 'Person',
  day: 'Day',
  week: 'Week',
  month: 'Month',
  source: 'How it came',
  product: 'Product',
  cameFrom: 'Source',
}

export const REPORTS_URL = '/api/sales/reports'

/** Weeks that are looked at ahead, the one that is on first. */
const AHEAD = 8

/** The first and the last day of a report unless others are asked for. */
export function usualDays({ usual }: Report, today: Temporal.PlainDate): { from: string; to: string } {
  const first = today.with({ day: 1 })
  const days = (from: Temporal.PlainDate, to: Temporal.PlainDate) => ({ from: from.toString(), to: to.toString() })
  if (usual === 'year') return days(first.subtract({ months: 11 }), today)
  if (usual === 'ahead') return days(today, today.subtract({ days: today.dayOfWeek }).add({ weeks: AHEAD }))
  if (usual === 'around') return days(first.subtract({ months: 3 }), first.add({ months: 4 }).subtract({ days: 1 }))
  return days(first, today)
}

/** The days just before some others, as many: a whole month before a whole month. */
export function daysBefore(from: string, to: string): { from: string; to: string } {
  const [first, last] = [Temporal.PlainDate.from(from), Temporal.PlainDate.from(to)]
  const end = first.subtract({ days: 1 })
  const isMonths = first.day === 1 && last.day === last.daysInMonth
  const months = (last.year - first.year) * 12 + last.month - first.month + 1
  const begin = isMonths ? first.subtract({ months }) : first.subtract({ days: first.until(last).days + 1 })
  return { from: begin.toString(), to: end.toString() }
}

/** A report as it is answered: its numbers in the order of its measures. */
export interface Cell {
  /** Of what there is nothing to divide by, `null`. */
  readonly value: number | null
  readonly to?: string | undefined
}
export interface ReportRow {
  readonly key: string
  readonly label: string
  readonly cells: readonly Cell[]
}
export interface ReportAnswer {
  readonly '@id': string
  readonly from: string
  readonly to: string
  readonly by: By
  readonly rows: readonly ReportRow[]
  readonly together: ReportRow
}
