import { choice, flag, integer, link, strings, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { client } from '#modules/portal/clients/client.ts'
import { APPROVERS, KEEPERS, READERS, SEEN } from './rights.ts'

/** A document as far as the rules ask that say who reads it: enough for what is read with it. */
export const readDocument = resource({
  type: 'Document',
  service: 'safety',
  path: 'documents',
  table: 'document',
  tenant: 'own or template',
  fields: {
    client: link(() => client, { column: 'client_id', readonly: true }),
    state: choice([], { readonly: true }),
    current: flag({ readonly: true }),
    audience: strings({ readonly: true, notNull: true }),
    author: text({ readonly: true, notNull: true }),
  },
  allow: { read: READERS, allTenants: KEEPERS, rows: SEEN },
  pack: 'safety',
})

/** A revision as far as its audience goes, whether or not it is still in force: what was done with it is read by those whom it is for. */
export const documentForSome = resource({
  type: 'Document',
  service: 'safety',
  path: 'documents',
  table: 'document',
  tenant: 'own or template',
  fields: { audience: strings({ readonly: true, notNull: true }), author: text({ readonly: true, notNull: true }) },
  allow: {
    read: READERS,
    rows: [{ unless: APPROVERS, only: only.either(only.mine('author'), only.forMe('audience')) }],
  },
  pack: 'safety',
})

/** A document that another one names: what it is called is for those whom it is for, the provider's too. */
export const namedDocument = resource({
  type: 'Document',
  service: 'safety',
  path: 'documents',
  table: 'document',
  tenant: 'own or template',
  fields: {
    client: link(() => client, { column: 'client_id', readonly: true }),
    audience: strings({ readonly: true, notNull: true }),
    author: text({ readonly: true, notNull: true }),
  },
  allow: {
    read: READERS,
    allTenants: KEEPERS,
    rows: [
      { unless: [], only: only.either(only.ofMyCompany('client'), only.forMe('audience')), butWide: true },
      { unless: APPROVERS, only: only.either(only.mine('author'), only.forMe('audience')) },
    ],
  },
  pack: 'safety',
})

/** A document's reference to a file, as far as the file's rules ask. */
export const fileReference = resource({
  type: 'DocumentReference',
  service: 'safety',
  path: 'document_references',
  table: 'document_reference',
  tenant: 'own or template',
  fields: {
    document: link(() => readDocument, { readonly: true, notNull: true }),
    file: integer({ column: 'file_id', readonly: true }),
  },
  allow: { read: 'nobody' },
})
