/** Roles that set the company's default notifications. */
export const ALERT_MANAGERS = ['ROLE_CLIENT_ADMIN', 'ROLE_USER_ADMIN'] as const
