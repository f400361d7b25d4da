import { type AccessRule, only } from '#kernel/row-rules.ts'

/** Roles that decide who needs which training, and record it, for the whole company. */
export const TRAINING_ROLES = ['ROLE_CLIENT_ADMIN', 'ROLE_TRAINING'] as const

/** Employees read their own training, managers and heads of departments that of their people. */
export const TRAINING_ROWS: readonly AccessRule[] = [
  { unless: TRAINING_ROLES, only: only.inSet('employee', 'employees_in_charge') },
]
