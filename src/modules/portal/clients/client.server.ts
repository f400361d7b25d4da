import { problem } from '#kernel/errors.ts'
import { email, link, phone, text } from '#kernel/fields.ts'
import type { RowOf } from '#kernel/resource.ts'
import { resource } from '#kernel/resource.ts'
import { authorOf, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { revokeClientAccess } from '#server/auth/credentials.ts'
import { requireCurrentProof } from '#server/engine/actor-now.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import type { ReferenceData } from '#server/engine/initial-data.ts'
import { feature } from '#server/engine/module.ts'
import { leaveTenant, readAcrossClients } from '#server/engine/tenant.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { insertMissingRows } from '#server/seed/fill.ts'
import { vatNumberFields } from '#server/vat-number.ts'
import { client, safetyClient } from './client.ts'
import { clientDetailsEdited } from './details-edited-event.ts'
import { clientHealth } from './health.ts'

/**
 * Finds the brand name that a client's users see: the reseller's for resellers and their clients, otherwise the
 * provider's.
 */
export async function findBrandName(engine: Engine, clientId: number): Promise<string> {
  return findClientBrandName(engine, await companyOf(engine, clientId))
}

/** Finds the brand name for a client whose record has already been read. */
export async function findClientBrandName(engine: Engine, own: RowOf<typeof client> | undefined): Promise<string> {
  const reseller = own?.isReseller ? own : own?.reseller ? await companyOf(engine, own.reseller) : undefined
  return reseller?.company || engine.config.provider
}

const companyOf = (engine: Engine, id: number) => engine.readIn(id, 'read a brand', (c) => c.get(client, id))

/** Contact of a company. Read-only, because the contact is changed together with the company's details. */
const portalContact = resource({
  type: 'PortalContact',
  service: 'portal',
  path: 'contacts',
  table: 'client',
  tenant: 'self',
  title: 'name',
  order: ['company'],
  fields: {
    client: link(() => client, { column: 'client_id', readonly: true }),
    company: text({ readonly: true, filter: 'partial', order: true, notNull: true }),
    name: text({ readonly: true, column: 'contactname', filter: 'partial', order: true, notNull: true }),
    salutation: text({ readonly: true, notNull: true }),
    phone: phone({ readonly: true, column: 'contacttel', notNull: true }),
    email: email({ readonly: true, column: 'contactemail', notNull: true, label: 'E-mail' }),
  },
  allow: {
    read: ['ROLE_STAFF', 'ROLE_RESELLER', 'ROLE_CLIENT_ADMIN'],
    allTenants: 'ROLE_STAFF',
    resellerScope: 'ROLE_RESELLER',
  },
})

/** Reference data: the provider (client 0), to which all other data refers. */
const providerReference: ReferenceData = {
  name: 'provider',
  edition: 1,
  load: async (c) => void (await insertMissingRows(c, client, 'id', [{ id: PROVIDER_CLIENT_ID, company: 'Provider' }])),
}

/**
 * Throws 409 if the change would retire the provider, because nobody could sign in any more. Retiring or restoring a
 * client requires recent proof of identity, because its users lose or regain access.
 */
export async function assertMayRetireClient(
  c: Context,
  id: number,
  retired: boolean | null | undefined,
): Promise<void> {
  if (retired === undefined) return
  await requireCurrentProof(c)
  if (id === PROVIDER_CLIENT_ID && retired)
    throw problem.conflict('The provider runs the portal, so the provider can’t be retired.')
}

/** Fields that only the provider may set. No role allows a client's own users to set them. */
const PROVIDERS = ['lettersPerDay', 'retired'] as const

export function assertMayChangeProviderFields({
  actor,
  changes,
}: Pick<Context, 'actor'> & { readonly changes: object }): void {
  if (actor.clientId !== PROVIDER_CLIENT_ID && PROVIDERS.some((name) => name in changes))
    throw problem.forbidden('Only the provider can change a client’s e-mail limit, or retire or restore a client.')
}

/** If the client is retired or restored, ends all sessions of its users and invalidates their links. */
export async function endClientAccess(c: Context, retired: boolean | null | undefined): Promise<void> {
  if (retired !== undefined) await readAcrossClients(c, (tx) => revokeClientAccess(tx, c.clientId))
}

/** Fields whose changes add a note to the client's lead (specification, section 4). */
const DETAILS = [
  'company',
  'address1',
  'address2',
  'city',
  'postcode',
  'county',
  'country',
  'regcompno',
  'contactname',
  'contacttel',
  'contactemail',
] as const

/** Adds a note about the changed details to the client's lead. */
export async function addClientDetailsNote(c: Context, id: number): Promise<void> {
  const { userId, clientId, username, name } = authorOf(c.actor)
  await c.emit(clientDetailsEdited, { client: id, by: { userId, clientId, username, name } })
}

/**
 * Rules for saving clients. Only the provider may create a client. The transaction then leaves the provider's tenant,
 * because the new client is a tenant of its own.
 */
const clientBehaviour = behaviour(client, {
  beforeSave: async (c) => {
    const { before, actor, changes } = c
    assertMayChangeProviderFields(c)
    if (before) await assertMayRetireClient(c, before.id, changes.retired)
    else if (actor.clientId !== PROVIDER_CLIENT_ID) throw problem.forbidden()
    const vat = changes.vatNumber === undefined ? {} : await vatNumberFields(changes.vatNumber ?? '', 'GB', c.now)
    if (!before) await leaveTenant(c)
    return vat
  },
  afterSave: async (c) => {
    if (!c.before) return
    await endClientAccess(c, c.changes.retired)
    if (authorOf(c.actor).clientId === PROVIDER_CLIENT_ID && DETAILS.some((name) => name in c.changes))
      await addClientDetailsNote(c, c.before.id)
  },
})

/** Applies the rules of `clientBehaviour` when clients are retired or restored in the list of all clients. */
const clientHealthBehaviour = behaviour(clientHealth, {
  beforeSave: async (c) => {
    assertMayChangeProviderFields(c)
    if (c.before) await assertMayRetireClient(c, c.before.id, c.changes.retired)
    return undefined
  },
  afterSave: (c) => endClientAccess(c, c.changes.retired),
})

export const clients = feature({
  resources: [client, safetyClient, clientHealth, portalContact],
  behaviours: [clientBehaviour, clientHealthBehaviour],
  referenceData: [providerReference],
  seeds: () => import('./demo.server.ts'),
})
