/** Roles that may write templates, and e-mails and letters to many. */
export const BULK_MAIL_ROLES = ['ROLE_MAIL_ADMIN', 'ROLE_LEADS_ADMIN']
