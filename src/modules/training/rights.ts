/** Roles that decide who needs which training, and record it, for the whole company. */
export const TRAINING_ROLES = ['ROLE_CLIENT_ADMIN', 'ROLE_TRAINING'] as const
