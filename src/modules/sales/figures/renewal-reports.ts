import { countedSale } from '../counted/counted-sale.ts'
import { address, kept, narrowed, rate, renewalsAt, when } from './measures.ts'
import type { At, Report } from './report.ts'

const cohortAt = (renewal: string) => (at: At) =>
  address('/cms/salesreport', { when: when(at), ...narrowed(at), renewal })

const dueIn = (renewal: readonly string[]) => ({ list: countedSale, on: 'renewsOn', where: { ...kept, renewal } })
const soldWith = (renewal: readonly string[]) => ({ list: countedSale, on: 'day', where: { ...kept, renewal } })
const ANY = ['open', 'renewed', 'lost'] as const

export const RENEWAL: Report = {
  name: 'renewal',
  title: 'Renewals by month',
  intro: 'What came to the end of its year, and what became of it.',
  by: ['month', 'product'],
  usual: 'around',
  measures: [
    {
      key: 'due',
      label: 'Due',
      formula: 'Sales whose year ends in the period, without those that are retired.',
      format: 'count',
      from: dueIn(ANY),
      opens: renewalsAt(),
      drawn: true,
    },
    {
      key: 'renewed',
      label: 'Renewed',
      formula:
        'Those to whose lead the same was sold again within 90 days of the end of their year; of the same product where both sales name one.',
      format: 'count',
      from: dueIn(['renewed']),
      opens: renewalsAt('renewed'),
      drawn: true,
    },
    {
      key: 'lost',
      label: 'Not renewed',
      formula: 'Those of which somebody has said that the customer does not renew, and why.',
      format: 'count',
      from: dueIn(['lost']),
      opens: renewalsAt('lost'),
    },
    {
      key: 'open',
      label: 'Not yet known',
      formula: 'The rest.',
      format: 'count',
      from: dueIn(['open']),
      opens: renewalsAt('open'),
    },
    rate('Kept', 'Renewed, divided by due.', 'renewed', 'due'),
  ],
}

export const SALE_TO_RENEWAL: Report = {
  name: 'sale-to-renewal',
  title: 'From sale to renewal',
  intro: 'What was sold by the year in a month, and how much of it has been kept since.',
  by: ['month', 'product'],
  usual: 'year',
  measures: [
    {
      key: 'sold',
      label: 'Sold by the year',
      formula: 'Sales of the period that have a year to renew, without those that are retired.',
      format: 'count',
      from: soldWith(ANY),
      opens: cohortAt('any'),
      drawn: true,
    },
    {
      key: 'renewed',
      label: 'Renewed since',
      formula: 'Those that were renewed, whenever that was.',
      format: 'count',
      from: soldWith(['renewed']),
      opens: cohortAt('renewed'),
      drawn: true,
    },
    {
      key: 'lost',
      label: 'Not renewed',
      formula: 'Those of which somebody has said that the customer does not renew.',
      format: 'count',
      from: soldWith(['lost']),
      opens: cohortAt('lost'),
    },
    {
      key: 'open',
      label: 'Not yet known',
      formula: 'The rest: their year is not over, or nobody has said what became of it.',
      format: 'count',
      from: soldWith(['open']),
      opens: cohortAt('open'),
    },
    rate('Kept', 'Renewed since, divided by sold by the year.', 'renewed', 'sold'),
  ],
}
