import { contact } from '#modules/crm/contacts/contact.ts'
import { countedSale } from '../counted/counted-sale.ts'
import type { At, Measure } from './report.ts'

export const address = (path: string, query: Readonly<Record<string, string | undefined>>): string =>
  `${path}?${new URLSearchParams(Object.entries(query).flatMap(([k, v]) => (v === undefined ? [] : [[k, v]])))}`
export const when = ({ from, to }: At) => `${from}..${to}`
/** List filters of a row, besides its period. */
export const narrowed = ({ by, group }: At): Record<string, string> =>
  by === undefined || group === undefined ? {} : group === '' ? { notSaid: by } : { [by]: group }

export const salesAt = (at: At) => address('/cms/salesreport', { when: when(at), ...narrowed(at), currency: 'GBP' })
export const leadsAt = (web?: 'yes') => (at: At) =>
  address('/cms/analysis/leads', { when: when(at), ...narrowed(at), web })
export const renewalsAt = (renewal?: string) => (at: At) =>
  address('/cms/renewals', { when: when(at), ...narrowed(at), renewal: renewal ?? 'any' })
export const kept = { retired: 'false' } as const
export const GBP = { currency: 'GBP' } as const
export const sold = { list: countedSale, on: 'day', where: { ...kept, ...GBP } } as const
export const made = { list: contact, on: 'createdAt', where: kept } as const

export const SALES: Measure = {
  key: 'sales',
  label: 'Sales',
  formula: 'Sales in pounds dated within the period, excluding retired ones.',
  format: 'count',
  from: sold,
  opens: salesAt,
}
export const AMOUNT: Measure = {
  key: 'amount',
  label: 'Sold',
  formula: 'Total of those sales, excluding VAT.',
  format: 'money',
  from: { ...sold, sum: 'amount' },
  opens: salesAt,
  drawn: true,
}
export const SOLD: readonly Measure[] = [
  SALES,
  AMOUNT,
  {
    key: 'average',
    label: 'Average sale',
    formula: 'Sold, divided by sales.',
    format: 'money',
    from: { top: 'amount', bottom: 'sales' },
  },
]
export const rate = (label: string, formula: string, top: string, bottom: string): Measure => ({
  key: `${top} of ${bottom}`,
  label,
  formula,
  format: 'percent',
  from: { top, bottom },
})

export const LEADS: Measure = {
  key: 'leads',
  label: 'New leads',
  formula: 'Leads added in the period, excluding retired ones.',
  format: 'count',
  from: made,
  opens: leadsAt(),
  drawn: true,
}
