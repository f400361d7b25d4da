import { type Actor, PROVIDER } from '#kernel/roles.ts'
import { findBrand } from '#modules/portal/clients/brand.server.ts'
import type { ImpersonationInfo } from '#server/auth/visits.ts'
import type { Engine } from '#server/engine/types.ts'
import { user } from '../people/user.ts'

/** The signed-in user as returned by the API. */
export async function describeUser(
  engine: Engine,
  actor: Actor,
  visit: ImpersonationInfo | undefined,
): Promise<Record<string, unknown>> {
  const [{ email, client }, brand] = await Promise.all([
    engine.one(user, actor, actor.userId),
    findBrand(engine, actor.clientId),
  ])
  return {
    '@context': '/api/contexts/User',
    '@id': `/api/portal/users/${actor.userId}`,
    '@type': 'User',
    id: actor.userId,
    username: actor.username,
    name: actor.name,
    email: email,
    client: {
      '@id': `/api/portal/clients/${actor.clientId}`,
      '@type': 'Client',
      id: actor.clientId,
      company: client?.company ?? '',
    },
    /** Brand of the portal for this user. */
    brand,
    roles: actor.roles,
    scopes: actor.scopes,
    team: actor.team ?? [],
    packs: actor.packs ?? {},
    choices: actor.choices ?? [],
    isStaff: actor.clientId === PROVIDER,
    isImpersonating: !!actor.original,
    original: actor.original
      ? {
          id: actor.original.userId,
          clientId: actor.original.clientId,
          username: actor.original.username,
          name: actor.original.name,
        }
      : null,
    impersonation: visit ?? null,
    /** Maximum file size in bytes. */
    fileLimit: engine.config.fileLimit,
    /** Hours of inactivity after which a session ends. */
    sessionHours: engine.config.sessionHours,
  }
}
