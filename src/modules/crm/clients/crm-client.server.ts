import { type Iri, jsonOf, rows } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import {
  assertMayRetireClient,
  assertProviderFields,
  endClientAccess,
  reportClientDetails,
} from '#modules/portal/clients/client.server.ts'
import { client } from '#modules/portal/clients/client.ts'
import { appStatus } from '#modules/portal/packs/app-status.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import type { Route } from '#server/engine/route.ts'
import { subListRoute } from '#server/http/list-route.ts'
import { clientSetupRoutes } from './setup.server.ts'

interface LeadOfClient {
  readonly '@id': Iri
  readonly name: string | null
  readonly email: string | null
  readonly owner: { readonly '@id': Iri; readonly username: string; readonly name: string } | null
  readonly customer: Iri | null
}

/** The lead of a client (the first if there are several); it belongs to the provider. */
const LEAD = `(SELECT jsonb_build_object('@id', '/api/crm/contacts/' || k.id, '@type', 'Contact', 'id', k.id, 'name', k.name, 'email', k.email,
  'owner', (SELECT jsonb_build_object('@id', '/api/crm/staff/' || o.id, 'username', o.username, 'name', o.name)
    FROM staff o WHERE o.client_id = k.client_id AND o.id = k.owner_id),
  'customer', '/api/financial/customers/' || k.customer_id)
  FROM contact k WHERE k.client_id = 0 AND k.account_id = t.id AND NOT k.retired ORDER BY k.id LIMIT 1)`

/** Clients with the CRM's field names: blank fields are sent as empty strings (specification, section 7). */
const crmClient = resource({
  ...client,
  type: 'CrmClient',
  service: 'crm',
  fields: {
    ...client.fields,
    contact: jsonOf<LeadOfClient>()({ readonly: true, omitFromLists: true, sql: LEAD }),
    applications: rows(() => appStatus, { by: 'client', readonly: true }),
  },
  allow: { read: 'ROLE_STAFF', update: 'ROLE_STAFF', allTenants: 'ROLE_STAFF' },
})

const clientRoutes: readonly Route[] = [
  subListRoute({
    path: `${crmClient.url}/{id}/applications`,
    title: 'List a client’s products',
    of: crmClient,
    r: appStatus,
    where: (id) => `t.client_id = ${id}`,
    allow: 'ROLE_STAFF',
  }),
]

/** Behaviour of a client's record, with a note on its lead. */
const crmClientBehaviour = behaviour(crmClient, {
  beforeSave: async (c) => {
    assertProviderFields(c)
    if (c.before) await assertMayRetireClient(c, c.before.id, c.changes.retired)
    return undefined
  },
  afterSave: async (c) => {
    await endClientAccess(c, c.changes.retired)
    if (c.before) await reportClientDetails(c, c.before.id)
  },
})

export const crmClients = feature({
  resources: [crmClient],
  behaviours: [crmClientBehaviour],
  routes: [...clientRoutes, ...clientSetupRoutes],
})
