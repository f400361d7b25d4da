import { createSystemActor, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import type { Instant } from '#kernel/time.ts'
import { readActorByUsername } from '#server/auth/read-actor.ts'
import type { Context, Engine } from '#server/engine/types.ts'

/** Client, user and time for an action in the demo data. */
export interface SeedContext {
  readonly clientId: number
  /** Username of a user of the client. If not set, the portal itself acts. */
  readonly username?: string
  /** Time of the action; the current time by default. */
  readonly at?: Instant
}

/** Performs an action for the demo data as one of its users, with the user's permissions and at a time in the past. */
export async function seedAsUser<T>(
  engine: Engine,
  { clientId, username, at = engine.clock.now() }: SeedContext,
  does: (c: Context) => Promise<T>,
): Promise<T> {
  const actor =
    username === undefined
      ? createSystemActor(PROVIDER_CLIENT_ID, 'demo data')
      : await readActorByUsername(engine.db, clientId, username)
  return engine.inTenant(clientId, { actor, requestId: 'demo', at }, async (c) => {
    const value = await does(c)
    return () => value
  })
}
