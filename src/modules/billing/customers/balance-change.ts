import { instant, integer, link, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { INVOICING_PACK, SELLING_ROLES } from '../rights.ts'
import { customer } from './customer.ts'

/** A change of a customer's balance; the balance is the sum of these rows. Written only through the customer. */
export const balanceChange = resource({
  type: 'BalanceChange',
  service: 'financial',
  pack: INVOICING_PACK,
  path: 'balance_changes',
  table: 'balance_change',
  tenant: 'own',
  order: ['-id'],
  appendOnly: true,
  fields: {
    customer: link(() => customer, { readonly: true, notNull: true, filter: true, embed: ['companyName'] }),
    /** Pence; negative in the customer's favour. */
    amount: integer({ readonly: true, notNull: true, filter: true, pence: true, label: 'Change' }),
    reason: text({ readonly: true, notNull: true, default: '' }),
    receivedAt: instant({ readonly: true, filter: true, order: true, label: 'Payment received' }),
    /** Balance in pence after this change. */
    balance: integer({ readonly: true, notNull: true, pence: true, label: 'Balance' }),
    author: text({ readonly: true, notNull: true, stamp: 'author', default: '', person: true, label: 'Recorded by' }),
    createdAt: instant({ readonly: true, notNull: true, filter: true, order: true, label: 'Recorded' }),
  },
  allow: { read: SELLING_ROLES },
})
