import { type AppStatus, statesOf } from '#kernel/packs.ts'
import { type Actor, readScopes } from '#kernel/roles.ts'
import type { Db, Tx } from '#server/db/db.ts'

interface Person {
  client_id: number
  id: number
  username: string
  name: string
  roles: string[]
  scopes: unknown
  team: number[]
  own_leads: boolean
  packs: (AppStatus & { code: string })[]
}

/** A person with those who report to them, and with what their client has. */
const PERSON = `SELECT u.client_id, u.id, u.username, u.name, u.roles, u.scopes, c.own_leads,
  coalesce((SELECT json_agg(json_build_object('code', p.code, 'status', s.status, 'retired', s.retired OR p.retired, 'hasLapsed', s.has_lapsed))
    FROM app_status s JOIN pack_product p ON p.id = s.product_id WHERE s.client_id = u.client_id), '[]') AS packs,
  coalesce((SELECT json_agg(r.id ORDER BY r.id) FROM user_account r WHERE r.client_id = u.client_id AND r.manager_id = u.id AND NOT r.is_retired), '[]') AS team
  FROM user_account u JOIN client c ON c.id = u.client_id`

const actorOf = (p: Person): Actor => ({
  userId: p.id,
  clientId: p.client_id,
  username: p.username,
  name: p.name,
  roles: p.roles,
  scopes: readScopes(p.scopes),
  team: p.team,
  packs: statesOf(p.packs),
  choices: p.own_leads ? ['ownLeads'] : [],
})

/** A person with the rights that they have now; `undefined` for one who has left, or whose client has. */
export async function readPerson(tx: Tx, clientId: number, id: number): Promise<Actor | undefined> {
  const [p] = await tx.rows<Person>(
    `${PERSON} WHERE u.client_id = $1 AND u.id = $2 AND NOT u.is_retired AND NOT c.retired`,
    [clientId, id],
  )
  return p && actorOf(p)
}

/** Somebody by name, as they are once signed in: for what the demo world tells of them. Throws for nobody. */
export async function actorNamed(db: Db, clientId: number, username: string): Promise<Actor> {
  const [person] = await db.tx('system', (tx) =>
    tx.rows<Person>(`${PERSON} WHERE u.client_id = $1 AND u.username = $2`, [clientId, username]),
  )
  if (!person) throw new Error(`Client ${clientId} has nobody called "${username}"`)
  return actorOf(person)
}

/** Somebody working as a person: the rights are that person's, `original` is who it really is; until `writes`, only to look. */
export const workingAs = (person: Actor, real: NonNullable<Actor['original']>, writes: boolean): Actor => ({
  ...person,
  original: { userId: real.userId, clientId: real.clientId, username: real.username, name: real.name },
  ...(writes ? {} : { looksOnly: true }),
})
