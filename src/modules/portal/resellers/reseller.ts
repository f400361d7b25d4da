import { email, instant, link, longText, phone, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { client } from '../clients/client.ts'

/** Branding of a reseller for its clients. */
export const reseller = resource({
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
 * Assignment of a client to a reseller, set by the provider. Also stored in the client's own record, for quick access.
 */
export const resellerClient = resource({
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
