/** What belongs to the provider's own sales alone: leads, cards, insurance and figures. */
export const STAFF = 'ROLE_STAFF'
/** Does the invoicing of their own company: makes its papers, sets its prices, and books its payments. */
export const INVOICING = 'ROLE_INVOICING'

/** Prices, coupons and tax rates are set by few; all staff sell by them. */
export const SELL = [STAFF, INVOICING] as const
export const SET_PRICES = ['ROLE_BILLING_ADMIN', INVOICING] as const
/** What customers owe is booked by those who look after money. */
export const FINANCE = ['ROLE_FINANCE', INVOICING] as const

/** For the provider’s administrators alone: customers of all clients at once, packs that are sold, the clock of a world to try things in. */
export const PROVIDES = 'ROLE_BILLING_ADMIN'
/** The payment service is the provider's: what it says is looked at by its own people. */
export const PAYMENT_SERVICE = 'ROLE_FINANCE'

/** Books are the provider's own; clients keep theirs where they have this pack. */
export const BOOKS = 'invoicing'

/** What all of the catalogue has in common. */
export const catalogue = {
  service: 'financial',
  pack: BOOKS,
  tenant: 'own',
  unpaginated: true,
  bulk: ['retire'],
  allow: { read: SELL, create: SET_PRICES, update: SET_PRICES },
} as const
