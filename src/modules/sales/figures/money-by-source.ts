import { charge } from '#modules/billing/payments/charge.ts'
import { refund } from '#modules/billing/payments/refund.ts'
import { groupFilters, IN_POUNDS, listAddress, NEW_LEADS, NOT_RETIRED, periodParam, SALE_COUNT } from './measures.ts'
import type { Report, RowFilters } from './report.ts'
import { SOURCE_COSTS_PATH } from './screens.ts'
import { sourceCost } from './source-cost.ts'

const PAID = { ...IN_POUNDS, state: 'succeeded' } as const
const inMoney = (path: string) => (at: RowFilters) =>
  listAddress(path, { when: periodParam(at), ...groupFilters(at), ...PAID })

export const MONEY_BY_SOURCE: Report = {
  name: 'sourcemoney',
  title: 'Money by source',
  intro: 'Money received from customers of each source, refunds, and the cost of the source.',
  by: ['cameFrom', 'month'],
  usual: 'year',
  measures: [
    NEW_LEADS,
    SALE_COUNT,
    {
      key: 'cash',
      label: 'Cash in',
      formula:
        'Payments in pounds received in the period, including VAT, excluding failed and disputed ones. The source is that of the customer’s lead. Balance adjustments appear only in the ledger.',
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
      formula: 'Costs of the source dated within the period, including VAT.',
      format: 'money',
      from: { list: sourceCost, on: 'day', where: NOT_RETIRED, sum: 'amount' },
      opens: (at) => listAddress(SOURCE_COSTS_PATH, { when: periodParam(at), ...groupFilters(at) }),
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
