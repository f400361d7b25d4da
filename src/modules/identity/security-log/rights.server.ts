import type { Context } from '#server/engine/types.ts'

/** Fields that say what somebody may do, and those by which they are known and reached. */
const RIGHTS = ['roles', 'scopes', 'isRetired', 'manager']
const REACHED_BY = ['username', 'email']

/**
 * Tells the security log which fields of somebody's account were changed, and the names of the roles; nothing personal but
 * the username.
 */
export function noteAccount(
  c: Pick<Context, 'security'>,
  username: string,
  changes: Readonly<Record<string, unknown>>,
  isNew: boolean,
): void {
  if (isNew) c.security('account', `${username}: made`)
  const told = (fields: readonly string[]) => fields.filter((name) => (isNew ? hasAny(changes[name]) : name in changes))
  const rights = told(RIGHTS).map((name) => words(name, changes[name]))
  if (rights.length) c.security('rights', `${username}: ${rights.join('; ')}`)
  const reachedBy = isNew ? [] : told(REACHED_BY)
  if (reachedBy.length) c.security('account', `${username}: ${reachedBy.join(', ')}`)
}

const hasAny = (value: unknown) => Array.isArray(value) && value.length > 0

function words(name: string, value: unknown): string {
  if (name === 'roles' && Array.isArray(value)) return `roles now ${value.join(' ') || 'none'}`
  if (name === 'isRetired') return value ? 'retired' : 'brought back'
  return name
}
