import { type Violation, violation } from '#kernel/errors.ts'
import { role } from '#modules/identity/roles/role.ts'
import type { Context } from '#server/engine/types.ts'

/**
 * Returns a violation for the first unknown role in a field, or an empty list if all roles are known. Unknown roles are
 * rejected because nobody could have access if an audience contained only such roles.
 */
export async function findUnknownRoles(
  c: Pick<Context, 'find'>,
  field: string,
  names: readonly string[],
): Promise<Violation[]> {
  if (!names.length) return []
  const known = new Set((await c.find(role, { name: [...new Set(names)] })).map((one) => one.name))
  const unknown = names.find((name) => !known.has(name))
  return unknown === undefined ? [] : [violation(field, `There is no role “${unknown.slice(0, 60)}”`, 'not_an_option')]
}
