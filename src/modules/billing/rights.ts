/** Role for the provider's own sales: leads, cards, insurance and figures. */
export const STAFF = 'ROLE_STAFF'
/** Role for client invoicing: documents, prices and payments of the user's own company. */
export const INVOICING = 'ROLE_INVOICING'

/** Roles that sell, and the fewer that set prices, coupons and tax rates. */
export const SELL = [STAFF, INVOICING] as const
export const SET_PRICES = ['ROLE_BILLING_ADMIN', INVOICING] as const
/** Roles of finance staff, who post to customer accounts. */
export const FINANCE = ['ROLE_FINANCE', INVOICING] as const

/** Role of the provider's administrators: customers of all clients, packs on sale, and the clock of a test world. */
export const PROVIDES = 'ROLE_BILLING_ADMIN'
/** Role to read payment events: the payment service belongs to the provider. */
export const PAYMENT_SERVICE = 'ROLE_FINANCE'

/** Code of the pack that clients need for their own invoicing; the provider needs none. */
export const BOOKS = 'invoicing'

export const catalogue = {
  service: 'financial',
  pack: BOOKS,
  tenant: 'own',
  unpaginated: true,
  bulk: ['retire'],
  allow: { read: SELL, create: SET_PRICES, update: SET_PRICES },
} as const
