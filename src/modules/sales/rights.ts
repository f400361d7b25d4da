/**
 * Role of sellers, who can see all sales. Only the seller concerned and sales managers can see a seller's commission.
 */
export const SELLER_ROLE = 'ROLE_STAFF'
export const SALES_MANAGER_ROLE = 'ROLE_SALES_ADMIN'
/** Roles that may see everybody's work. Other users see only their own and their team's. */
export const SEE_ALL_SALES_ROLES = ['ROLE_SALES_ADMIN', 'ROLE_LEADS_ADMIN'] as const
/** Roles that may export mailing lists. */
export const MAILING_LIST_ROLES = ['ROLE_MAIL_ADMIN', 'ROLE_LEADS_ADMIN'] as const
