import { flag, link, text } from '#kernel/fields.ts'
import { type Resource, resource } from '#kernel/resource.ts'
import { client } from '../clients/client.ts'

/** Who uploads, sorts and reads files: people of a client, and provider staff in client 0 alone. */
export const FILE_PEOPLE = ['ROLE_CLIENT_ADMIN', 'ROLE_EMPLOYEE', 'ROLE_STAFF'] as const

/** A folder of the file manager. It is retired once it is empty. */
export const documentFolder = resource({
  type: 'DocumentFolder',
  service: 'safety',
  path: 'document_folders',
  table: 'document_folder',
  tenant: 'own or template',
  title: 'name',
  order: ['name'],
  whole: true,
  fields: {
    client: link(() => client, { column: 'client_id', readonly: true, filter: true }),
    name: text({ required: 'Please give this folder a name', max: 100, filter: 'partial', order: true }),
    parent: link((): Resource => documentFolder, { filter: true, label: 'Inside' }),
    retired: flag({ filter: true }),
  },
  allow: { read: FILE_PEOPLE, create: FILE_PEOPLE, update: FILE_PEOPLE },
})
