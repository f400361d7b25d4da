/** Roles that may write templates, and e-mails and letters to many. */
export const MAIL_BATCHERS = ['ROLE_MAIL_ADMIN', 'ROLE_LEADS_ADMIN']
