import { choice, date, integer, link } from '#kernel/fields.ts'
import { CURRENCIES } from '#kernel/money.ts'
import { resource } from '#kernel/resource.ts'
import { product } from '../catalogue/plan.ts'
import { FINANCE_ROLES, INVOICING_PACK } from '../rights.ts'
import { invoice, invoiceLine } from './invoice.ts'

const pence = { readonly: true, notNull: true, pence: true } as const

/** Deferred income from one invoice line, earned day by day. */
export const deferredIncome = resource({
  type: 'DeferredIncome',
  service: 'financial',
  pack: INVOICING_PACK,
  path: 'deferred_incomes',
  table: 'deferred_income',
  tenant: 'own',
  order: ['-id'],
  fields: {
    invoice: link(() => invoice, { readonly: true, notNull: true, filter: true, embed: ['number', 'company'] }),
    line: link(() => invoiceLine, { readonly: true, notNull: true, filter: true }),
    product: link(() => product, { readonly: true, filter: true, embed: ['name'] }),
    currency: choice(CURRENCIES, { readonly: true, notNull: true, filter: true }),
    from: date({ readonly: true, notNull: true, column: 'first_day', filter: true, order: true, label: 'Period from' }),
    to: date({ readonly: true, notNull: true, column: 'last_day', filter: true, order: true, label: 'Period to' }),
    /** Pence, excluding VAT and after credits. */
    net: integer(pence),
    earned: integer({ ...pence, default: 0 }),
    /** Last day for which income was recognised. */
    earnedOn: date({ readonly: true, filter: true, order: true, label: 'Recognised up to' }),
  },
  allow: { read: FINANCE_ROLES },
})
