import { countedSale } from '../counted/counted-sale.ts'
import { groupFilters, listAddress, NOT_RETIRED, periodParam, ratioMeasure, renewalsListAt } from './measures.ts'
import type { Report, RowFilters } from './report.ts'

const cohortAt = (renewal: string) => (at: RowFilters) =>
  listAddress('/cms/salesreport', { when: periodParam(at), ...groupFilters(at), renewal })

const dueIn = (renewal: readonly string[]) => ({
  list: countedSale,
  on: 'renewsOn',
  where: { ...NOT_RETIRED, renewal },
})
const soldWith = (renewal: readonly string[]) => ({ list: countedSale, on: 'day', where: { ...NOT_RETIRED, renewal } })
const ANY = ['open', 'renewed', 'lost'] as const

export const RENEWAL_REPORT: Report = {
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
      opens: renewalsListAt(),
      drawn: true,
    },
    {
      key: 'renewed',
      label: 'Renewed',
      formula:
        'Sales followed by another to the same lead within 90 days of the renewal date, of the same product where both name one.',
      format: 'count',
      from: dueIn(['renewed']),
      opens: renewalsListAt('renewed'),
      drawn: true,
    },
    {
      key: 'lost',
      label: 'Not renewed',
      formula: 'Sales marked as not renewed, with a reason.',
      format: 'count',
      from: dueIn(['lost']),
      opens: renewalsListAt('lost'),
    },
    {
      key: 'open',
      label: 'Not yet known',
      formula: 'The remaining sales.',
      format: 'count',
      from: dueIn(['open']),
      opens: renewalsListAt('open'),
    },
    ratioMeasure('Kept', 'Renewed, divided by due.', 'renewed', 'due'),
  ],
}

export const SALE_TO_RENEWAL_REPORT: Report = {
  name: 'sale-to-renewal',
  title: 'From sale to renewal',
  intro: 'Yearly sales of a month, and how many have renewed since.',
  by: ['month', 'product'],
  usual: 'year',
  measures: [
    {
      key: 'sold',
      label: 'Yearly sales',
      formula: 'Sales of the period with a renewal date, excluding retired ones.',
      format: 'count',
      from: soldWith(ANY),
      opens: cohortAt('any'),
      drawn: true,
    },
    {
      key: 'renewed',
      label: 'Renewed since',
      formula: 'Sales renewed at any time since.',
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
      formula: 'The remaining sales: not yet due, or without an outcome.',
      format: 'count',
      from: soldWith(['open']),
      opens: cohortAt('open'),
    },
    ratioMeasure('Kept', 'Renewed since, divided by yearly sales.', 'renewed', 'sold'),
  ],
}
