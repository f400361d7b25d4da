import { type Actor, PROVIDER } from '#kernel/roles.ts'
import { brandOf } from '#modules/portal/clients/brand.server.ts'
import type { VisitFacts } from '#server/auth/visits.ts'
import type { Engine } from '#server/engine/types.ts'
import { user } from '../people/user.ts'

/** The signed-in person as clients of the API know them. */
export async function whoIs(
  engine: Engine,
  actor: Actor,
  visit: VisitFacts | undefined,
): Promise<Record<string, unknown>> {
  const [{ email, client }, brand] = await Promise.all([
    engine.one(user, actor, actor.userId),
    brandOf(engine, actor.clientId),
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
    /** Whose portal it is to them. */
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
    /** Bytes of the largest file that is taken. */
    fileLimit: engine.config.fileLimit,
    /** Hours after which a session ends of which nobody shows a sign of life. */
    sessionHours: engine.config.sessionHours,
  }
}
