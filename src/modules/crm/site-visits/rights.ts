/** Roles that may plan and make site visits. */
export const SITE_VISIT_ROLES = ['ROLE_SAFETY_ADMIN', 'ROLE_CLIENTS_ADMIN'] as const
