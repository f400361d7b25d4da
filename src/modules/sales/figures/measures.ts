import { contact } from '#modules/crm/contacts/contact.ts'
import { countedSale } from '../counted/counted-sale.ts'
import type { Measure, RowFilters } from './report.ts'

export const listAddress = (path: string, query: Readonly<Record<string, string | undefined>>): string =>
  `${path}?${new URLSearchParams(Object.entries(query).flatMap(([k, v]) => (v === undefined ? [] : [[k, v]])))}`
export const periodParam = ({ from, to }: RowFilters) => `${from}..${to}`
/** List filters of a row, besides its period. */
export const groupFilters = ({ by, group }: RowFilters): Record<string, string> =>
  by === undefined || group === undefined ? {} : group === '' ? { notSaid: by } : { [by]: group }

export const salesListAt = (at: RowFilters) =>
  listAddress('/cms/salesreport', { when: periodParam(at), ...groupFilters(at), currency: 'GBP' })
export const leadsListAt = (web?: 'yes') => (at: RowFilters) =>
  listAddress('/cms/analysis/leads', { when: periodParam(at), ...groupFilters(at), web })
export const renewalsListAt = (renewal?: string) => (at: RowFilters) =>
  listAddress('/cms/renewals', { when: periodParam(at), ...groupFilters(at), renewal: renewal ?? 'any' })
export const NOT_RETIRED = { retired: 'false' } as const
export const IN_POUNDS = { currency: 'GBP' } as const
export const soldInPounds = { list: countedSale, on: 'day', where: { ...NOT_RETIRED, ...IN_POUNDS } } as const
export const leadsAdded = { list: contact, on: 'createdAt', where: NOT_RETIRED } as const

export const SALE_COUNT: Measure = {
  key: 'sales',
  label: 'Sales',
  formula: 'Sales in pounds dated within the period, excluding retired ones.',
  format: 'count',
  from: soldInPounds,
  opens: salesListAt,
}
export const SALE_AMOUNT: Measure = {
  key: 'amount',
  label: 'Sold',
  formula: 'Total of those sales, excluding VAT.',
  format: 'money',
  from: { ...soldInPounds, sum: 'amount' },
  opens: salesListAt,
  drawn: true,
}
export const SALE_MEASURES: readonly Measure[] = [
  SALE_COUNT,
  SALE_AMOUNT,
  {
    key: 'average',
    label: 'Average sale',
    formula: 'Sold, divided by sales.',
    format: 'money',
    from: { top: 'amount', bottom: 'sales' },
  },
]
export const ratioMeasure = (label: string, formula: string, top: string, bottom: string): Measure => ({
  key: `${top} of ${bottom}`,
  label,
  formula,
  format: 'percent',
  from: { top, bottom },
})

export const NEW_LEADS: Measure = {
  key: 'leads',
  label: 'New leads',
  formula: 'Leads added in the period, excluding retired ones.',
  format: 'count',
  from: leadsAdded,
  opens: leadsListAt(),
  drawn: true,
}
