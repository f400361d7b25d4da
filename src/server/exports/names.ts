import { type Actor, holds, PROVIDER } from '#kernel/roles.ts'
import type { Sent } from '#server/data/sending.ts'
import { prepare } from '#server/data/values.ts'
import type { Conn } from '#server/db/db.ts'
import { type ExportColumn, isPerson, type NameOf } from './columns.ts'

/** Clients are told of the provider's people those who have worked in their portal, whose names the visits tell them anyway. */
const NAMES = prepare(
  `SELECT u.client_id, u.username, u.name FROM user_account u WHERE u.username = ANY($1::text[]) AND (u.client_id = ANY($2::int[])
     OR u.client_id = $3::int AND ($4 OR EXISTS (SELECT FROM visit v WHERE v.client_id = ANY($2::int[]) AND v.visitor_username = u.username)))`,
)

/** Reads what the people are called whose usernames these records carry: of each client, and of the provider. */
export async function readNames(
  conn: Conn,
  actor: Actor,
  columns: readonly ExportColumn[],
  records: readonly Sent[],
  clients: readonly number[],
): Promise<(clientId: number) => NameOf> {
  const named = columns.filter(({ field }) => isPerson(field))
  const usernames = new Set(
    named.flatMap(({ name }) => records.map((record) => record[name])).filter((one) => typeof one === 'string' && one),
  )
  if (!usernames.size) return () => () => undefined
  const wide = actor.clientId === PROVIDER && holds(actor, 'ROLE_STAFF')
  // Of others' records one sees no more of their people than their screens say.
  const tenants = [...new Set(wide ? clients : clients.filter((id) => id === actor.clientId))]
  const rows = (await conn.arrays(NAMES, [[...usernames], tenants, PROVIDER, wide])) as [number, string, string][]
  const names = new Map(rows.map(([clientId, username, name]) => [`${clientId} ${username}`, name]))
  return (clientId) => (username) => names.get(`${clientId} ${username}`) ?? names.get(`${PROVIDER} ${username}`)
}
