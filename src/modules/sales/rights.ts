/** Everybody who sells sees what was sold; commission is the seller's own, and the sales manager's. */
export const SELL = 'ROLE_STAFF'
export const MANAGE_SALES = 'ROLE_SALES_ADMIN'
/** Who sees the work of everybody; others that of their team, and their own. */
export const SEE_ALL = ['ROLE_SALES_ADMIN', 'ROLE_LEADS_ADMIN'] as const
/** Who hands lists of addresses on. */
export const MARKET = ['ROLE_MAIL_ADMIN', 'ROLE_LEADS_ADMIN'] as const
