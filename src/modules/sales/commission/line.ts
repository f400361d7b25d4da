import { choice, decimal, instant, integer, link, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { staff } from '#modules/crm/staff/staff.ts'
import { user } from '#modules/identity/people/user.ts'
import { countedSale } from '../counted/counted-sale.ts'
import { SALES_MANAGER_ROLE, SELLER_ROLE } from '../rights.ts'
import { commissionMonth } from './month.ts'
import { commissionRate } from './rate.ts'

/** Commission earned, clawed back or adjusted. Append-only; every line except an adjustment names its sale. */
export const commissionLine = resource({
  type: 'CommissionLine',
  service: 'sales',
  path: 'commission_lines',
  table: 'commission_line',
  tenant: 'own',
  order: ['-id'],
  appendOnly: true,
  fields: {
    month: link(() => commissionMonth, { filter: true, embed: ['month', 'state'] }),
    seller: link(() => staff, { required: 'Please choose a seller', filter: true, embed: ['username', 'name'] }),
    person: link(() => user, { readonly: true, filter: true }),
    kind: choice(
      [
        { value: 'earned', label: 'Earned' },
        { value: 'clawback', label: 'Clawed back' },
        { value: 'adjustment', label: 'Adjustment' },
      ],
      { readonly: true, default: 'adjustment', filter: true, count: true },
    ),
    /** Pence; negative for a clawback. */
    amount: integer({
      required: 'Please enter the amount',
      min: -100_000_000,
      max: 100_000_000,
      pence: true,
      order: true,
    }),
    sale: link(() => countedSale, { readonly: true, filter: true, embed: ['what', 'company', 'day', 'retired'] }),
    /** Sale amount in pence and the rate applied to it. */
    base: integer({ readonly: true, pence: true, label: 'Sale amount' }),
    percent: decimal({ readonly: true, label: 'Percentage' }),
    rate: link(() => commissionRate, { readonly: true }),
    reason: text({ required: 'Please enter a reason', max: 1500, filter: 'partial' }),
    author: text({ readonly: true, notNull: true, stamp: 'author' }),
    createdAt: instant({ readonly: true, notNull: true, order: true, filter: true }),
  },
  allow: {
    read: SELLER_ROLE,
    create: SALES_MANAGER_ROLE,
    notWhileImpersonating: ['create'],
    rows: [{ unless: SALES_MANAGER_ROLE, only: only.mine('person') }],
  },
})
