import { type Actor, hasRole, PROVIDER } from '#kernel/roles.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import { prepare, type Values } from '#server/data/values.ts'
import type { Conn } from '#server/db/db.ts'
import { type ExportColumn, isPersonField, type PersonNameLookup } from './columns.ts'

/**
 * Clients may read the names of provider staff who have worked in their portal; the impersonation log shows these names
 * anyway.
 */
const NAMES = prepare(
  `SELECT u.client_id, u.username, u.name FROM user_account u WHERE u.username = ANY($1::text[]) AND (u.client_id = ANY($2::int[])
     OR u.client_id = $3::int AND ($4 OR EXISTS (SELECT FROM visit v WHERE v.client_id = ANY($2::int[]) AND v.visitor_username = u.username)))`,
)

/** Only provider staff may read names of people in other clients beyond those that their screens show. */
const seesAllNames = (actor: Actor): boolean => actor.clientId === PROVIDER && hasRole(actor, 'ROLE_STAFF')

/** Reads the names for the usernames in these records, of each client and of the provider. */
export async function readPersonNames(
  conn: Conn,
  actor: Actor,
  columns: readonly ExportColumn[],
  records: readonly ApiRecord[],
  clients: readonly number[],
): Promise<(clientId: number) => PersonNameLookup> {
  const named = columns.filter(({ field }) => isPersonField(field))
  const usernames = new Set(
    named.flatMap(({ name }) => records.map((record) => record[name])).filter((one) => typeof one === 'string' && one),
  )
  if (!usernames.size) return () => () => undefined
  const wide = seesAllNames(actor)
  const tenants = wide ? [...new Set(clients)] : [actor.clientId]
  const rows = (await conn.arrays(NAMES, [[...usernames], tenants, PROVIDER, wide])) as [number, string, string][]
  const names = new Map(rows.map(([clientId, username, name]) => [`${clientId} ${username}`, name]))
  return (clientId) => (username) => names.get(`${clientId} ${username}`) ?? names.get(`${PROVIDER} ${username}`)
}

/** SELECT statements for the same names: of clients, and of the provider. */
export function personNamesSql(actor: Actor, v: Values): { accounts: string; provided: string } {
  const provided = `SELECT u.username, u.name FROM user_account u WHERE u.client_id = ${PROVIDER}`
  if (seesAllNames(actor)) return { accounts: 'SELECT u.client_id, u.username, u.name FROM user_account u', provided }
  const me = `${v.next(actor.clientId)}::int`
  return {
    accounts: `SELECT u.client_id, u.username, u.name FROM user_account u WHERE u.client_id = ${me}`,
    provided: `${provided} AND EXISTS (SELECT FROM visit v WHERE v.client_id = ${me} AND v.visitor_username = u.username)`,
  }
}
