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
      opens: callsAt(),
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
      opens: salesOfWork,
    },
    {
      key: 'amount',
      label: 'Sold',
      formula: 'The amounts of those sales that are in pounds, added up, without VAT.',
      format: 'money',
      from: { work: 'sale', add: 'amount' },
      opens: salesOfWork,
    },
    rate('Conversion', 'Sales, divided by calls.', 'sales', 'calls'),
  ],
}

const SALE: Report = {
  name: 'sale',
  title: 'Sales by kind',
  intro: 'What was sold, by how it came, by product and by month.',
  by: ['source', 'product', 'month'],
  usual: 'year',
  measures: SOLD,
}

const ENQUIRIES: Measure = {
  key: 'enquiries',
  label: 'Enquiries',
  formula:
    'Leads that were made in the period and came by the web, without those that are retired. Whether a source is the web is said in the list of sources.',
  format: 'count',
  from: { ...made, web: true },
  opens: leadsAt('yes'),
  drawn: true,
}

const WEB: Report = {
  name: 'web',
  title: 'Enquiries by the web',
  intro: 'Who came by the web, and what was sold to those who did.',
  by: ['month', 'week', 'cameFrom'],
  usual: 'year',
  measures: [
    ENQUIRIES,
    {
      key: 'sales',
      label: 'Sales',
      formula:
        'Sales in pounds whose day is in the period to leads that came by the web, without those that are retired.',
      format: 'count',
      from: { ...sold, web: true },
      opens: (at) => address('/cms/salesreport', { when: when(at), ...narrowed(at), web: 'yes', currency: 'GBP' }),
    },
    {
      key: 'amount',
      label: 'Sold',
      formula: 'The amounts of those sales, added up, without VAT.',
      format: 'money',
      from: { ...sold, sum: 'amount', web: true },
      opens: (at) => address('/cms/salesreport', { when: when(at), ...narrowed(at), web: 'yes', currency: 'GBP' }),
    },
    rate('Conversion', 'Sales, divided by enquiries of the same period.', 'sales', 'enquiries'),
  ],
}

const COMPARISON: Report = {
  name: 'comparison',
  title: 'Period against period',
  intro: 'New leads and sales of a period, beside the period just before, which is as long.',
  by: ['cameFrom'],
  measures: [
    LEADS,
    {
      key: 'leads before',
      label: 'Leads before',
      formula: 'The same in the period just before: as many days, or as many whole months.',
      format: 'count',
      from: { ...made, earlier: true },
      opens: before(leadsAt()),
    },
    {
      key: 'leads change',
      label: 'Change',
      formula: 'By how much new leads are more than before, of what was before.',
      format: 'percent',
      from: { now: 'leads', once: 'leads before' },
    },
    AMOUNT,
    {
      key: 'amount before',
      label: 'Sold before',
      formula: 'The amounts of sales in pounds of the period just before, added up, without VAT.',
      format: 'money',
      from: { ...sold, sum: 'amount', earlier: true },
      opens: before(salesAt),
    },
    {
      key: 'amount change',
      label: 'Change in sold',
      formula: 'By how much is sold more than before, of what was before.',
      format: 'percent',
      from: { now: 'amount', once: 'amount before' },
    },
  ],
}

const ROADMAP: Report = {
  name: 'roadmap',
  title: 'The weeks ahead',
  intro: 'What is promised for the coming weeks, beside the calls that people mean to make in them.',
  by: ['week'],
  usual: 'ahead',
  measures: [
    {
      key: 'callbacks',
      label: 'Callbacks',
      formula: 'Leads that are to be rung again in the week, without those that are retired.',
      format: 'count',
      from: { list: contact, on: 'callbackDate', where: kept },
      opens: (at) => address('/cms/reminders', { whose: 'all', when: when(at) }),
      drawn: true,
    },
    {
      key: 'quotes',
      label: 'Quotes that end',
      formula: 'Open quotes whose last day is in the week.',
      format: 'count',
      from: { list: quote, on: 'expiresAt', where: { state: 'open' } },
      opens: (at) => address('/cms/reminders', { show: 'quotes', whose: 'all', when: when(at) }),
    },
    {
      key: 'renewals',
      label: 'Renewals',
      formula: 'Sales whose year ends in the week and of which it is not yet known whether they are renewed.',
      format: 'count',
      from: { list: countedSale, on: 'renewsOn', where: { ...kept, renewal: 'open' } },
      opens: renewalsAt('open'),
    },
    {
      key: 'meant',
      label: 'Calls meant',
      formula:
        'The calls a day that each person means to make, times the working days of the week that are not over and on which they are not away.',
      format: 'count',
      from: { meant: 'calls' },
      opens: () => '/staff',
    },
    rate('Taken up', 'Callbacks, divided by the calls that are meant.', 'callbacks', 'meant'),
  ],
}

const SALE_SOURCES: Report = {
  name: 'salesources',
  title: 'Sales by source',
  intro: 'Where the leads came from, and what became of them.',
  by: ['cameFrom'],
  usual: 'year',
  measures: [
    LEADS,
    ...SOLD,
    {
      key: 'calls',
      label: 'Calls',
      formula:
        'Calls that ended with an outcome in the period, with leads of the source. Skipped leads and notes are no calls.',
      format: 'count',
      from: { list: callMade, on: 'createdAt', where: kept },
      opens: (at) => address('/crm/calls', { when: when(at), ...narrowed(at) }),
    },
    rate('Conversion', 'Sales, divided by new leads.', 'sales', 'leads'),
    rate('Calls that sell', 'Sales, divided by calls.', 'sales', 'calls'),
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
