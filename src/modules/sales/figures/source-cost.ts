import { date, flag, instant, integer, link, longText, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { cameFrom } from '#modules/crm/contacts/lookups.ts'
import { SALES_MANAGER_ROLE, SEE_ALL_SALES_ROLES } from '../rights.ts'

/** Ten million pounds in pence: anything above is a typing error. */
const MOST = 1_000_000_000

/** Cost of a lead source in pounds: a purchased list, an advertisement, a trade fair. */
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
    cameFrom: link(() => cameFrom, {
      required: 'Please enter what was paid for',
      filter: true,
      embed: ['name'],
      label: 'Lead source',
    }),
    day: date({ required: 'Please enter the payment date', filter: true, order: true, label: 'Payment date' }),
    /** Pence, including VAT. */
    amount: integer({
      required: 'Please enter the amount',
      min: 1,
      max: MOST,
      pence: true,
      filter: true,
      order: true,
      label: 'Amount, including VAT',
    }),
    what: text({ required: 'Please enter what was paid for', filter: 'partial', max: 200, label: 'Description' }),
    notes: longText({ default: '', max: 2000 }),
    author: text({ readonly: true, notNull: true, stamp: 'author', person: true, label: 'Entered by' }),
    createdAt: instant({ readonly: true, notNull: true }),
    updatedAt: instant({ readonly: true, notNull: true, stamp: 'updated' }),
    retired: flag({ filter: true }),
  },
  allow: { read: SEE_ALL_SALES_ROLES, create: SALES_MANAGER_ROLE, update: SALES_MANAGER_ROLE },
})
