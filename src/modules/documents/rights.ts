import { choice, flag, integer, link, strings, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import type { Roles } from '#kernel/roles.ts'
import { type AccessRule, only } from '#kernel/row-rules.ts'
import { client } from '#modules/portal/clients/client.ts'

/** Roles that may write safety documents. */
export const DOCUMENT_AUTHOR_ROLES = ['ROLE_CLIENT_ADMIN', 'ROLE_SAFETY_AUTHOR', 'ROLE_SAFETY_ADMIN'] as const
/** Roles that may approve documents and withdraw them. */
export const DOCUMENT_APPROVER_ROLES = ['ROLE_CLIENT_ADMIN', 'ROLE_SAFETY_ADMIN'] as const
export const DOCUMENT_READER_ROLES = [...DOCUMENT_AUTHOR_ROLES, 'ROLE_EMPLOYEE', 'ROLE_STAFF'] as const
/** Roles that may sign on other people's behalf. */
export const PROXY_SIGNER_ROLES = [...DOCUMENT_APPROVER_ROLES, 'ROLE_SIGN_ON_BEHALF'] as const
/** Roles that may see other people's drawn signatures. */
export const SIGNATURE_DRAWING_READER_ROLES = [...DOCUMENT_AUTHOR_ROLES] as const
/** Provider role whose holders manage the templates of client 0. */
export const TEMPLATE_MANAGER_ROLES: Roles = 'ROLE_SAFETY_ADMIN'

/**
 * Access rules for documents. Of the provider's documents, client users, including approvers, see those in force that
 * are meant for them. Of the company's own documents, users without an author role see those in force that are meant
 * for them. Authors see all their own documents, and those of other authors that are meant for them, except drafts.
 * Approvers see all of the company's documents.
 */
export const DOCUMENT_ACCESS_RULES: readonly AccessRule[] = [
  {
    unless: [],
    only: only.either(only.ofMyCompany('client'), only.both(only.on('current'), only.forMe('audience'))),
    butWide: true,
  },
  { unless: DOCUMENT_AUTHOR_ROLES, only: only.on('current') },
  {
    unless: DOCUMENT_APPROVER_ROLES,
    only: only.either(only.mine('author'), only.both(only.notAmong('state', ['draft']), only.forMe('audience'))),
  },
]
/**
 * Access rule for creating signatures. Users who may not sign for others can sign only for themselves and let visitors
 * sign.
 */
export const SIGNING_ACCESS_RULE: AccessRule = {
  unless: PROXY_SIGNER_ROLES,
  only: only.both(only.mineOrNobodys('user'), only.notAmong('method', ['on behalf'])),
  verbs: ['create'],
}
export const DOCUMENT_PART_ACCESS_RULES: readonly AccessRule[] = [{ unless: [], only: only.ofReadable('document') }]
/**
 * Access rules for the rows that store a document's content. Users with access to all clients can read another client's
 * rows only together with the document, and not as a list. This access is logged.
 */
export const DOCUMENT_ROW_ACCESS_RULES: readonly AccessRule[] = [
  ...DOCUMENT_PART_ACCESS_RULES,
  { unless: [], only: only.ofMyCompany('client'), withRecord: true },
]
/** Access rules for audit chain entries. Entries can also concern records other than documents. */
export const AUDIT_CHAIN_ACCESS_RULES: readonly AccessRule[] = [
  { unless: [], only: only.either(only.ofReadable('document'), { field: 'document', is: "nobody's" }) },
]

/** Fields of a document that the access rules of its related records need. */
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
    author: text({ person: true, readonly: true, notNull: true }),
  },
  allow: { read: DOCUMENT_READER_ROLES, allTenants: TEMPLATE_MANAGER_ROLES, rows: DOCUMENT_ACCESS_RULES },
  pack: 'safety',
})

/**
 * A revision with its audience, whether or not the revision is in force. The revision's related records have the same
 * readers.
 */
export const documentWithAudience = resource({
  type: 'Document',
  service: 'safety',
  path: 'documents',
  table: 'document',
  tenant: 'own or template',
  fields: { audience: strings({ readonly: true, notNull: true }), author: text({ readonly: true, notNull: true }) },
  allow: {
    read: DOCUMENT_READER_ROLES,
    rows: [{ unless: DOCUMENT_APPROVER_ROLES, only: only.either(only.mine('author'), only.forMe('audience')) }],
  },
  pack: 'safety',
})

/** A referenced document, which may be the provider's. Its title is visible only to its audience. */
export const referencedDocument = resource({
  type: 'Document',
  service: 'safety',
  path: 'documents',
  table: 'document',
  tenant: 'own or template',
  fields: {
    client: link(() => client, { column: 'client_id', readonly: true }),
    audience: strings({ readonly: true, notNull: true }),
    author: text({ person: true, readonly: true, notNull: true }),
  },
  allow: {
    read: DOCUMENT_READER_ROLES,
    allTenants: TEMPLATE_MANAGER_ROLES,
    rows: [
      { unless: [], only: only.either(only.ofMyCompany('client'), only.forMe('audience')), butWide: true },
      { unless: DOCUMENT_APPROVER_ROLES, only: only.either(only.mine('author'), only.forMe('audience')) },
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
