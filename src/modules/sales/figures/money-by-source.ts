import { charge } from '#modules/billing/payments/charge.ts'
import { refund } from '#modules/billing/payments/refund.ts'
import { address, GBP, kept, LEADS, narrowed, SALES, when } from './measures.ts'
import type { At, Report } from './report.ts'
import { COSTS_PATH } from './screens.ts'
import { sourceCost } from './source-cost.ts'

const PAID = { ...GBP, state: 'succeeded' } as const
const inMoney = (path: string) => (at: At) => address(path, { when: when(at), ...narrowed(at), ...PAID })

export const MONEY_BY_SOURCE: Report = {
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
