/** Name and category of a role that a picker offers. */
export interface RoleOption {
  readonly name: string | null
  readonly label: string | null
  readonly description?: string | null
  readonly category: unknown
}

export interface RoleGroup<T extends RoleOption> {
  readonly category: string
  readonly roles: readonly T[]
}

const OTHERS = 'Others'
const categoryOf = (r: RoleOption): string =>
  r.category && typeof r.category === 'object' && 'name' in r.category ? String(r.category.name) : OTHERS

/** Groups roles by category. Categories and roles are in alphabetical order; roles without a category come last. */
export function groupRoles<T extends RoleOption>(roles: readonly T[]): RoleGroup<T>[] {
  const groups = new Map<string, T[]>()
  for (const r of roles) groups.set(categoryOf(r), [...(groups.get(categoryOf(r)) ?? []), r])
  const last = (name: string) => (name === OTHERS ? 1 : 0)
  return [...groups]
    .sort(([a], [b]) => last(a) - last(b) || a.localeCompare(b, 'en-GB'))
    .map(([category, members]) => ({
      category,
      roles: members.sort((a, b) => (a.label ?? '').localeCompare(b.label ?? '', 'en-GB')),
    }))
}

/**
 * Finds the roles that a user holds but that can't be assigned, such as retired roles. Pickers show them so that they
 * can be removed.
 */
export const findUnassignableRoles = (held: readonly string[], roles: readonly RoleOption[]): string[] =>
  held.filter((name) => !roles.some((r) => r.name === name))

/** Roles that control money or access, with their labels. Their holders are notified of each protected change. */
export const CONTROLLING_ROLES: Readonly<Record<string, string>> = {
  ROLE_FINANCE: 'Finance',
  ROLE_BILLING_ADMIN: 'Billing administrator',
  ROLE_SALES_ADMIN: 'Sales manager',
  ROLE_USER_ADMIN: 'User administrator',
  ROLE_INVOICING_FINANCE: 'Invoicing and finance',
  ROLE_CLIENT_ADMIN: 'Company administrator',
}

/**
 * Roles that control money, access or confidential data, with their labels. They contain every role that reads a
 * confidential field. A newly assigned role takes effect after a second administrator confirms it, or after a day. Other
 * users can't set the password of a user with such a role.
 */
export const PROTECTED_ROLES: Readonly<Record<string, string>> = {
  ...CONTROLLING_ROLES,
  ROLE_HR: 'Human resources',
  ROLE_HR_PRIVATE: 'Private employee details',
  ROLE_INCIDENT_READER: 'Incident reader',
  ROLE_SAFETY_AUTHOR: 'Safety author',
  ROLE_SAFETY_ADMIN: 'Safety administrator',
}

export const isProtectedRole = (name: string): boolean => name in PROTECTED_ROLES
export const holdsProtectedRole = (roles: readonly string[]): boolean => roles.some(isProtectedRole)

/** Describes waiting changes, such as `Finance, new e-mail address ann@acme.example`. */
export const describeWaitingChanges = (of: {
  readonly waitingRoles: readonly string[] | null
  readonly waitingEmail: string | null
}): string =>
  [
    ...(of.waitingRoles ?? []).map((name) => PROTECTED_ROLES[name] ?? name),
    ...(of.waitingEmail ? [`new e-mail address ${of.waitingEmail}`] : []),
  ].join(', ')
