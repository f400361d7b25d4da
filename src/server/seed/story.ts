import { PROVIDER, systemActor } from '#kernel/roles.ts'
import type { Instant } from '#kernel/time.ts'
import { actorByUsername } from '#server/auth/look-again.ts'
import type { Context, Engine } from '#server/engine/types.ts'

/** Whose world it is, who does something in it, and when. */
export interface SeedScene {
  readonly clientId: number
  /** Somebody of that client; the portal itself, unless said. */
  readonly username?: string
  /** Now, unless said. */
  readonly at?: Instant
}

/** Lets somebody of the demo world do something, at the time when they did it and with the rights that they have. */
export async function seedAs<T>(
  engine: Engine,
  { clientId, username, at = engine.clock.now() }: SeedScene,
  does: (c: Context) => Promise<T>,
): Promise<T> {
  const actor =
    username === undefined
      ? systemActor(PROVIDER, 'the demo world')
      : await actorByUsername(engine.db, clientId, username)
  return engine.inTenant(clientId, { actor, requestId: 'demo', at }, async (c) => {
    const value = await does(c)
    return () => value
  })
}
