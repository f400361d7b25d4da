/** Role of sellers, who see all sales. Commission is visible only to its seller and the sales manager. */
export const SELLER_ROLE = 'ROLE_STAFF'
export const SALES_MANAGER_ROLE = 'ROLE_SALES_ADMIN'
/** Roles that see everybody's work; other users see their team's and their own. */
export const SEE_ALL_SALES_ROLES = ['ROLE_SALES_ADMIN', 'ROLE_LEADS_ADMIN'] as const
/** Roles that export mailing lists. */
export const MAILING_LIST_ROLES = ['ROLE_MAIL_ADMIN', 'ROLE_LEADS_ADMIN'] as const
