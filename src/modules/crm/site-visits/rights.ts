/** Roles that may plan and make site visits. */
export const VISITORS = ['ROLE_SAFETY_ADMIN', 'ROLE_CLIENTS_ADMIN'] as const
