import { checkRetiring, endAccess, guardProviders, tellOfDetails } from '#modules/portal/clients/client.server.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import { crmClient } from './crm-client.ts'
import { clientRoutes } from './routes.server.ts'
import { setupRoutes } from './setup.server.ts'

/** The rules of a client's record, and a note with its lead. */
const crmClientBehaviour = behaviour(crmClient, {
  beforeSave: async (c) => {
    guardProviders(c)
    if (c.before) await checkRetiring(c, c.before.id, c.changes.retired)
    return undefined
  },
  afterSave: async (c) => {
    await endAccess(c, c.changes.retired)
    if (c.before) await tellOfDetails(c, c.before.id)
  },
})

export const crmClients = feature({
  resources: [crmClient],
  behaviours: [crmClientBehaviour],
  routes: [...clientRoutes, ...setupRoutes],
})
