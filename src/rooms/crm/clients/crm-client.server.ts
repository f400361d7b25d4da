import { author } from '#kernel/roles.ts'
import { clientDetailsEdited } from '#rooms/portal/clients/details-edited.ts'
import { checkRetiring, endAccess, guardProviders } from '#rooms/portal/offers.server.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { crmClient } from './crm-client.ts'

/** The rules of a client's record, and a note with its lead. */
export const crmClientBehaviour = behaviour(crmClient, {
  prepare: async (c) => {
    guardProviders(c)
    if (c.before) await checkRetiring(c, c.before.id, c.changes.retired)
    return undefined
  },
  saved: async (c) => {
    await endAccess(c, c.changes.retired)
    const { userId, clientId, username, name } = author(c.actor)
    if (c.before) await c.after(clientDetailsEdited, { client: c.before.id, by: { userId, clientId, username, name } })
  },
})
