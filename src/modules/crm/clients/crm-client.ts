import { type Iri, jsonOf, rows } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { client } from '#modules/portal/clients/client.ts'
import { appStatus } from '#modules/portal/packs/app-status.ts'

interface LeadOfClient {
  readonly '@id': Iri
  readonly name: string | null
  readonly email: string | null
  readonly owner: { readonly '@id': Iri; readonly username: string; readonly name: string } | null
  readonly customer: Iri | null
}

/** The lead that a client belongs to, the first where there are several; it is the provider's. */
const LEAD = `(SELECT jsonb_build_object('@id', '/api/crm/contacts/' || k.id, '@type', 'Contact', 'id', k.id, 'name', k.name, 'email', k.email,
  'owner', (SELECT jsonb_build_object('@id', '/api/crm/staff/' || o.id, 'username', o.username, 'name', o.name)
    FROM staff o WHERE o.client_id = k.client_id AND o.id = k.owner_id),
  'customer', '/api/financial/customers/' || k.customer_id)
  FROM contact k WHERE k.client_id = 0 AND k.account_id = t.id AND NOT k.retired ORDER BY k.id LIMIT 1)`

/** The clients as the CRM names them: blank fields are sent as empty strings (specification, section 7). */
export const crmClient = resource({
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
