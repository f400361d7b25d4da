/** Prices, coupons and tax rates are set by few; all staff sell by them. */
export const SELL = 'ROLE_STAFF'
export const SET_PRICES = 'ROLE_BILLING_ADMIN'
/** What customers owe is booked by those who look after money. */
export const FINANCE = 'ROLE_FINANCE'

/** What all of the catalogue has in common. */
export const catalogue = {
  service: 'financial',
  tenant: 'own',
  whole: true,
  bulk: ['retire'],
  allow: { read: SELL, create: SET_PRICES, update: SET_PRICES },
} as const
