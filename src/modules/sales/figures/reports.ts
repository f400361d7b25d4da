import { quote } from '#modules/billing/quotes/quote.ts'
import { recordedCall } from '#modules/crm/calls/call.ts'
import { contact } from '#modules/crm/contacts/contact.ts'
import { countedSale } from '../counted/counted-sale.ts'
import {
  groupFilters,
  leadsAdded,
  leadsListAt,
  listAddress,
  NEW_LEADS,
  NOT_RETIRED,
  periodParam,
  ratioMeasure,
  renewalsListAt,
  SALE_AMOUNT,
  SALE_MEASURES,
  salesListAt,
  soldInPounds,
} from './measures.ts'
import { MONEY_BY_SOURCE } from './money-by-source.ts'
import { RENEWAL_REPORT, SALE_TO_RENEWAL_REPORT } from './renewal-reports.ts'
import { type Measure, precedingPeriod, type Report, type RowFilters } from './report.ts'

const callsAt = (ended?: string) => (at: RowFilters) =>
  listAddress('/crm/calls', { when: periodParam(at), user: at.person, ended })
const salesOfWork = (at: RowFilters) => listAddress('/cms/salesreport', { when: periodParam(at), seller: at.person })
const before =
  (opens: (at: RowFilters) => string) =>
  (at: RowFilters): string =>
    opens({ ...at, ...precedingPeriod(at.from, at.to) })

const STATISTICS: Report = {
  name: 'statistics',
  title: 'Statistics',
  intro: 'Calls, outcomes and sales.',
  by: ['person', 'day', 'week', 'month'],
  measures: [
    {
      key: 'calls',
      label: 'Calls',
      formula: 'Calls with an outcome in the period, by London date. Skipped leads and notes do not count.',
      format: 'count',
      from: { work: 'call', add: 'count' },
      opens: callsAt(),
      drawn: true,
    },
    {
      key: 'minutes',
      label: 'Minutes',
      formula: 'Total of the minutes recorded with those calls.',
      format: 'count',
      from: { work: 'call', add: 'amount' },
      opens: callsAt(),
    },
    {
      key: 'forward',
      label: 'Progressed',
      formula: 'Calls with an outcome that moves the sale forward: a pitch, demo, walk-through or quote.',
      format: 'count',
      from: { work: 'call', add: 'count', way: 'forward' },
      opens: callsAt('forward'),
      drawn: true,
    },
    {
      key: 'sales',
      label: 'Sales',
      formula: 'Sales dated within the period, excluding retired ones.',
      format: 'count',
      from: { work: 'sale', add: 'count' },
      opens: salesOfWork,
    },
    {
      key: 'amount',
      label: 'Sales value',
      formula: 'Total of those sales in pounds, excluding VAT.',
      format: 'money',
      from: { work: 'sale', add: 'amount' },
      opens: salesOfWork,
    },
    ratioMeasure('Conversion', 'Sales divided by calls.', 'sales', 'calls'),
  ],
}

const SALE: Report = {
  name: 'sale',
  title: 'Sales by kind',
  intro: 'Sales by source, product and month.',
  by: ['source', 'product', 'month'],
  usual: 'year',
  measures: SALE_MEASURES,
}

const ENQUIRIES: Measure = {
  key: 'enquiries',
  label: 'Enquiries',
  formula:
    'Website leads added in the period, excluding retired ones. The list of sources states which come from the website.',
  format: 'count',
  from: { ...leadsAdded, web: true },
  opens: leadsListAt('yes'),
  drawn: true,
}

const WEB: Report = {
  name: 'web',
  title: 'Website enquiries',
  intro: 'Website leads, and the sales to them.',
  by: ['month', 'week', 'cameFrom'],
  usual: 'year',
  measures: [
    ENQUIRIES,
    {
      key: 'sales',
      label: 'Sales',
      formula: 'Sales in pounds to website leads dated within the period, excluding retired ones.',
      format: 'count',
      from: { ...soldInPounds, web: true },
      opens: (at) =>
        listAddress('/cms/salesreport', { when: periodParam(at), ...groupFilters(at), web: 'yes', currency: 'GBP' }),
    },
    {
      key: 'amount',
      label: 'Sales value',
      formula: 'Total of those sales, excluding VAT.',
      format: 'money',
      from: { ...soldInPounds, sum: 'amount', web: true },
      opens: (at) =>
        listAddress('/cms/salesreport', { when: periodParam(at), ...groupFilters(at), web: 'yes', currency: 'GBP' }),
    },
    ratioMeasure('Conversion', 'Sales divided by enquiries of the same period.', 'sales', 'enquiries'),
  ],
}

