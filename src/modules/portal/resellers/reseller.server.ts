import { problem, violation } from '#kernel/errors.ts'
import { email, instant, link, longText, phone, text } from '#kernel/fields.ts'
import { iriOf, resource } from '#kernel/resource.ts'
import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import type { Route } from '#server/engine/route.ts'
import { runInTenant } from '#server/engine/tenant.ts'
import { client } from '../clients/client.ts'
import { requireProvider } from '../packs/routes.server.ts'

/** Branding that a reseller's clients see. */
const reseller = resource({
  type: 'Reseller',
  service: 'portal',
  path: 'resellers',
  table: 'reseller',
  tenant: 'own',
  title: 'name',
  order: ['name'],
  fields: {
    client: link(() => client, { column: 'client_id', readonly: true, filter: true, embed: ['company'] }),
    name: text({ required: true, filter: 'partial', order: true }),
    telephone: phone({ default: '' }),
    email: email({ default: '', label: 'E-mail' }),
    splash: text({ default: '', max: 500, help: 'URL of the picture on the welcome page.' }),
    title: text({ default: '' }),
    description: longText({ default: '' }),
    url: text({ default: '', max: 500, label: 'Website' }),
    updatedAt: instant({ readonly: true, stamp: 'updated' }),
  },
  allow: {
    read: ['ROLE_STAFF', 'ROLE_RESELLER'],
    create: 'ROLE_CLIENTS_ADMIN',
    update: ['ROLE_CLIENTS_ADMIN', 'ROLE_RESELLER'],
    allTenants: 'ROLE_STAFF',
  },
})

/**
 * Assigns a client to a reseller; only the provider may set it. The reseller is also stored in the client's own record,
 * for quick access.
 */
const resellerClient = resource({
  type: 'ResellerClient',
  service: 'portal',
  path: 'reseller_clients',
  table: 'reseller_client',
  tenant: 'own',
  order: ['id'],
  fields: {
    client: link(() => client, { column: 'client_id', readonly: true, filter: true, embed: ['company'] }),
    reseller: link(() => client, {
      required: 'Please choose the reseller',
      column: 'reseller_id',
      filter: true,
      embed: ['company'],
    }),
    author: text({ readonly: true, stamp: 'author', default: '', person: true }),
    updatedAt: instant({ readonly: true, stamp: 'updated' }),
  },
  allow: {
    read: ['ROLE_STAFF', 'ROLE_RESELLER'],
    create: 'ROLE_CLIENTS_ADMIN',
    update: 'ROLE_CLIENTS_ADMIN',
    allTenants: 'ROLE_STAFF',
    resellerScope: 'ROLE_RESELLER',
  },
})

const PROVIDER_ONLY_REASON = 'the provider sets up resellers and assigns their clients'

const resellerBehaviours = [
  behaviour(reseller, {
    beforeSave: ({ actor, before, clientId }) => {
      if (before) return undefined
      requireProvider(actor)
      if (clientId === PROVIDER_CLIENT_ID)
        throw problem.invalid([violation('client', 'Please choose the client that is the reseller')])
      return undefined
    },
    afterSave: async (c) => {
      if (!c.before)
        await c.withoutPermissionCheck(PROVIDER_ONLY_REASON).change(client, c.clientId, { isReseller: true })
    },
  }),
  behaviour(resellerClient, {
    beforeSave: async (c) => {
      requireProvider(c.actor)
      const id = c.changes.reseller
      if (id === undefined) return undefined
      if (c.clientId === PROVIDER_CLIENT_ID)
        throw problem.invalid([violation('client', 'Please choose the client to assign')])
      const carrier = await runInTenant(c, id, (there) => there.get(client, id))
      if (!carrier?.isReseller || id === c.clientId)
        throw problem.invalid([violation('reseller', 'This company is not a reseller', 'not_an_option')])
      return undefined
    },
    afterSave: async (c) => {
      if (c.changes.reseller !== undefined)
        await c
          .withoutPermissionCheck(PROVIDER_ONLY_REASON)
          .change(client, c.clientId, { reseller: c.changes.reseller })
    },
  }),
]

const READERS = ['ROLE_STAFF', 'ROLE_RESELLER'] as const
const MAX_PAGE = { limit: 500, offset: 0 }

/** Routes that return a reseller with its clients, or a client with its reseller. */
const resellerRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: `${reseller.url}/{id}/detailed`,
    title: 'Get a reseller, with its company and its clients',
    allow: READERS,
    handle: async (c) => {
      const one = await c.engine.one(reseller, c.me, await c.engine.idOf(reseller, c.me, c.params.id))
      const { members } = await c.engine.list(
        resellerClient,
        c.me,
        { reseller: String(one.client?.id ?? 0) },
        MAX_PAGE,
        {
          count: false,
        },
      )
      return { ...one, resellerClients: members }
    },
  },
  {
    method: 'GET',
    path: `${resellerClient.url}/{id}/detailed`,
    title: 'Get a reseller’s client, with the client’s and the reseller’s details',
    allow: READERS,
    handle: async (c) => {
      const one = await c.engine.one(resellerClient, c.me, await c.engine.idOf(resellerClient, c.me, c.params.id))
      const [details, { members }] = await Promise.all([
        c.engine.one(client, c.me, one.client?.id ?? 0),
        c.engine.list(
          reseller,
          c.me,
          { client: iriOf(client, one.reseller.id) },
          { limit: 1, offset: 0 },
          { count: false },
        ),
      ])
      return { ...one, client: details, reseller: members[0] ?? one.reseller }
    },
  },
]

export const resellers = feature({
  resources: [reseller, resellerClient],
  behaviours: resellerBehaviours,
  routes: resellerRoutes,
})
