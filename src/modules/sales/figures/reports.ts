import { quote } from '#modules/billing/quotes/quote.ts'
import { callMade } from '#modules/crm/calls/call.ts'
import { contact } from '#modules/crm/contacts/contact.ts'
import { countedSale } from '../counted/counted-sale.ts'
import {
  AMOUNT,
  address,
  kept,
  LEADS,
  leadsAt,
  made,
  narrowed,
  rate,
  renewalsAt,
  SOLD,
  salesAt,
  sold,
  when,
} from './measures.ts'
import { MONEY_BY_SOURCE } from './money-by-source.ts'
import { RENEWAL, SALE_TO_RENEWAL } from './renewal-reports.ts'
import { type At, daysBefore, type Measure, type Report } from './report.ts'

const callsAt = (ended?: string) => (at: At) => address('/crm/calls', { when: when(at), user: at.person, ended })
const salesOfWork = (at: At) => address('/cms/salesreport', { when: when(at), seller: at.person })
const before =
  (opens: (at: At) => string) =>
  (at: At): string =>
    opens({ ...at, ...daysBefore(at.from, at.to) })

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
    rate('Conversion', 'Sales divided by calls.', 'sales', 'calls'),
  ],
}

const SALE: Report = {
  name: 'sale',
  title: 'Sales by kind',
  intro: 'Sales by source, product and month.',
  by: ['source', 'product', 'month'],
  usual: 'year',
  measures: SOLD,
}

const ENQUIRIES: Measure = {
  key: 'enquiries',
  label: 'Enquiries',
  formula:
    'Website leads added in the period, excluding retired ones. The list of sources states which come from the website.',
  format: 'count',
  from: { ...made, web: true },
  opens: leadsAt('yes'),
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
      from: { ...sold, web: true },
      opens: (at) => address('/cms/salesreport', { when: when(at), ...narrowed(at), web: 'yes', currency: 'GBP' }),
    },
    {
      key: 'amount',
      label: 'Sales value',
      formula: 'Total of those sales, excluding VAT.',
      format: 'money',
      from: { ...sold, sum: 'amount', web: true },
      opens: (at) => address('/cms/salesreport', { when: when(at), ...narrowed(at), web: 'yes', currency: 'GBP' }),
    },
    rate('Conversion', 'Sales divided by enquiries of the same period.', 'sales', 'enquiries'),
  ],
}

const COMPARISON: Report = {
  name: 'comparison',
  title: 'Period comparison',
  intro: 'New leads and sales of a period, compared with the preceding period of equal length.',
  by: ['cameFrom'],
  measures: [
    LEADS,
    {
      key: 'leads before',
      label: 'Leads before',
      formula: 'New leads of the preceding period: as many days, or as many whole months.',
      format: 'count',
      from: { ...made, earlier: true },
      opens: before(leadsAt()),
    },
    {
      key: 'leads change',
      label: 'Change',
      formula: 'Change in new leads, relative to the preceding period.',
      format: 'percent',
      from: { now: 'leads', once: 'leads before' },
    },
    AMOUNT,
    {
      key: 'amount before',
      label: 'Sales value before',
      formula: 'Total of sales in pounds of the preceding period, excluding VAT.',
      format: 'money',
      from: { ...sold, sum: 'amount', earlier: true },
      opens: before(salesAt),
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
      from: { list: contact, on: 'callbackDate', where: kept },
      opens: (at) => address('/cms/reminders', { whose: 'all', when: when(at) }),
      drawn: true,
    },
    {
      key: 'quotes',
      label: 'Expiring quotes',
      formula: 'Open quotes that expire in the week.',
      format: 'count',
      from: { list: quote, on: 'expiresAt', where: { state: 'open' } },
      opens: (at) => address('/cms/reminders', { show: 'quotes', whose: 'all', when: when(at) }),
    },
    {
      key: 'renewals',
      label: 'Renewals',
      formula: 'Sales with a renewal date in the week and no outcome yet.',
      format: 'count',
      from: { list: countedSale, on: 'renewsOn', where: { ...kept, renewal: 'open' } },
      opens: renewalsAt('open'),
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
    rate('Taken up', 'Callbacks divided by planned calls.', 'callbacks', 'meant'),
  ],
}

const SALE_SOURCES: Report = {
  name: 'salesources',
  title: 'Sales by source',
  intro: 'Sources of leads, and their results.',
  by: ['cameFrom'],
  usual: 'year',
  measures: [
    LEADS,
    ...SOLD,
    {
      key: 'calls',
      label: 'Calls',
      formula: 'Calls with an outcome in the period, to leads of the source. Skipped leads and notes do not count.',
      format: 'count',
      from: { list: callMade, on: 'createdAt', where: kept },
      opens: (at) => address('/crm/calls', { when: when(at), ...narrowed(at) }),
    },
    rate('Conversion', 'Sales divided by new leads.', 'sales', 'leads'),
    rate('Calls that sell', 'Sales divided by calls.', 'sales', 'calls'),
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
  RENEWAL,
  SALE_TO_RENEWAL,
]
