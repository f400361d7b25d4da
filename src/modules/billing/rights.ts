import { date, text, typedJson } from '#kernel/fields.ts'
import { formatMoney } from '#kernel/money.ts'

/** Role for the provider's own sales: leads, cards, insurance and sales figures. */
export const STAFF_ROLE = 'ROLE_STAFF'
/** Role for client invoicing: quotes, invoices and customers of the user's own company. */
const INVOICING_ROLE = 'ROLE_INVOICING'
/**
 * Role for client invoicing with finance: also allows payments, refunds, the ledger, prices, limits, and approval as a
 * second person. A seller without this role can neither approve a discount nor raise a limit.
 */
export const INVOICING_FINANCE_ROLE = 'ROLE_INVOICING_FINANCE'
/** Roles that use client invoicing. */
export const INVOICING_ROLES = [INVOICING_ROLE, INVOICING_FINANCE_ROLE] as const

/** Roles that sell, and the narrower set of roles that set prices, coupons and tax rates. */
export const SELLING_ROLES = [STAFF_ROLE, ...INVOICING_ROLES] as const
export const PRICING_ROLES = ['ROLE_BILLING_ADMIN', INVOICING_FINANCE_ROLE] as const
/** Roles of finance staff, who post to customers' accounts. */
export const FINANCE_ROLES = ['ROLE_FINANCE', INVOICING_FINANCE_ROLE] as const

/**
 * Role of the provider's administrators, who manage customers of all clients, packs on sale, and the clock of test
 * installations.
 */
export const BILLING_ADMIN_ROLE = 'ROLE_BILLING_ADMIN'
/** Role that reads payment events. Clients have no such role, because the payment service belongs to the provider. */
export const PAYMENT_EVENTS_ROLE = 'ROLE_FINANCE'

/** Code of the pack that clients need to issue their own invoices. The provider doesn't need this pack. */
export const INVOICING_PACK = 'invoicing'

export const catalogueResourceOptions = {
  service: 'financial',
  pack: INVOICING_PACK,
  tenant: 'own',
  unpaginated: true,
  bulk: ['retire'],
  allow: { read: SELLING_ROLES, create: PRICING_ROLES, update: PRICING_ROLES },
} as const

export const RAISED_LIMIT_HELP =
  'A lower limit applies at once. A higher limit applies from tomorrow, and all users with finance or pricing rights are notified. Until then, it can be withdrawn.'

/** Limits that were raised and don't apply yet, by field. */
export type RaisedLimits = Readonly<Record<string, number>>

export const describeRaisedLimits = (raised: RaisedLimits): string =>
  Object.entries(raised)
    .map(([name, value]) => (name === 'discountLimitPercent' ? `${value}%` : formatMoney(value, 'GBP')))
    .join(' and ')

/** Options for each limit that is used with these fields. */
export const limitOptions = { notWhileImpersonating: true, required: true, waitsIn: 'raisedLimits' } as const

/**
 * Fields of settings with limits above which a second person decides: the limits raised, the day from which they apply
 * (the day after they were raised), and who raised them.
 */
export const raisedLimitFields = {
  raisedLimits: typedJson<RaisedLimits>()({
    readonly: true,
    notNull: true,
    default: {},
    notWhileImpersonating: true,
    label: 'Raised limits',
  }),
  raisedFrom: date({ readonly: true, label: 'Raised limits apply from' }),
  raiserName: text({ column: 'raised_by', readonly: true, notNull: true, default: '' }),
} as const
