import { problem } from '#kernel/errors.ts'
import { text } from '#kernel/fields.ts'
import { parseId } from '#kernel/iri.ts'
import {
  type Pack,
  type PackState,
  type ProductStatus,
  packStateFromStatus,
  statusForPackState,
} from '#kernel/packs.ts'
import { idFromIri, iriOf } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { firstQueryValue } from '#server/data/filters.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import type { Context, Engine, RecordReader } from '#server/engine/types.ts'
import { hydraCollection, listRoute, subListRoute } from '#server/http/list-route.ts'
import { client } from '../clients/client.ts'
import { appStatus, appStatusChange, packProduct } from './app-status.ts'

/** Throws 403 unless the actor is a provider user or the system, whatever the actor's roles. */
export function requireProvider(actor: Actor): void {
  if (actor.clientId !== PROVIDER_CLIENT_ID && actor.kind !== 'system')
    throw problem.forbidden('Only the provider can change a client’s packs.')
}

const statusOf = (row: Partial<ProductStatus>): ProductStatus => ({
  status: row.status ?? 1,
  retired: row.retired ?? false,
  hasLapsed: row.hasLapsed ?? false,
})

/**
 * Allows only the provider to change a client's packs. Records each change in the pack's history and in the security
 * log.
 */
const appStatusBehaviour = behaviour(appStatus, {
  beforeSave: ({ actor, before, changes }) => {
    requireProvider(actor)
    if (before && changes.product !== undefined)
      throw problem.conflict('The product of a status can’t be changed. Add a new status for the other product.')
    return undefined
  },
  afterSave: async (c) => {
    const { before, changes } = c
    const was = before ? packStateFromStatus(statusOf(before)) : 'none'
    const becomes = packStateFromStatus(statusOf({ ...before, ...changes }))
    const id = before?.product ?? changes.product
    if (was === becomes || !id) return
    await c
      .withoutPermissionCheck('record a change of entitlement')
      .create(appStatusChange, { product: id, was, becomes })
    const { code = '' } = (await c.get(packProduct, id)) ?? {}
    c.security('rights', `pack ${code} changed from ${was} to ${becomes}`)
  },
})

/**
 * Finds a client's access to a pack, for actions without a sign-in, such as opening a link. The provider has access to
 * every pack.
 */
export async function findPackState(c: RecordReader, clientId: number, code: Pack): Promise<PackState> {
  if (clientId === PROVIDER_CLIENT_ID) return 'active'
  const [product] = await c.find(packProduct, { code })
  const [status] = product ? await c.find(appStatus, { product: product.id }) : []
  return packStateFromStatus(product && status && { ...status, retired: status.retired || product.retired })
}

/**
 * Adds the products that match `which` and that the client doesn't have yet, and reactivates those that are not active.
 * The client is locked, so that requests from two tabs add each product only once. Returns the IDs of the new statuses.
 */
export async function addProducts(
  c: Context,
  clientId: number,
  which: { begins: true } | { code: Pack },
): Promise<readonly number[]> {
  await c.lock(client, clientId)
  const added: number[] = []
  for (const product of await c.find(packProduct, which)) {
    const [has] = await c.find(appStatus, { product: product.id })
    if (!has) added.push((await (await c.create(appStatus, { product: product.id })).saved()).id)
    else if (packStateFromStatus(has) !== 'active') await c.change(appStatus, has, { ...statusForPackState('active') })
  }
  return added
}

/** Lists all products with a client's status for each and its access to each. */
export async function listProductsForClient(engine: Engine, clientId: number) {
  const [all, has] = await engine.readIn(clientId, 'read a client’s products', (c) =>
    Promise.all([c.find(packProduct, {}), c.find(appStatus, {})]),
  )
  return all.map(({ id, code, name, prodLegend, retired }) => {
    const status = has.find((one) => one.product === id)
    const state = status ? packStateFromStatus({ ...status, retired: status.retired || retired }) : 'none'
    return {
      '@id': iriOf(packProduct, id),
      '@type': packProduct.type,
      id,
      code,
      name,
      prodLegend,
      retired,
      appStatus: status
        ? {
            '@id': iriOf(appStatus, status.id),
            status: status.status,
            retired: status.retired,
            hasLapsed: status.hasLapsed,
          }
        : null,
      state,
      usable: state === 'active',
    }
  })
}

/**
 * Returns the ID of the requested client, or of the actor's own if none is requested. Throws 404 if the client is not
 * accessible.
 */
export async function findRequestedClientId(c: RouteContext): Promise<number> {
  const given = firstQueryValue(c.query.client)
  if (!given) return c.me.clientId
  const id = parseId(idFromIri(client, given) ?? given)
  if (id === undefined) throw problem.notFound()
  return (await c.engine.one(client, c.me, id)).id
}

export const CLIENT_QUERY_PARAMS = {
  client: text({ help: 'IRI or ID of the client; only for the provider’s staff and for resellers.' }),
}

const packRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/portal/products',
    title: 'List the products, with a client’s status for each',
    query: CLIENT_QUERY_PARAMS,
    listOf: 'objects',
    allow: 'member',
    handle: async (c) => hydraCollection(await listProductsForClient(c.engine, await findRequestedClientId(c))),
  },
  subListRoute({
    path: `${client.url}/{id}/applications`,
    title: 'List a client’s status for each product',
    of: client,
    r: appStatus,
    where: (id) => `t.client_id = ${id}`,
    allow: 'member',
  }),
  listRoute(appStatus, '/api/portal/application_accesses', 'List a client’s active products', () => ({
    extra: [{ sql: () => 't.status = 1 AND NOT t.retired' }],
  })),
]

export const packs = feature({
  resources: [packProduct, appStatus, appStatusChange],
  behaviours: [appStatusBehaviour],
  routes: packRoutes,
})