const COMPARISON: Report = {
  name: 'comparison',
  title: 'Period comparison',
  intro: 'New leads and sales of a period, compared with the preceding period of equal length.',
  by: ['cameFrom'],
  measures: [
    NEW_LEADS,
    {
      key: 'leads before',
      label: 'Leads before',
      formula: 'New leads of the preceding period: as many days, or as many whole months.',
      format: 'count',
      from: { ...leadsAdded, earlier: true },
      opens: before(leadsListAt()),
    },
    {
      key: 'leads change',
      label: 'Change',
      formula: 'Change in new leads, relative to the preceding period.',
      format: 'percent',
      from: { now: 'leads', once: 'leads before' },
    },
    SALE_AMOUNT,
    {
      key: 'amount before',
      label: 'Sales value before',
      formula: 'Total of sales in pounds of the preceding period, excluding VAT.',
      format: 'money',
      from: { ...soldInPounds, sum: 'amount', earlier: true },
      opens: before(salesListAt),
    },
    {
      key: 'amount change',
      label: 'Change in sales value',
      formula: 'Change in sales value, relative to the preceding period.',
      format: 'percent',
      from: { now: 'amount', once: 'amount before' },
    },
  ],
}

const ROADMAP: Report = {
  name: 'roadmap',
  title: 'Coming weeks',
  intro: 'Callbacks, quotes and renewals due in the coming weeks, compared with planned calls.',
  by: ['week'],
  usual: 'ahead',
  measures: [
    {
      key: 'callbacks',
      label: 'Callbacks',
      formula: 'Leads with a callback in the week, excluding retired ones.',
      format: 'count',
      from: { list: contact, on: 'callbackDate', where: NOT_RETIRED },
      opens: (at) => listAddress('/cms/reminders', { whose: 'all', when: periodParam(at) }),
      drawn: true,
    },
    {
      key: 'quotes',
      label: 'Expiring quotes',
      formula: 'Open quotes that expire in the week.',
      format: 'count',
      from: { list: quote, on: 'expiresAt', where: { state: 'open' } },
      opens: (at) => listAddress('/cms/reminders', { show: 'quotes', whose: 'all', when: periodParam(at) }),
    },
    {
      key: 'renewals',
      label: 'Renewals',
      formula: 'Sales with a renewal date in the week and no outcome yet.',
      format: 'count',
      from: { list: countedSale, on: 'renewsOn', where: { ...NOT_RETIRED, renewal: 'open' } },
      opens: renewalsListAt('open'),
    },
    {
      key: 'meant',
      label: 'Planned calls',
      formula:
        'Daily call target of each person, times the remaining working days of the week on which they are not away.',
      format: 'count',
      from: { meant: 'calls' },
      opens: () => '/staff',
    },
    ratioMeasure('Taken up', 'Callbacks divided by planned calls.', 'callbacks', 'meant'),
  ],
}

const SALE_SOURCES: Report = {
  name: 'salesources',
  title: 'Sales by source',
  intro: 'Sources of leads, and their results.',
  by: ['cameFrom'],
  usual: 'year',
  measures: [
    NEW_LEADS,
    ...SALE_MEASURES,
    {
      key: 'calls',
      label: 'Calls',
      formula: 'Calls with an outcome in the period, to leads of the source. Skipped leads and notes do not count.',
      format: 'count',
      from: { list: recordedCall, on: 'createdAt', where: NOT_RETIRED },
      opens: (at) => listAddress('/crm/calls', { when: periodParam(at), ...groupFilters(at) }),
    },
    ratioMeasure('Conversion', 'Sales divided by new leads.', 'sales', 'leads'),
    ratioMeasure('Calls that sell', 'Sales divided by calls.', 'sales', 'calls'),
  ],
}

export const REPORTS: readonly Report[] = [
  STATISTICS,
  SALE,
  SALE_SOURCES,
  MONEY_BY_SOURCE,
  WEB,
  COMPARISON,
  ROADMAP,
  RENEWAL_REPORT,
  SALE_TO_RENEWAL_REPORT,
]
