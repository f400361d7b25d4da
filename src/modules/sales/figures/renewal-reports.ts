import type { Resource } from '#kernel/resource.ts'
import type { OutcomeMeaning } from '#modules/crm/calls/call.ts'
import { contact } from '#modules/crm/contacts/contact.ts'
import { countedSale } from '../counted/counted-sale.ts'

/** Property by which a report's rows are grouped. */
export type ReportGrouping = 'person' | 'day' | 'week' | 'month' | 'source' | 'product' | 'cameFrom'

/** Filters for the lists behind a report row: the first and last day, and optional further filters. */
export interface ReportRowFilters {
  readonly from: string
  readonly to: string
  /** Staff ID. */
  readonly person?: string
  /** Property by which the row is grouped. `group` contains the row's value. */
  readonly by?: ReportGrouping
  readonly group?: string
}

/** List of records from which a figure is counted. `web` restricts the list to website leads. */
export interface ReportSourceList {
  readonly list: Resource
  readonly on: string
  readonly sum?: string
  readonly where?: Readonly<Record<string, string | readonly string[]>>
  readonly web?: true
  /** True to count in the preceding period of equal length. */
  readonly earlier?: true
}

/**
 * Source of a figure: running totals, a counted list, planned calls, or two other figures in the row (their ratio,
 * relative change or difference).
 */
type Source =
  | { readonly work: 'call' | 'sale'; readonly add: 'count' | 'amount'; readonly way?: OutcomeMeaning }
  | ReportSourceList
  | { readonly meant: 'calls' }
  | { readonly top: string; readonly bottom: string }
  | { readonly now: string; readonly once: string }
  | { readonly of: string; readonly less: string }

/** A figure in a report: its key, explanation and source, and the list that it opens. */
export interface ReportMeasure {
  readonly key: string
  readonly label: string
  readonly formula: string
  readonly format: 'count' | 'money' | 'percent'
  readonly from: Source
  readonly opens?: (at: ReportRowFilters) => string
  /** True if the figure is shown in the chart. Other figures are shown only in the table. */
  readonly drawn?: true
}

export interface ReportDefinition {
  readonly name: string
  readonly title: string
  readonly intro: string
  readonly by: readonly ReportGrouping[]
  /** Default period; if not set, the current month. */
  readonly usual?: 'year' | 'ahead' | 'around'
  readonly measures: readonly ReportMeasure[]
}

export const REPORT_GROUPING_LABELS: Readonly<Record<ReportGrouping, string>> = {
  person: 'Person',
  day: 'Day',
  week: 'Week',
  month: 'Month',
  source: 'Source',
  product: 'Product',
  cameFrom: 'Source',
}

export const REPORTS_URL = '/api/sales/reports'

/** Number of weeks in a forecast, including the current week. */
const AHEAD = 8

export function defaultReportPeriod(
  { usual }: ReportDefinition,
  today: Temporal.PlainDate,
): { from: string; to: string } {
  const first = today.with({ day: 1 })
  const days = (from: Temporal.PlainDate, to: Temporal.PlainDate) => ({ from: from.toString(), to: to.toString() })
  if (usual === 'year') return days(first.subtract({ months: 11 }), today)
  if (usual === 'ahead') return days(today, today.subtract({ days: today.dayOfWeek }).add({ weeks: AHEAD }))
  if (usual === 'around') return days(first.subtract({ months: 3 }), first.add({ months: 4 }).subtract({ days: 1 }))
  return days(first, today)
}

/** Returns the preceding period of equal length. For complete months, returns the same number of preceding months. */
export function precedingPeriod(from: string, to: string): { from: string; to: string } {
  const [first, last] = [Temporal.PlainDate.from(from), Temporal.PlainDate.from(to)]
  const end = first.subtract({ days: 1 })
  const isMonths = first.day === 1 && last.day === last.daysInMonth
  const months = (last.year - first.year) * 12 + last.month - first.month + 1
  const begin = isMonths ? first.subtract({ months }) : first.subtract({ days: first.until(last).days + 1 })
  return { from: begin.toString(), to: end.toString() }
}

/** Cell in a report. A row's cells are in the same order as the measures. */
interface ReportCell {
  /** The figure; `null` if it would require a division by zero. */
  readonly value: number | null
  readonly to?: string | undefined
}
export interface ReportRow {
  readonly key: string
  readonly label: string
  readonly cells: readonly ReportCell[]
}
export interface ReportResponse {
  readonly '@id': string
  readonly from: string
  readonly to: string
  readonly by: ReportGrouping
  readonly rows: readonly ReportRow[]
  readonly together: ReportRow
}

export const buildListPath = (path: string, query: Readonly<Record<string, string | undefined>>): string =>
  `${path}?${new URLSearchParams(Object.entries(query).flatMap(([k, v]) => (v === undefined ? [] : [[k, v]])))}`
export const formatPeriodParam = ({ from, to }: ReportRowFilters) => `${from}..${to}`
/** Builds the list filters for a report row's group, without the row's period. */
export const reportGroupFilters = ({ by, group }: ReportRowFilters): Record<string, string> =>
  by === undefined || group === undefined ? {} : group === '' ? { notSaid: by } : { [by]: group }

export const salesListPath = (at: ReportRowFilters) =>
  buildListPath('/cms/salesreport', { when: formatPeriodParam(at), ...reportGroupFilters(at), currency: 'GBP' })
export const makeNewLeadsListPathBuilder = (web?: 'yes') => (at: ReportRowFilters) =>
  buildListPath('/cms/analysis/leads', { when: formatPeriodParam(at), ...reportGroupFilters(at), web })
