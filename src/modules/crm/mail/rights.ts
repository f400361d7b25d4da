/** Those who write the words of letters, and letters to many at once. */
export const MAIL_BATCHERS = ['ROLE_MAIL_ADMIN', 'ROLE_LEADS_ADMIN']
