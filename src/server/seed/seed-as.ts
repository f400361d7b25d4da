import { createSystemActor, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import type { Instant } from '#kernel/time.ts'
import { readActorByUsername } from '#server/auth/read-actor.ts'
import type { Context, Engine } from '#server/engine/types.ts'

/** Client, actor and time of an action in the demo data. */
export interface SeedContext {
  readonly clientId: number
  /** A user of the client; the portal by default. */
  readonly username?: string
  /** Time of the action; now by default. */
  readonly at?: Instant
}

/** Performs an action as a user of the demo data, at a time in the past and with the user's rights. */
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
