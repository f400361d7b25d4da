import { email, link, phone, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { client } from './client.ts'

/** Whom to speak to at each company. It is changed with the company's details. */
export const portalContact = resource({
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
