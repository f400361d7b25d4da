/** Who comes to clients, and plans who does. */
export const VISITORS = ['ROLE_SAFETY_ADMIN', 'ROLE_CLIENTS_ADMIN'] as const
