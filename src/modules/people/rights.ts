import type { Pack } from '#kernel/packs.ts'
import { DOCUMENT_AUTHOR_ROLES } from '#modules/documents/rights.ts'

/** Products of which each includes the records of employees: incidents, employee records and leave need them. */
export const EMPLOYEE_PACKS: readonly Pack[] = ['employees', 'safety', 'holidays']
/** Roles that manage all employees of their company. */
export const HR_ROLES = ['ROLE_CLIENT_ADMIN', 'ROLE_HR'] as const
/** Role that reads and changes bank details and National Insurance numbers. */
export const HR_PRIVATE_ROLE = 'ROLE_HR_PRIVATE'
/** Roles that may choose an employee by name, for example when they report an incident. */
export const EMPLOYEE_READER_ROLES = [
  ...DOCUMENT_AUTHOR_ROLES,
  'ROLE_HR',
  'ROLE_TRAINING',
  'ROLE_EQUIPMENT',
  'ROLE_EMPLOYEE',
] as const
/** Roles that see the work details of every employee. */
export const WORK_DETAIL_ROLES = [...DOCUMENT_AUTHOR_ROLES, 'ROLE_HR'] as const
