import { choice, flag, integer, link, strings, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { client } from '#modules/portal/clients/client.ts'
import { DOCUMENT_ACCESS_RULES, DOCUMENT_APPROVERS, DOCUMENT_READERS, TEMPLATE_MANAGERS } from './rights.ts'

/** The part of a document that access rules of its related records need. */
export const documentForAccess = resource({
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
  allow: { read: DOCUMENT_READERS, allTenants: TEMPLATE_MANAGERS, rows: DOCUMENT_ACCESS_RULES },
  pack: 'safety',
})

/** A revision with its audience, in force or not: its related records have the same readers. */
export const documentWithAudience = resource({
  type: 'Document',
  service: 'safety',
  path: 'documents',
  table: 'document',
  tenant: 'own or template',
  fields: { audience: strings({ readonly: true, notNull: true }), author: text({ readonly: true, notNull: true }) },
  allow: {
    read: DOCUMENT_READERS,
    rows: [{ unless: DOCUMENT_APPROVERS, only: only.either(only.mine('author'), only.forMe('audience')) }],
  },
  pack: 'safety',
})

/** A referenced document: its title is visible to its audience, also the provider's. */
export const referencedDocument = resource({
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
    read: DOCUMENT_READERS,
    allTenants: TEMPLATE_MANAGERS,
    rows: [
      { unless: [], only: only.either(only.ofMyCompany('client'), only.forMe('audience')), butWide: true },
      { unless: DOCUMENT_APPROVERS, only: only.either(only.mine('author'), only.forMe('audience')) },
    ],
  },
  pack: 'safety',
})

export const fileReference = resource({
  type: 'DocumentReference',
  service: 'safety',
  path: 'document_references',
  table: 'document_reference',
  tenant: 'own or template',
  fields: {
    document: link(() => documentForAccess, { readonly: true, notNull: true }),
    file: integer({ column: 'file_id', readonly: true }),
  },
  allow: { read: 'nobody' },
})
