import type { Resource } from '#kernel/resource.ts'
import { type Actor, PROVIDER } from '#kernel/roles.ts'
import type { Engine } from './engine.ts'

/** Tells the behaviour of a resource that somebody of the provider is about to see a client’s record whole. */
export async function recordRead(
  engine: Engine,
  r: Resource,
  actor: Actor | undefined,
  { clientId, id }: { readonly clientId: number; readonly id: number },
): Promise<void> {
  const opened = engine.behaviourOf(r)?.onRead
  if (!opened || !actor || actor.kind || actor.clientId !== PROVIDER || clientId === PROVIDER) return
  await engine.inTenant(clientId, { actor, requestId: 'opened' }, async (c) => {
    await opened(c, id)
    return () => undefined
  })
}
