import type { Resource } from '#kernel/resource.ts'
import type { Way } from '#rooms/crm/calls/ways.ts'
import { contact } from '#rooms/crm/contacts/contact.ts'
import { countedSale } from '../counted/counted-sale.ts'

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

/** Where a number comes from: what the writes have counted, a list that is counted, or two other numbers of the row. */
type Source =
  | { readonly work: 'call' | 'sale'; readonly add: 'count' | 'amount'; readonly way?: Way }
  | {
      readonly list: Resource
      readonly on: string
      readonly sum?: string
      readonly where?: Readonly<Record<string, string>>
    }
  | { readonly top: string; readonly bottom: string }

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
  /** Of its screen. */
  readonly path: string
  readonly intro: string
  readonly by: readonly By[]
  readonly measures: readonly Measure[]
}

export const BY_WORDS: Readonly<Record<By, string>> = {
  person: 'Person',
  day: 'Day',
  week: 'Week',
  month: 'Month',
  source: 'How it came',
  product: 'Product',
  cameFrom: 'Came from',
}

export const REPORTS_URL = '/api/sales/reports'

const address = (path: string, query: Readonly<Record<string, string | undefined>>): string =>
  `${path}?${new URLSearchParams(Object.entries(query).flatMap(([k, v]) => (v === undefined ? [] : [[k, v]])))}`

const callsAt =
  (ended?: string) =>
  ({ from, to, person }: At) =>
    address('/crm/calls', { when: `${from}..${to}`, user: person, ended })
const salesAt = ({ from, to, person, by, group }: At) =>
  address('/cms/salesreport', {
    when: `${from}..${to}`,
    seller: person,
    ...(by ? { [by]: group, currency: 'GBP' } : {}),
  })

const sold = { list: countedSale, on: 'day', where: { retired: 'false', currency: 'GBP' } } as const
const SOLD = [
  {
    key: 'sales',
    label: 'Sales',
    formula: 'Sales in pounds whose day is in the period, without those that are retired.',
    format: 'count',
    from: sold,
    opens: salesAt,
  },
  {
    key: 'amount',
    label: 'Sold',
    formula: 'The amounts of those sales, added up, without VAT.',
    format: 'money',
    from: { ...sold, sum: 'amount' },
    opens: salesAt,
    drawn: true,
  },
  {
    key: 'average',
    label: 'Average sale',
    formula: 'Sold, divided by sales.',
    format: 'money',
    from: { top: 'amount', bottom: 'sales' },
  },
] as const satisfies readonly Measure[]

export const STATISTICS: Report = {
  name: 'statistics',
  title: 'Statistics',
  path: '/cms/statistics',
  intro: 'Calls, how they ended, and what was sold.',
  by: ['person', 'day', 'week', 'month'],
  measures: [
    {
      key: 'calls',
      label: 'Calls',
      formula: 'Calls that ended with an outcome in the period, London days. Skipped leads and notes are no calls.',
      format: 'count',
      from: { work: 'call', add: 'count' },
      opens: callsAt(),
      drawn: true,
    },
    {
      key: 'minutes',
      label: 'Minutes',
      formula: 'The minutes that were written down with those calls, added up.',
      format: 'count',
      from: { work: 'call', add: 'amount' },
    },
    {
      key: 'forward',
      label: 'Going forward',
      formula: 'Calls whose outcome takes the sale on: a pitch, a demo, a walk through, a quote.',
      format: 'count',
      from: { work: 'call', add: 'count', way: 'forward' },
      opens: callsAt('forward'),
      drawn: true,
    },
    {
      key: 'sales',
      label: 'Sales',
      formula: 'Sales whose day is in the period, without those that are retired.',
      format: 'count',
      from: { work: 'sale', add: 'count' },
      opens: salesAt,
    },
    {
      key: 'amount',
      label: 'Sold',
      formula: 'The amounts of those sales that are in pounds, added up, without VAT.',
      format: 'money',
      from: { work: 'sale', add: 'amount' },
      opens: salesAt,
    },
    {
      key: 'conversion',
      label: 'Conversion',
      formula: 'Sales, divided by calls.',
      format: 'percent',
      from: { top: 'sales', bottom: 'calls' },
    },
  ],
}

export const SALE: Report = {
  name: 'sale',
  title: 'Sales by kind',
  path: '/cms/analysis/sale',
  intro: 'What was sold, by how it came and by product.',
  by: ['source', 'product'],
  measures: SOLD,
}

export const SALE_SOURCES: Report = {
  name: 'salesources',
  title: 'Sales by source',
  path: '/cms/analysis/salesources',
  intro: 'Where the leads came from, and what became of them.',
  by: ['cameFrom'],
  measures: [
    {
      key: 'leads',
      label: 'New leads',
      formula: 'Leads that were made in the period, without those that are retired.',
      format: 'count',
      from: { list: contact, on: 'createdAt', where: { retired: 'false' } },
    },
    ...SOLD,
  ],
}

export const REPORTS: readonly Report[] = [STATISTICS, SALE, SALE_SOURCES]

/** A report as it is answered: its numbers in the order of its measures. */
export interface Cell {
  readonly value: number
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
