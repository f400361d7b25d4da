import { charge } from '#rooms/billing/payments/charge.ts'
import { refund } from '#rooms/billing/payments/refund.ts'
import { quote } from '#rooms/billing/quotes/quote.ts'
import { callMade } from '#rooms/crm/calls/call.ts'
import { contact } from '#rooms/crm/contacts/contact.ts'
import { countedSale } from '../counted/counted-sale.ts'
import { type At, daysBefore, type Measure, type Report } from './report.ts'
import { COSTS_PATH } from './screens.ts'
import { sourceCost } from './source-cost.ts'

const address = (path: string, query: Readonly<Record<string, string | undefined>>): string =>
  `${path}?${new URLSearchParams(Object.entries(query).flatMap(([k, v]) => (v === undefined ? [] : [[k, v]])))}`
const when = ({ from, to }: At) => `${from}..${to}`
/** What the list of a row is narrowed to beside its days. */
const narrowed = ({ by, group }: At): Record<string, string> =>
  by === undefined || group === undefined ? {} : group === '' ? { notSaid: by } : { [by]: group }

const callsAt = (ended?: string) => (at: At) => address('/crm/calls', { when: when(at), user: at.person, ended })
const salesOfWork = (at: At) => address('/cms/salesreport', { when: when(at), seller: at.person })
const salesAt = (at: At) => address('/cms/salesreport', { when: when(at), ...narrowed(at), currency: 'GBP' })
const cohortAt = (renewal: string) => (at: At) =>
  address('/cms/salesreport', { when: when(at), ...narrowed(at), renewal })
const leadsAt = (web?: 'yes') => (at: At) => address('/cms/analysis/leads', { when: when(at), ...narrowed(at), web })
const renewalsAt = (renewal?: string) => (at: At) =>
  address('/cms/renewals', { when: when(at), ...narrowed(at), renewal: renewal ?? 'any' })
const before =
  (opens: (at: At) => string) =>
  (at: At): string =>
    opens({ ...at, ...daysBefore(at.from, at.to) })

const kept = { retired: 'false' } as const
const GBP = { currency: 'GBP' } as const
const sold = { list: countedSale, on: 'day', where: { ...kept, ...GBP } } as const
const made = { list: contact, on: 'createdAt', where: kept } as const

const SALES: Measure = {
  key: 'sales',
  label: 'Sales',
  formula: 'Sales in pounds whose day is in the period, without those that are retired.',
  format: 'count',
  from: sold,
  opens: salesAt,
}
const AMOUNT: Measure = {
  key: 'amount',
  label: 'Sold',
  formula: 'The amounts of those sales, added up, without VAT.',
  format: 'money',
  from: { ...sold, sum: 'amount' },
  opens: salesAt,
  drawn: true,
}
const SOLD: readonly Measure[] = [
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
const rate = (label: string, formula: string, top: string, bottom: string): Measure => ({
  key: `${top} of ${bottom}`,
  label,
  formula,
  format: 'percent',
  from: { top, bottom },
})

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

const LEADS: Measure = {
  key: 'leads',
  label: 'New leads',
  formula: 'Leads that were made in the period, without those that are retired.',
  format: 'count',
  from: made,
  opens: leadsAt(),
  drawn: true,
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

const PAID = { ...GBP, state: 'succeeded' } as const
const inMoney = (path: string) => (at: At) => address(path, { when: when(at), ...narrowed(at), ...PAID })

const MONEY_BY_SOURCE: Report = {
  name: 'sourcemoney',
  title: 'Money by source',
  intro: 'What came in from customers of each source, what was paid back, and what the source itself has cost.',
  by: ['cameFrom', 'month'],
  usual: 'year',
  measures: [
    LEADS,
    SALES,
    {
      key: 'cash',
      label: 'Cash in',
      formula:
        'Payments in pounds that were received in the period, VAT included, without those that failed or are disputed. The source is that of the customer’s lead. What was only booked on a balance is in the ledger alone.',
      format: 'money',
      from: { list: charge, on: 'receivedAt', where: PAID, sum: 'amount' },
      opens: inMoney('/crm/charges'),
      drawn: true,
    },
    {
      key: 'refunds',
      label: 'Refunds',
      formula: 'Refunds in pounds that were paid back in the period, whenever their payment was received.',
      format: 'money',
      from: { list: refund, on: 'settledAt', where: PAID, sum: 'amount' },
      opens: inMoney('/crm/refunds'),
    },
    {
      key: 'left',
      label: 'Kept',
      formula: 'Cash in, less refunds.',
      format: 'money',
      from: { of: 'cash', less: 'refunds' },
    },
    {
      key: 'cost',
      label: 'Cost',
      formula: 'What was paid for the source on days of the period, as it is written down in its costs, VAT included.',
      format: 'money',
      from: { list: sourceCost, on: 'day', where: kept, sum: 'amount' },
      opens: (at) => address(COSTS_PATH, { when: when(at), ...narrowed(at) }),
      drawn: true,
    },
    {
      key: 'cost per lead',
      label: 'Per lead',
      formula: 'Cost, divided by new leads.',
      format: 'money',
      from: { top: 'cost', bottom: 'leads' },
    },
    {
      key: 'cost per sale',
      label: 'Per sale',
      formula: 'Cost, divided by sales.',
      format: 'money',
      from: { top: 'cost', bottom: 'sales' },
    },
  ],
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

const dueIn = (renewal: readonly string[]) => ({ list: countedSale, on: 'renewsOn', where: { ...kept, renewal } })
const soldWith = (renewal: readonly string[]) => ({ list: countedSale, on: 'day', where: { ...kept, renewal } })
const ANY = ['open', 'renewed', 'lost'] as const

const RENEWAL: Report = {
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

const SALE_TO_RENEWAL: Report = {
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
