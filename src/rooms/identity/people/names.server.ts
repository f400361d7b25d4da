import { PROVIDER } from '#kernel/roles.ts'
import type { Engine } from '#server/engine/engine.ts'
import { user } from './user.ts'

/** What people are called whose usernames records carry: those of the client, and of the provider who came in. */
export async function readNames(
  engine: Engine,
  clientId: number,
  usernames: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  // Where both have somebody of that name, the client's own counts.
  for (const tenant of new Set([PROVIDER, clientId])) {
    const people = await engine.readIn(tenant, 'names on paper', (c) => c.find(user, { username: usernames }))
    for (const { username, name } of people) names.set(username, name)
  }
  return names
}
