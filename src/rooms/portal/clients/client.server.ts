import { problem } from '#kernel/errors.ts'
import { PROVIDER } from '#kernel/roles.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { client } from './client.ts'

/** A new client is in no tenant yet: only the provider makes one, and the transaction leaves its own tenant to do so. */
export const clientBehaviour = behaviour(client, {
  prepare: async ({ before, actor, work }) => {
    if (before) return
    if (actor.clientId !== PROVIDER) throw problem.forbidden()
    await work.tx.rows('SET LOCAL ROLE stanchion_system')
  },
  saved: (c) => {
    const packs = (['packs', 'packsLapsed'] as const).filter((name) => c.changes[name])
    if (c.before && packs.length)
      c.security('rights', packs.map((name) => `${name} now ${c.changes[name]?.join(' ') || 'none'}`).join('; '))
  },
})
