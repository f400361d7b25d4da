import { PROVIDER } from '#kernel/roles.ts'
import { prepare } from '#server/data/values.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { user } from './user.ts'

/** Reads names for usernames found in records: of the client's and the provider's users, or of other tenants'. */
export async function readUserNames(
  engine: Engine,
  clientId: number,
  usernames: readonly string[],
  // If a username exists in both, the client's user takes precedence.
  tenants: readonly number[] = [PROVIDER, clientId],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  if (!usernames.length) return names
  for (const tenant of new Set(tenants)) {
    const people = await engine.readIn(tenant, 'read names for documents', (c) => c.find(user, { username: usernames }))
    for (const { username, name } of people) names.set(username, name)
  }
  return names
}

/** An account with its user's name. */
export interface NamedAccount {
  readonly id: number
  readonly name: string
}

const known = (by: string) =>
  `SELECT given, u.id, u.name FROM given JOIN user_account u ON u.client_id = $1::int AND NOT u.is_retired AND u.${by} = given.${by}`
const CALLED = prepare(
  `WITH given AS MATERIALIZED (
     SELECT given, folded_name(given) AS folded_name, lower(given) AS folded_username FROM unnest($2::text[]) given)
   ${known('folded_name')} UNION ${known('folded_username')} ORDER BY 2`,
)

const calledSo = (by: string, made: string) =>
  `SELECT $2::text, u.id, u.name FROM user_account u WHERE u.client_id = $1::int AND NOT u.is_retired AND u.${by} = (SELECT ${made}($2::text))`
/** Query for a single name, the common case: its plan is reused, unlike one for lists of names. */
const CALLED_ONE = prepare(
  `${calledSo('folded_name', 'folded_name')} UNION ${calledSo('folded_username', 'lower')} ORDER BY 2`,
)

/** Finds the tenant's accounts by name or username, keyed by the given names. */
export async function findAccountsByName(
  c: Context,
  names: readonly string[],
): Promise<ReadonlyMap<string, NamedAccount[]>> {
  const found = new Map<string, NamedAccount[]>(names.map((name) => [name, []]))
  const [only, ...more] = found.keys()
  if (only === undefined) return found
  const rows = await (more.length
    ? c.work.tx.arrays(CALLED, [c.clientId, [...found.keys()]])
    : c.work.tx.arrays(CALLED_ONE, [c.clientId, only]))
  for (const [given, id, name] of rows as [string, number, string][]) found.get(given)?.push({ id, name })
  return found
}
