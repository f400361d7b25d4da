import { choice, date, decimal, flag, instant, link, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { product } from '#modules/billing/catalogue/product.ts'
import { staff } from '#modules/crm/staff/staff.ts'
import { SALE_SOURCES } from '../counted/counted-sale.ts'
import { SALES_MANAGER_ROLE } from '../rights.ts'

/** Commission rate from a date. The most specific rate that matches a sale applies, then the latest. */
export const commissionRate = resource({
  type: 'CommissionRate',
  service: 'sales',
  path: 'commission_rates',
  table: 'commission_rate',
  tenant: 'own',
  order: ['-from', '-id'],
  bulk: ['retire'],
  fields: {
    seller: link(() => staff, {
      filter: true,
      embed: ['username', 'name'],
      label: 'Seller',
      help: 'Everybody if left empty.',
    }),
    product: link(() => product, { filter: true, embed: ['name'], help: 'All products if left empty.' }),
    source: choice(SALE_SOURCES, { filter: true, label: 'Source', help: 'All sales if left empty.' }),
    percent: decimal({ required: 'Please enter the percentage', min: 0, max: 100, label: 'Percentage' }),
    from: date({
      required: 'Please enter the first day',
      column: 'first_day',
      order: true,
      filter: true,
      label: 'From',
    }),
    author: text({ readonly: true, notNull: true, stamp: 'author' }),
    createdAt: instant({ readonly: true, notNull: true }),
    retired: flag({ filter: true }),
  },
  allow: { read: SALES_MANAGER_ROLE, create: SALES_MANAGER_ROLE, update: SALES_MANAGER_ROLE },
})
