import { date, flag, instant, integer, link, longText, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { charge, refund } from '#modules/billing/payments/charge.ts'
import { quote } from '#modules/billing/quotes/quote.ts'
import { recordedCall } from '#modules/crm/calls/call.ts'
import { contact } from '#modules/crm/contacts/contact.ts'
import { leadSource } from '#modules/crm/contacts/import-batch.ts'
import { countedSale } from '../counted/counted-sale.ts'
import { SALES_MANAGER_ROLE, SEE_ALL_SALES_ROLES } from '../rights.ts'
import {
  addedLeadsList,
  buildListPath,
  createRatioMeasure,
  formatPeriodParam,
  IN_POUNDS_FILTER,
  makeNewLeadsListPathBuilder,
  makeRenewalsListPathBuilder,
  NEW_LEADS_MEASURE,
  NOT_RETIRED_FILTER,
  precedingPeriod,
  RENEWAL_REPORT,
  type ReportDefinition,
  type ReportMeasure,
  type ReportRowFilters,
  reportGroupFilters,
  SALE_AMOUNT_MEASURE,
  SALE_COUNT_MEASURE,
  SALE_MEASURES,
  SALE_TO_RENEWAL_REPORT,
  salesInPoundsList,
  salesListPath,
} from './renewal-reports.ts'
import { SOURCE_COSTS_PATH } from './screens.ts'

/** Maximum amount in pence. An amount above ten million pounds must be a typing error. */
const MAX_AMOUNT_PENCE = 1_000_000_000

/** Cost of a lead source, such as a purchased list, an advertisement or a trade fair. */
export const sourceCost = resource({
  type: 'SourceCost',
  service: 'sales',
  path: 'source_costs',
  table: 'source_cost',
  tenant: 'own',
  title: 'what',
  order: ['-day', '-id'],
  bulk: ['retire'],
  fields: {
    cameFrom: link(() => leadSource, {
      required: 'Please choose a lead source',
      filter: true,
      embed: ['name'],
      label: 'Lead source',
    }),
    day: date({ required: 'Please enter the payment date', filter: true, order: true, label: 'Payment date' }),
    /** Amount in pence, including VAT. */
    amount: integer({
      required: 'Please enter the amount',
      min: 1,
      max: MAX_AMOUNT_PENCE,
      pence: true,
      filter: true,
      order: true,
      label: 'Amount, including VAT',
    }),
    what: text({ required: 'Please enter a description', filter: 'partial', max: 200, label: 'Description' }),
    notes: longText({ default: '', max: 2000 }),
    author: text({ readonly: true, notNull: true, stamp: 'author', person: true, label: 'Entered by' }),
    createdAt: instant({ readonly: true, notNull: true }),
    updatedAt: instant({ readonly: true, notNull: true, stamp: 'updated' }),
    retired: flag({ filter: true }),
  },
  allow: { read: SEE_ALL_SALES_ROLES, create: SALES_MANAGER_ROLE, update: SALES_MANAGER_ROLE },
})

const PAID = { ...IN_POUNDS_FILTER, state: 'succeeded' } as const
const inMoney = (path: string) => (at: ReportRowFilters) =>
  buildListPath(path, { when: formatPeriodParam(at), ...reportGroupFilters(at), ...PAID })

const MONEY_BY_SOURCE: ReportDefinition = {
  name: 'sourcemoney',
  title: 'Income and cost by source',
  intro: 'Money received from each source’s customers, refunds, and the cost of the source.',
  by: ['cameFrom', 'month'],
  usual: 'year',
  measures: [
    NEW_LEADS_MEASURE,
    SALE_COUNT_MEASURE,
    {
      key: 'cash',
      label: 'Cash in',
      formula:
        'Payments in pounds received in the period, including VAT, excluding failed and disputed payments. The source is the customer’s lead source. Balance adjustments appear only in the ledger.',
      format: 'money',
      from: { list: charge, on: 'receivedAt', where: PAID, sum: 'amount' },
      opens: inMoney('/crm/charges'),
      drawn: true,
    },
    {
      key: 'refunds',
      label: 'Refunds',
      formula: 'Refunds in pounds paid in the period, whenever the payment was received.',
      format: 'money',
      from: { list: refund, on: 'settledAt', where: PAID, sum: 'amount' },
      opens: inMoney('/crm/refunds'),
    },
    {
      key: 'left',
      label: 'Net cash',
      formula: 'Cash in minus refunds.',
      format: 'money',
      from: { of: 'cash', less: 'refunds' },
    },
    {
      key: 'cost',
      label: 'Cost',
      formula: 'Costs for the source dated within the period, including VAT.',
      format: 'money',
      from: { list: sourceCost, on: 'day', where: NOT_RETIRED_FILTER, sum: 'amount' },
      opens: (at) => buildListPath(SOURCE_COSTS_PATH, { when: formatPeriodParam(at), ...reportGroupFilters(at) }),
      drawn: true,
    },
    {
      key: 'cost per lead',
      label: 'Cost per lead',
      formula: 'Cost divided by new leads.',
      format: 'money',
      from: { top: 'cost', bottom: 'leads' },
    },
    {
      key: 'cost per sale',
      label: 'Cost per sale',
      formula: 'Cost divided by sales.',
      format: 'money',
      from: { top: 'cost', bottom: 'sales' },
    },
  ],
}

const callsAt = (ended?: string) => (at: ReportRowFilters) =>
  buildListPath('/crm/calls', { when: formatPeriodParam(at), user: at.person, ended })
const salesOfWork = (at: ReportRowFilters) =>
  buildListPath('/cms/salesreport', { when: formatPeriodParam(at), seller: at.person })
const before =
  (opens: (at: ReportRowFilters) => string) =>
  (at: ReportRowFilters): string =>
    opens({ ...at, ...precedingPeriod(at.from, at.to) })

const STATISTICS: ReportDefinition = {
  name: 'statistics',
  title: 'Statistics',
  intro: 'Calls, outcomes and sales.',
  by: ['person', 'day', 'week', 'month'],
  measures: [
    {
      key: 'calls',
      label: 'Calls',
      formula: 'Calls with an outcome in the period, by London date. Skipped leads and notes are not counted.',
      format: 'count',
      from: { work: 'call', add: 'count' },
      opens: callsAt(),
      drawn: true,
    },
    {
      key: 'minutes',
      label: 'Minutes',
      formula: 'Total of the minutes recorded with the calls counted under “Calls”.',
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
      formula: 'Total of the sales in pounds counted under “Sales”, excluding VAT.',
      format: 'money',
      from: { work: 'sale', add: 'amount' },
      opens: salesOfWork,
    },
    createRatioMeasure('Conversion', 'Sales divided by calls.', 'sales', 'calls'),
  ],
}

const SALE: ReportDefinition = {
  name: 'sale',
  title: 'Sales by kind',
  intro: 'Sales by source, product and month.',
  by: ['source', 'product', 'month'],
  usual: 'year',
  measures: SALE_MEASURES,
}

const ENQUIRIES: ReportMeasure = {
  key: 'enquiries',
  label: 'Enquiries',
  formula:
    'Website leads added in the period, excluding retired ones. The list of lead sources shows which sources are online.',
  format: 'count',
  from: { ...addedLeadsList, web: true },
  opens: makeNewLeadsListPathBuilder('yes'),
  drawn: true,
}

const WEB: ReportDefinition = {
  name: 'web',
  title: 'Website enquiries',
  intro: 'Website leads, and sales to these leads.',
  by: ['month', 'week', 'cameFrom'],
  usual: 'year',
  measures: [
    ENQUIRIES,
    {
      key: 'sales',
      label: 'Sales',
      formula: 'Sales to website leads, in pounds and dated within the period, excluding retired ones.',
      format: 'count',
      from: { ...salesInPoundsList, web: true },
      opens: (at) =>
        buildListPath('/cms/salesreport', {
          when: formatPeriodParam(at),
          ...reportGroupFilters(at),
          web: 'yes',
          currency: 'GBP',
        }),
    },
    {
      key: 'amount',
      label: 'Sales value',
      formula: 'Total of the sales counted under “Sales”, excluding VAT.',
      format: 'money',
      from: { ...salesInPoundsList, sum: 'amount', web: true },
      opens: (at) =>
        buildListPath('/cms/salesreport', {
          when: formatPeriodParam(at),
          ...reportGroupFilters(at),
          web: 'yes',
          currency: 'GBP',
        }),
    },
    createRatioMeasure('Conversion', 'Sales divided by enquiries in the same period.', 'sales', 'enquiries'),
  ],
}

const COMPARISON: ReportDefinition = {
  name: 'comparison',
  title: 'Period comparison',
  intro: 'New leads and sales in a period, compared with the preceding period of equal length.',
  by: ['cameFrom'],
  measures: [
    NEW_LEADS_MEASURE,
    {
      key: 'leads before',
      label: 'Leads in the preceding period',
      formula: 'New leads in the preceding period of the same length, in days or whole months.',
      format: 'count',
      from: { ...addedLeadsList, earlier: true },
      opens: before(makeNewLeadsListPathBuilder()),
    },
    {
      key: 'leads change',
      label: 'Change in new leads',
      formula: 'Change in new leads, relative to the preceding period.',
      format: 'percent',
      from: { now: 'leads', once: 'leads before' },
    },
    SALE_AMOUNT_MEASURE,
    {
      key: 'amount before',
      label: 'Sales value in the preceding period',
      formula: 'Total of sales in pounds in the preceding period, excluding VAT.',
      format: 'money',
      from: { ...salesInPoundsList, sum: 'amount', earlier: true },
      opens: before(salesListPath),
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

const ROADMAP: ReportDefinition = {
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
      from: { list: contact, on: 'callbackDate', where: NOT_RETIRED_FILTER },
      opens: (at) => buildListPath('/cms/reminders', { whose: 'all', when: formatPeriodParam(at) }),
      drawn: true,
    },
    {
      key: 'quotes',
      label: 'Expiring quotes',
      formula: 'Open quotes that expire in the week.',
      format: 'count',
      from: { list: quote, on: 'expiresAt', where: { state: 'open' } },
      opens: (at) => buildListPath('/cms/reminders', { show: 'quotes', whose: 'all', when: formatPeriodParam(at) }),
    },
    {
      key: 'renewals',
      label: 'Renewals',
      formula: 'Sales with a renewal date in the week and no outcome yet.',
      format: 'count',
      from: { list: countedSale, on: 'renewsOn', where: { ...NOT_RETIRED_FILTER, renewal: 'open' } },
      opens: makeRenewalsListPathBuilder('open'),
    },
    {
      key: 'meant',
      label: 'Planned calls',
      formula:
        'Each person’s daily call target, multiplied by the number of remaining working days in the week on which that person is not away.',
      format: 'count',
      from: { meant: 'calls' },
      opens: () => '/staff',
    },
    createRatioMeasure('Share of planned calls', 'Callbacks divided by planned calls.', 'callbacks', 'meant'),
  ],
}

const SALE_SOURCES: ReportDefinition = {
  name: 'salesources',
  title: 'Sales by source',
  intro: 'Lead sources, and the calls and sales from each source.',
  by: ['cameFrom'],
  usual: 'year',
  measures: [
    NEW_LEADS_MEASURE,
    ...SALE_MEASURES,
    {
      key: 'calls',
      label: 'Calls',
      formula:
        'Calls with an outcome in the period, to leads from the source. Skipped leads and notes are not counted.',
      format: 'count',
      from: { list: recordedCall, on: 'createdAt', where: NOT_RETIRED_FILTER },
      opens: (at) => buildListPath('/crm/calls', { when: formatPeriodParam(at), ...reportGroupFilters(at) }),
    },
    createRatioMeasure('Conversion', 'Sales divided by new leads.', 'sales', 'leads'),
    createRatioMeasure('Sales per call', 'Sales divided by calls.', 'sales', 'calls'),
  ],
}

export const REPORT_DEFINITIONS: readonly ReportDefinition[] = [
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
