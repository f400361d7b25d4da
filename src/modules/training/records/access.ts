import { type AccessRule, only } from '#kernel/row-rules.ts'
import { TRAINING_ROLES } from '../rights.ts'

/** Employees read their own training, managers and heads of departments that of their people. */
export const TRAINING_ROWS: readonly AccessRule[] = [
  { unless: TRAINING_ROLES, only: only.inSet('employee', 'employees_in_charge') },
]
