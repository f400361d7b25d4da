import { problem } from '#kernel/errors.ts'
import type { ValuesOf } from '#kernel/resource.ts'
import { author, PROVIDER } from '#kernel/roles.ts'
import { endAccessOfClient } from '#server/auth/end-sessions.ts'
import { requireProofNow } from '#server/engine/actor-now.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import type { Context } from '#server/engine/context.ts'
import { leaveTenant, overClients } from '#server/engine/tenant.ts'
import { client, crmClient } from './client.ts'
import { clientDetailsEdited } from './details-edited.ts'

/**
 * Throws for the one client that can't be retired: nobody could sign in any more. With another all its people lose their ways in, or
 * may have new ones: that takes a proof.
 */
async function checkRetiring(c: Context, id: number, retired: boolean | null | undefined): Promise<void> {
  if (retired === undefined) return
  await requireProofNow(c)
  if (id === PROVIDER && retired) throw problem.conflict('The provider runs the portal, and can’t be retired.')
}

/** What a client has of the provider: not even somebody of theirs who holds the provider's roles says it. */
const PROVIDERS = ['packs', 'packsLapsed', 'lettersPerDay', 'retired'] as const

function requireProvider({ actor, changes }: Pick<Context, 'actor'> & { changes: ValuesOf<typeof client> }): void {
  if (actor.clientId !== PROVIDER && PROVIDERS.some((name) => name in changes))
    throw problem.forbidden('What a client has is for the provider to say.')
}

/** The people of a client that is retired, or comes back, have no way in from before. */
async function endAccess(c: Context, retired: boolean | null | undefined): Promise<void> {
  if (retired !== undefined) await overClients(c, (tx) => endAccessOfClient(tx, c.clientId))
}

/** A new client is in no tenant yet: only the provider makes one, and the transaction leaves its own tenant to do so. */
export const clientBehaviour = behaviour(client, {
  prepare: async (c) => {
    const { before, actor, changes } = c
    requireProvider(c)
    if (before) {
      await checkRetiring(c, before.id, changes.retired)
      return
    }
    if (actor.clientId !== PROVIDER) throw problem.forbidden()
    await leaveTenant(c)
  },
  saved: async (c) => {
    if (c.before) await endAccess(c, c.changes.retired)
    const packs = (['packs', 'packsLapsed'] as const).filter((name) => c.changes[name])
    if (c.before && packs.length)
      c.security('rights', packs.map((name) => `${name} now ${c.changes[name]?.join(' ') || 'none'}`).join('; '))
  },
})

/** The same by the address that the CRM has for clients. */
export const crmClientBehaviour = behaviour(crmClient, {
  prepare: async (c) => {
    requireProvider(c)
    if (c.before) await checkRetiring(c, c.before.id, c.changes.retired)
    return undefined
  },
  saved: async (c) => {
    await endAccess(c, c.changes.retired)
    const { userId, clientId, username, name } = author(c.actor)
    if (c.before) await c.after(clientDetailsEdited, { client: c.before.id, by: { userId, clientId, username, name } })
  },
})
