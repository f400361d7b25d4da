import { choice, date, instant, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { SALES_MANAGER_ROLE, SELLER_ROLE } from '../rights.ts'

/**
 * A commission month, created by its first line. Locked months never change: later corrections go into a later month.
 */
export const commissionMonth = resource({
  type: 'CommissionMonth',
  service: 'sales',
  path: 'commission_months',
  table: 'commission_month',
  tenant: 'own',
  title: 'month',
  order: ['-month'],
  state: 'state',
  fields: {
    /** First day of the month. */
    month: date({ required: true, filter: true, order: true }),
    state: choice(
      [
        { value: 'open', label: 'Open' },
        { value: 'approved', label: 'Approved' },
        { value: 'locked', label: 'Locked and paid' },
      ],
      { readonly: true, default: 'open', filter: true, order: true, label: 'Status' },
    ),
    approvedBy: text({ readonly: true, default: '', person: true }),
    approvedAt: instant({ readonly: true }),
    lockedBy: text({ readonly: true, default: '', person: true }),
    lockedAt: instant({ readonly: true }),
  },
  allow: { read: SELLER_ROLE },
  actions: {
    reckon: {
      path: 'reckon',
      title: 'Recalculate the month’s commission at the current rates',
      allow: SALES_MANAGER_ROLE,
      from: ['open'],
      input: {},
    },
    approve: {
      path: 'approve',
      title: 'Approve',
      allow: SALES_MANAGER_ROLE,
      from: ['open'],
      to: 'approved',
      input: {},
    },
    reopen: { path: 'reopen', title: 'Reopen', allow: SALES_MANAGER_ROLE, from: ['approved'], to: 'open', input: {} },
    lock: {
      path: 'lock',
      title: 'Lock the month',
      allow: SALES_MANAGER_ROLE,
      from: ['approved'],
      to: 'locked',
      input: {},
    },
  },
})

/** First day of the month that contains a day. */
export const monthOf = (day: Temporal.PlainDate): Temporal.PlainDate => day.with({ day: 1 })

/** `November 2026` */
export const monthWords = (month: string): string =>
  Temporal.PlainDate.from(month).toLocaleString('en-GB', { month: 'long', year: 'numeric' })
