import type { Instant } from '#kernel/time.ts'
import { actorNamed } from '#server/auth/person.ts'
import type { Context } from './context.ts'
import type { Engine } from './engine.ts'

/** Somebody of the demo world, and when they did something. */
export interface Scene {
  readonly clientId: number
  readonly username: string
  readonly at: Instant
}

/** Lets somebody of the demo world do something, at the time when they did it and with the rights that they have. */
export async function tell<T>(
  engine: Engine,
  { clientId, username, at }: Scene,
  does: (c: Context) => Promise<T>,
): Promise<T> {
  const actor = await actorNamed(engine.db, clientId, username)
  return engine.inTenant(clientId, { actor, requestId: 'demo', at }, async (c) => {
    const value = await does(c)
    return () => value
  })
}
