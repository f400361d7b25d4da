/** A role as it is offered: only what groups and names it. */
export interface Offered {
  readonly name: string | null
  readonly label: string | null
  readonly description?: string | null
  readonly category: unknown
}

export interface RoleGroup<T extends Offered> {
  readonly category: string
  readonly roles: readonly T[]
}

const OTHERS = 'Others'
const categoryOf = (r: Offered): string =>
  r.category && typeof r.category === 'object' && 'name' in r.category ? String(r.category.name) : OTHERS

/** Roles under the names of their categories, both in order of the alphabet; those without one come last. */
export function groupRoles<T extends Offered>(roles: readonly T[]): RoleGroup<T>[] {
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

/** Roles somebody holds that are no longer offered: retired, or another company's. They are kept, and can be taken away. */
export const heldBesides = (held: readonly string[], roles: readonly Offered[]): string[] =>
  held.filter((name) => !roles.some((r) => r.name === name))
