import { EMPLOYEE_READER_ROLES } from '#modules/people/rights.ts'

/** Roles that decide who needs which training, and record it, for the whole company. */
export const TRAINING_ROLES = ['ROLE_CLIENT_ADMIN', 'ROLE_TRAINING'] as const
/** Roles of the provider's staff, who read sessions and bookings of every client. */
export const STAFF_ROLE = 'ROLE_STAFF'
/** Roles that may read training: their own, and that of the people in their charge. The provider's staff have no role of employees. */
export const TRAINING_READER_ROLES = [...EMPLOYEE_READER_ROLES, STAFF_ROLE] as const
/** Roles of the provider that hold training sessions and record attendance. */
export const SESSION_HOLDER_ROLES = ['ROLE_SAFETY_ADMIN', 'ROLE_CLIENTS_ADMIN'] as const
/** Roles that read training sessions. */
export const SESSION_READER_ROLES = [...TRAINING_ROLES, STAFF_ROLE] as const
