/** All sellers see the sales; commission is visible to its seller and the sales manager. */
export const SELL = 'ROLE_STAFF'
export const MANAGE_SALES = 'ROLE_SALES_ADMIN'
/** Roles that see everybody's work; others see their team's and their own. */
export const SEE_ALL = ['ROLE_SALES_ADMIN', 'ROLE_LEADS_ADMIN'] as const
/** Roles that export mailing lists. */
export const MARKET = ['ROLE_MAIL_ADMIN', 'ROLE_LEADS_ADMIN'] as const
