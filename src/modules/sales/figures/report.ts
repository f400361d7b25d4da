import type { Resource } from '#kernel/resource.ts'
import type { OutcomeMeaning } from '#modules/crm/calls/ways.ts'

/** What the rows of a report are. */
export type By = 'person' | 'day' | 'week' | 'month' | 'source' | 'product' | 'cameFrom'

/** Days of a row, both inclusive, and further filters of its list. */
export interface RowFilters {
  readonly from: string
  readonly to: string
  /** Staff id. */
  readonly person?: string
  /** A list filter and its value. */
  readonly by?: By
  readonly group?: string
}

/** List behind a figure; `web` limits it to website leads. */
export interface CountedList {
  readonly list: Resource
  readonly on: string
  readonly sum?: string
  readonly where?: Readonly<Record<string, string | readonly string[]>>
  readonly web?: true
  /** Uses the preceding period of equal length. */
  readonly earlier?: true
}

/**
 * Source of a figure: running totals, a counted list, planned calls, or two other figures of the row (ratio, relative
 * change or difference).
 */
type Source =
  | { readonly work: 'call' | 'sale'; readonly add: 'count' | 'amount'; readonly way?: OutcomeMeaning }
  | CountedList
  | { readonly meant: 'calls' }
  | { readonly top: string; readonly bottom: string }
  | { readonly now: string; readonly once: string }
  | { readonly of: string; readonly less: string }

/** A report figure: key, explanation, source, and the list it opens. */
export interface Measure {
  readonly key: string
  readonly label: string
  readonly formula: string
  readonly format: 'count' | 'money' | 'percent'
  readonly from: Source
  readonly opens?: (at: RowFilters) => string
  /** Shown in the chart; other measures only in the table. */
  readonly drawn?: true
}

export interface Report {
  readonly name: string
  readonly title: string
  readonly intro: string
  readonly by: readonly By[]
  /** Default period; this month if left out. */
  readonly usual?: 'year' | 'ahead' | 'around'
  readonly measures: readonly Measure[]
}

export const GROUPING_LABELS: Readonly<Record<By, string>> = {
  person: 'Person',
  day: 'Day',
  week: 'Week',
  month: 'Month',
  source: 'Source',
  product: 'Product',
  cameFrom: 'Source',
}

export const REPORTS_URL = '/api/sales/reports'

/** Weeks of a forecast, starting with the current one. */
const AHEAD = 8

/** Default first and last day of a report. */
export function defaultPeriod({ usual }: Report, today: Temporal.PlainDate): { from: string; to: string } {
  const first = today.with({ day: 1 })
  const days = (from: Temporal.PlainDate, to: Temporal.PlainDate) => ({ from: from.toString(), to: to.toString() })
  if (usual === 'year') return days(first.subtract({ months: 11 }), today)
  if (usual === 'ahead') return days(today, today.subtract({ days: today.dayOfWeek }).add({ weeks: AHEAD }))
  if (usual === 'around') return days(first.subtract({ months: 3 }), first.add({ months: 4 }).subtract({ days: 1 }))
  return days(first, today)
}

/** The preceding period of equal length; whole months before whole months. */
export function precedingPeriod(from: string, to: string): { from: string; to: string } {
  const [first, last] = [Temporal.PlainDate.from(from), Temporal.PlainDate.from(to)]
  const end = first.subtract({ days: 1 })
  const isMonths = first.day === 1 && last.day === last.daysInMonth
  const months = (last.year - first.year) * 12 + last.month - first.month + 1
  const begin = isMonths ? first.subtract({ months }) : first.subtract({ days: first.until(last).days + 1 })
  return { from: begin.toString(), to: end.toString() }
}

/** Report as returned: cells in the order of its measures. */
export interface ReportCell {
  /** `null` where the divisor is zero. */
  readonly value: number | null
  readonly to?: string | undefined
}
export interface ReportRow {
  readonly key: string
  readonly label: string
  readonly cells: readonly ReportCell[]
}
export interface ReportAnswer {
  readonly '@id': string
  readonly from: string
  readonly to: string
  readonly by: By
  readonly rows: readonly ReportRow[]
  readonly together: ReportRow
}
