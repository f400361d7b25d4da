import { problem } from '#kernel/errors.ts'
import { email, type Iri, rows, text, typedJson } from '#kernel/fields.ts'
import { parseId } from '#kernel/iri.ts'
import { iriOf, resource } from '#kernel/resource.ts'
import { sendFirstLoginLink } from '#modules/identity/passwords/first-login.server.ts'
import { CLIENT_SETUP_ROLES, findAdministrator, setUpAdministrator } from '#modules/identity/people/user.server.ts'
import { user } from '#modules/identity/people/user.ts'
import {
  addClientDetailsNote,
  assertMayChangeProviderFields,
  assertMayRetireClient,
  endClientAccess,
} from '#modules/portal/clients/client.server.ts'
import { client } from '#modules/portal/clients/client.ts'
import { appStatus } from '#modules/portal/packs/app-status.ts'
import { addProducts, listProductsForClient } from '#modules/portal/packs/routes.server.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import { subListRoute } from '#server/http/list-route.ts'
import { note } from '../contacts/contact.ts'
import { mailMessage } from '../mail/message.ts'

/** Returns the client's ID from the URL. Throws 404 if the user may not read the client. */
const clientAt = async (c: RouteContext): Promise<number> => {
  const id = parseId(c.params.id)
  if (!id) throw problem.notFound()
  return (await c.engine.one(client, c.me, id)).id
}

/**
 * Returns how far a client's set-up has progressed. The progress is derived from existing records, so that the set-up
 * can be resumed at any time.
 */
async function progress(c: RouteContext, clientId: number) {
  const products = await listProductsForClient(c.engine, clientId)
  const { admin, invited } = await c.engine.readIn(clientId, 'read a client’s set-up progress', async (r) => {
    const found = await findAdministrator(r)
    const sent = found?.email ? await r.find(mailMessage, { recipient: found.email, template: 'invite' }) : []
    return { admin: found, invited: sent.some((one) => one.state !== 'failed') }
  })
  return {
    client: iriOf(client, clientId),
    packs: products.filter((one) => one.usable).map((one) => one.code),
    administrator: admin
      ? { '@id': iriOf(user, admin.id), id: admin.id, name: admin.name, username: admin.username, email: admin.email }
      : null,
    invited,
    signedIn: admin?.lastLoginAt ?? null,
  }
}

const INPUT = { name: text({ default: '' }), username: text({ default: '', max: 100 }), email: email({ default: '' }) }

const setUpAdmin = async (c: RouteContext, said: Parameters<typeof setUpAdministrator>[1]) => {
  const id = await clientAt(c)
  await c.engine.inTenant(id, { ...c.change(), resource: user }, async (unit) => {
    await setUpAdministrator(unit, said)
    return () => ({})
  })
  return progress(c, id)
}

const setUpPacks = async (c: RouteContext) => {
  const id = await clientAt(c)
  await c.engine.inTenant(id, c.change(), async (unit) => {
    await addProducts(unit, id, { begins: true })
    return () => ({})
  })
  return progress(c, id)
}

const ADMINS = { path: '/api/crm/setup_admin_user/{id}', allow: CLIENT_SETUP_ROLES, provider: true } as const
const PACKS = { path: '/api/crm/setup_pack_user/{id}', allow: 'ROLE_CLIENTS_ADMIN', provider: true } as const

/**
 * Routes for client set-up. Every request is idempotent, including the GET requests with which the specification
 * creates records (ADR 124).
 */
const clientSetupRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/crm/pack_setup/{id}',
    title: 'Get a client’s set-up progress',
    allow: 'ROLE_STAFF',
    provider: true,
    handle: async (c) => progress(c, await clientAt(c)),
  },
  {
    ...ADMINS,
    method: 'GET',
    writesOnGet: true,
    title: 'Create the client’s administrator from the client’s contact details, if there is no administrator yet',
    handle: (c) => setUpAdmin(c, {}),
  },
  routeWithInput(INPUT, {
    ...ADMINS,
    method: 'POST',
    title:
      'Create the client’s administrator if there is none, or correct the administrator’s details before their first sign-in',
    handle: (c) => setUpAdmin(c, c.input),
  }),
  {
    method: 'POST',
    path: '/api/crm/setup_login/{id}',
    title: 'Send the client’s administrator a link to choose a password, before their first sign-in',
    allow: CLIENT_SETUP_ROLES,
    provider: true,
    refuses: [409, 422, 429],
    handle: async (c) => {
      const id = await clientAt(c)
      const admin = await c.engine.readIn(id, 'read a client’s administrator for set-up', findAdministrator)
      if (!admin) throw problem.conflict('This client has no administrator yet.')
      return sendFirstLoginLink(c, id, admin.id)
    },
  },
  {
    ...PACKS,
    method: 'GET',
    writesOnGet: true,
    title: 'Add the products that new clients start with',
    handle: setUpPacks,
  },
  { ...PACKS, method: 'POST', title: 'Add the products that new clients start with', handle: setUpPacks },
  {
    method: 'POST',
    path: '/api/portal/actions',
    title: 'Add a note to a contact (same as /api/crm/actions)',
    allow: 'ROLE_STAFF',
    whileImpersonating: true,
    handle: (c) => c.engine.create(note, c.body, c.change()),
  },
]

interface LeadOfClient {
  readonly '@id': Iri
  readonly name: string | null
  readonly email: string | null
  readonly owner: { readonly '@id': Iri; readonly username: string; readonly name: string } | null
  readonly customer: Iri | null
}

/** SQL for the lead that became the client, or the first one if there are several. The lead belongs to the provider. */
const LEAD = `(SELECT jsonb_build_object('@id', '/api/crm/contacts/' || k.id, '@type', 'Contact', 'id', k.id, 'name', k.name, 'email', k.email,
  'owner', (SELECT jsonb_build_object('@id', '/api/crm/staff/' || o.id, 'username', o.username, 'name', o.name)
    FROM staff o WHERE o.client_id = k.client_id AND o.id = k.owner_id),
  'customer', '/api/financial/customers/' || k.customer_id)
  FROM contact k WHERE k.client_id = 0 AND k.account_id = t.id AND NOT k.retired ORDER BY k.id LIMIT 1)`

/** Clients, with the CRM's field names. Blank fields are sent as empty strings (specification, section 7). */
const crmClient = resource({
  ...client,
  type: 'CrmClient',
  service: 'crm',
  fields: {
    ...client.fields,
    contact: typedJson<LeadOfClient>()({ readonly: true, omitFromLists: true, sql: LEAD }),
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

/** Behaviour of a client record in the CRM: each change adds a note to the client's lead. */
const crmClientBehaviour = behaviour(crmClient, {
  beforeSave: async (c) => {
    assertMayChangeProviderFields(c)
    if (c.before) await assertMayRetireClient(c, c.before.id, c.changes.retired)
    return undefined
  },
  afterSave: async (c) => {
    await endClientAccess(c, c.changes.retired)
    if (c.before) await addClientDetailsNote(c, c.before.id)
  },
})

export const crmClients = feature({
  resources: [crmClient],
  behaviours: [crmClientBehaviour],
  routes: [...clientRoutes, ...clientSetupRoutes],
})