export const makeRenewalsListPathBuilder = (renewal?: string) => (at: ReportRowFilters) =>
  buildListPath('/cms/renewals', { when: formatPeriodParam(at), ...reportGroupFilters(at), renewal: renewal ?? 'any' })
export const NOT_RETIRED_FILTER = { retired: 'false' } as const
export const IN_POUNDS_FILTER = { currency: 'GBP' } as const
export const salesInPoundsList = {
  list: countedSale,
  on: 'day',
  where: { ...NOT_RETIRED_FILTER, ...IN_POUNDS_FILTER },
} as const
export const addedLeadsList = { list: contact, on: 'createdAt', where: NOT_RETIRED_FILTER } as const

export const SALE_COUNT_MEASURE: ReportMeasure = {
  key: 'sales',
  label: 'Sales',
  formula: 'Sales in pounds dated within the period, excluding retired ones.',
  format: 'count',
  from: salesInPoundsList,
  opens: salesListPath,
}
export const SALE_AMOUNT_MEASURE: ReportMeasure = {
  key: 'amount',
  label: 'Sales value',
  formula: 'Total of the sales counted under “Sales”, excluding VAT.',
  format: 'money',
  from: { ...salesInPoundsList, sum: 'amount' },
  opens: salesListPath,
  drawn: true,
}
export const SALE_MEASURES: readonly ReportMeasure[] = [
  SALE_COUNT_MEASURE,
  SALE_AMOUNT_MEASURE,
  {
    key: 'average',
    label: 'Average sale',
    formula: '“Sales value” divided by “Sales”.',
    format: 'money',
    from: { top: 'amount', bottom: 'sales' },
  },
]
export const createRatioMeasure = (label: string, formula: string, top: string, bottom: string): ReportMeasure => ({
  key: `${top} of ${bottom}`,
  label,
  formula,
  format: 'percent',
  from: { top, bottom },
})

export const NEW_LEADS_MEASURE: ReportMeasure = {
  key: 'leads',
  label: 'New leads',
  formula: 'Leads added in the period, excluding retired ones.',
  format: 'count',
  from: addedLeadsList,
  opens: makeNewLeadsListPathBuilder(),
  drawn: true,
}

const cohortAt = (renewal: string) => (at: ReportRowFilters) =>
  buildListPath('/cms/salesreport', { when: formatPeriodParam(at), ...reportGroupFilters(at), renewal })

const dueIn = (renewal: readonly string[]) => ({
  list: countedSale,
  on: 'renewsOn',
  where: { ...NOT_RETIRED_FILTER, renewal },
})
const soldWith = (renewal: readonly string[]) => ({
  list: countedSale,
  on: 'day',
  where: { ...NOT_RETIRED_FILTER, renewal },
})
const ANY = ['open', 'renewed', 'lost'] as const

export const RENEWAL_REPORT: ReportDefinition = {
  name: 'renewal',
  title: 'Renewals by month',
  intro: 'Sales due for renewal, and their outcome.',
  by: ['month', 'product'],
  usual: 'around',
  measures: [
    {
      key: 'due',
      label: 'Due',
      formula: 'Sales with a renewal date in the period, excluding retired ones.',
      format: 'count',
      from: dueIn(ANY),
      opens: makeRenewalsListPathBuilder(),
      drawn: true,
    },
    {
      key: 'renewed',
      label: 'Renewed',
      formula:
        'Sales followed by another sale to the same lead within 90 days of the renewal date. If both sales name a product, the product must be the same.',
      format: 'count',
      from: dueIn(['renewed']),
      opens: makeRenewalsListPathBuilder('renewed'),
      drawn: true,
    },
    {
      key: 'lost',
      label: 'Not renewed',
      formula: 'Sales marked as not renewed, with a reason.',
      format: 'count',
      from: dueIn(['lost']),
      opens: makeRenewalsListPathBuilder('lost'),
    },
    {
      key: 'open',
      label: 'Not yet known',
      formula: 'Due sales that have no outcome yet.',
      format: 'count',
      from: dueIn(['open']),
      opens: makeRenewalsListPathBuilder('open'),
    },
    createRatioMeasure('Renewal rate', '“Renewed” divided by “Due”.', 'renewed', 'due'),
  ],
}

export const SALE_TO_RENEWAL_REPORT: ReportDefinition = {
  name: 'sale-to-renewal',
  title: 'From sale to renewal',
  intro: 'Annual plans sold in each month, and how many of them have been renewed since.',
  by: ['month', 'product'],
  usual: 'year',
  measures: [
    {
      key: 'sold',
      label: 'Annual plans sold',
      formula: 'Sales dated within the period that have a renewal date, excluding retired ones.',
      format: 'count',
      from: soldWith(ANY),
      opens: cohortAt('any'),
      drawn: true,
    },
    {
      key: 'renewed',
      label: 'Renewed since',
      formula: 'Annual plans sold that have been renewed by now.',
      format: 'count',
      from: soldWith(['renewed']),
      opens: cohortAt('renewed'),
      drawn: true,
    },
    {
      key: 'lost',
      label: 'Not renewed',
      formula: 'Sales marked as not renewed.',
      format: 'count',
      from: soldWith(['lost']),
      opens: cohortAt('lost'),
    },
    {
      key: 'open',
      label: 'Not yet known',
      formula: 'Annual plans sold that are not due yet or have no outcome.',
      format: 'count',
      from: soldWith(['open']),
      opens: cohortAt('open'),
    },
    createRatioMeasure('Renewal rate', '“Renewed since” divided by “Annual plans sold”.', 'renewed', 'sold'),
  ],
}
