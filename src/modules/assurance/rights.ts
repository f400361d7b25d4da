/** Roles that manage the equipment of their whole company: items, required checks and reports. */
export const EQUIPMENT_ROLES = ['ROLE_CLIENT_ADMIN', 'ROLE_EQUIPMENT'] as const
/** Everybody at a company sees its equipment and records checks. */
export const EQUIPMENT_READER_ROLES = [
  ...EQUIPMENT_ROLES,
  'ROLE_SAFETY_AUTHOR',
  'ROLE_SAFETY_ADMIN',
  'ROLE_EMPLOYEE',
] as const
