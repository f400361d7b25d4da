import { problem } from '#kernel/errors.ts'
import { type ProductStatus, packStatesFromStatuses } from '#kernel/packs.ts'
import type { Actor } from '#kernel/roles.ts'
import { parsePermissionScopes } from '#kernel/roles.ts'
import type { Config } from '#server/config.ts'
import type { Db, Tx } from '#server/db/db.ts'
import { evaluateProof, SESSION_PROOF_COLUMNS, type SessionProof } from './proof.ts'

interface Person {
  client_id: number
  id: number
  username: string
  name: string
  roles: string[]
  scopes: unknown
  team: number[]
  own_leads: boolean
  packs: (ProductStatus & { code: string })[]
}

/** Query for a person with their direct reports and their client's entitlements. */
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
  scopes: parsePermissionScopes(p.scopes),
  team: p.team,
  packs: packStatesFromStatuses(p.packs),
  choices: p.own_leads ? ['ownLeads'] : [],
})

/** Returns a person with their current permissions; `undefined` if they or their client are retired. */
export async function readActor(tx: Tx, clientId: number, id: number): Promise<Actor | undefined> {
  const [p] = await tx.rows<Person>(
    `${PERSON} WHERE u.client_id = $1 AND u.id = $2 AND NOT u.is_retired AND NOT c.retired`,
    [clientId, id],
  )
  return p && actorOf(p)
}

/** Returns a person by username as if signed in, for seeding the demo data. Throws if there is no such person. */
export async function readActorByUsername(db: Db, clientId: number, username: string): Promise<Actor> {
  const [person] = await db.tx('system', (tx) =>
    tx.rows<Person>(`${PERSON} WHERE u.client_id = $1 AND u.username = $2`, [clientId, username]),
  )
  if (!person) throw new Error(`Client ${clientId} has no user "${username}"`)
  return actorOf(person)
}

/**
 * Returns the actor of an impersonation: the permissions of `person`, with the real user as `original`. Read-only
 * unless `writes` is set.
 */
export const createImpersonatingActor = (
  person: Actor,
  real: NonNullable<Actor['original']>,
  writes: boolean,
): Actor => ({
  ...person,
  original: {
    userId: real.userId,
    clientId: real.clientId,
    username: real.username,
    name: real.name,
    visit: real.visit ?? null,
  },
  ...(writes ? {} : { looksOnly: true }),
})

/**
 * Reads the actor again from the database and locks the session until the transaction ends. Tokens are cached for a few
 * seconds in several processes; anything that outlasts the session must not rely on that cache. Returns an actor
 * without a session unchanged. Expects a transaction with access to all clients. Throws 401 if the session or the
 * impersonation has ended.
 */
export async function reloadActor(tx: Tx, config: Pick<Config, 'secondFactor'>, actor: Actor): Promise<Actor> {
  if (!actor.session) return actor
  const real = actor.original ?? actor
  const [held] = await tx.rows<SessionProof>(
    `SELECT ${SESSION_PROOF_COLUMNS} FROM session s WHERE s.client_id = $1 AND s.id = $2 AND s.user_id = $3 AND s.expires_at > now()
       AND ($4::bigint IS NULL OR s.as_visit_id = $4) FOR SHARE OF s`,
    [real.clientId, actor.session.id, real.userId, actor.original?.visit ?? null],
  )
  const now = held && (await readActor(tx, actor.clientId, actor.userId))
  if (!now) throw problem.sessionEnded()
  return { ...actor, roles: now.roles, scopes: now.scopes, proof: evaluateProof(config, real.clientId, held) }
}
