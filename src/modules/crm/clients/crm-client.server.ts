import { checkRetiring, endAccess, guardProviders, tellOfDetails } from '#modules/portal/offers.server.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { crmClient } from './crm-client.ts'

/** The rules of a client's record, and a note with its lead. */
export const crmClientBehaviour = behaviour(crmClient, {
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
