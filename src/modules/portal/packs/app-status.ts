import { choice, flag, instant, integer, link, text } from '#kernel/fields.ts'
import { ACTIVE_PRODUCT_STATUS } from '#kernel/packs.ts'
import { resource } from '#kernel/resource.ts'
import { client } from '../clients/client.ts'

/** A part of the portal that is sold separately. If it is retired, no client can use it any more. */
export const packProduct = resource({
  type: 'PackProduct',
  service: 'portal',
  path: 'pack_products',
  table: 'pack_product',
  tenant: 'shared',
  title: 'name',
  order: ['id'],
  unpaginated: true,
  fields: {
    code: text({ readonly: true, notNull: true, default: '', filter: true }),
    name: text({ required: true }),
    prodLegend: text({ default: '', label: 'Description', help: 'A short description, shown next to the name.' }),
    begins: flag({ filter: true, label: 'Included for new clients' }),
    retired: flag({ filter: true }),
  },
  allow: { read: 'member', update: 'ROLE_CLIENTS_ADMIN' },
})

/** A client's status for a product; `packStateFromStatus` determines the resulting access. */
export const appStatus = resource({
  type: 'AppStatus',
  service: 'portal',
  path: 'app_statuses',
  table: 'app_status',
  tenant: 'own',
  order: ['product'],
  fields: {
    client: link(() => client, { column: 'client_id', readonly: true, filter: true }),
    product: link(() => packProduct, {
      required: true,
      filter: true,
      order: true,
      embed: ['code', 'name', 'prodLegend', 'retired'],
    }),
    status: integer({ default: ACTIVE_PRODUCT_STATUS, min: 0, max: 9, filter: true, help: '1 means active.' }),
    retired: flag({ filter: true }),
    hasLapsed: flag({ filter: true, label: 'Lapsed' }),
    updatedAt: instant({ readonly: true, stamp: 'updated' }),
  },
  allow: {
    read: 'member',
    create: 'ROLE_CLIENTS_ADMIN',
    update: 'ROLE_CLIENTS_ADMIN',
    allTenants: 'ROLE_STAFF',
    resellerScope: 'ROLE_RESELLER',
  },
})

const STATES = ['none', 'lapsed', 'active'] as const

/** A change to a client's access to a product (granted, lapsed or removed), with author and time. */
export const appStatusChange = resource({
  type: 'AppStatusChange',
  service: 'portal',
  path: 'app_status_changes',
  table: 'app_status_change',
  tenant: 'own',
  order: ['-id'],
  appendOnly: true,
  fields: {
    client: link(() => client, { column: 'client_id', readonly: true, filter: true }),
    product: link(() => packProduct, { filter: true, embed: ['code', 'name'] }),
    was: choice(STATES, { default: 'none' }),
    becomes: choice(STATES, { default: 'none', filter: true }),
    author: text({ readonly: true, stamp: 'author', default: '', person: true }),
    createdAt: instant({ readonly: true, filter: true, order: true }),
  },
  allow: { read: ['ROLE_STAFF', 'ROLE_CLIENT_ADMIN'], allTenants: 'ROLE_STAFF' },
})
