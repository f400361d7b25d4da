import { problem } from '#kernel/errors.ts'
import { choice, flag, integer, link, strings, text } from '#kernel/fields.ts'
import { createPackProblem, type Pack, packState } from '#kernel/packs.ts'
import { resource } from '#kernel/resource.ts'
import { type Actor, hasRole, type Roles } from '#kernel/roles.ts'
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

/** Entitlements to which document types belong. Records that all types share need any of them. */
export const DOCUMENT_PACKS = ['safety', 'employees'] as const satisfies readonly Pack[]
export type DocumentPack = (typeof DOCUMENT_PACKS)[number]

/** Roles for the documents of an entitlement. */
export interface DocumentRoles {
  readonly authors: readonly string[]
  readonly approvers: readonly string[]
  readonly readers: readonly string[]
}

const HANDBOOK_AUTHOR_ROLES = ['ROLE_CLIENT_ADMIN', 'ROLE_HR'] as const

export const DOCUMENT_ROLES: Readonly<Record<DocumentPack, DocumentRoles>> = {
  safety: { authors: DOCUMENT_AUTHOR_ROLES, approvers: DOCUMENT_APPROVER_ROLES, readers: DOCUMENT_READER_ROLES },
  employees: {
    authors: HANDBOOK_AUTHOR_ROLES,
    approvers: HANDBOOK_AUTHOR_ROLES,
    readers: [...DOCUMENT_READER_ROLES, 'ROLE_HR'],
  },
}

/** Throws 403 if the entitlement of a document has lapsed. Records that all types share need any entitlement only. */
export function assertDocumentPackActive(actor: Actor, pack: DocumentPack): void {
  if (packState(actor, pack) !== 'active') throw createPackProblem(actor, pack)
}

/** Throws 403 if the actor may not write documents of an entitlement. */
export function assertDocumentAuthorRole(actor: Actor, pack: DocumentPack): void {
  if (!actor.kind && !hasRole(actor, DOCUMENT_ROLES[pack].authors)) throw problem.forbidden()
}

/** Throws 403 if the entitlement of a document has lapsed, or if the actor may not write documents of that entitlement. */
export function assertDocumentAuthor(actor: Actor, pack: DocumentPack): void {
  assertDocumentPackActive(actor, pack)
  assertDocumentAuthorRole(actor, pack)
}

/** Roles that write, approve or read documents of some entitlement. Row rules decide which documents. */
export const ANY_DOCUMENT_AUTHOR_ROLES = [...DOCUMENT_AUTHOR_ROLES, 'ROLE_HR'] as const
export const ANY_DOCUMENT_APPROVER_ROLES = [...DOCUMENT_APPROVER_ROLES, 'ROLE_HR'] as const
export const ANY_DOCUMENT_READER_ROLES = [...DOCUMENT_READER_ROLES, 'ROLE_HR'] as const

/** Provider role whose holders manage the templates of client 0. */
export const TEMPLATE_MANAGER_ROLES: Roles = 'ROLE_SAFETY_ADMIN'

/** Groups of readers within a company. SQL returns the groups of an account (`document_reader_groups`). */
export type DocumentReaderGroup = '' | 'managers'

/** Access rule that limits a document to a group of people. No role is exempt. */
const READER_GROUP_RULE: AccessRule = { unless: [], only: only.inSet('readerGroup', 'document_reader_groups') }

/**
 * Access rules for the documents of an entitlement. Of the provider's documents, client users, including approvers, see
 * those in force that are meant for them. Of the company's own documents, users without an author role see those in
 * force that are meant for them. Authors see all their own documents, and those of other authors that are meant for
 * them, except drafts. Approvers see all of the company's documents. Provider staff read documents about people only
 * while impersonating.
 */
export function documentAccessRules(pack: DocumentPack): readonly AccessRule[] {
  const { authors, approvers } = DOCUMENT_ROLES[pack]
  const inForce = only.both(only.on('current'), only.forMe('audience'))
  return [
    pack === 'safety'
      ? { unless: [], only: only.either(only.ofMyCompany('client'), inForce), butWide: true }
      : { unless: [], only: only.either(only.ofMyCompany('client'), only.both(only.templates('client'), inForce)) },
    { unless: authors, only: only.on('current') },
    {
      unless: approvers,
      only: only.either(only.mine('author'), only.both(only.notAmong('state', ['draft']), only.forMe('audience'))),
    },
    ...(pack === 'safety' ? [] : [READER_GROUP_RULE]),
  ]
}

/** Restricts a rule for the documents of one entitlement to them, in a declaration of all documents. */
const within = (pack: DocumentPack, rule: AccessRule): AccessRule => ({
  ...rule,
  only: only.either(only.notAmong('pack', [pack]), rule.only),
})

/** Access rules for the entitlement of a document, in a declaration of all documents. */
const PACK_ACCESS_RULES: readonly AccessRule[] = DOCUMENT_PACKS.flatMap((pack) => [
  { unless: DOCUMENT_ROLES[pack].readers, only: only.notAmong('pack', [pack]) },
  { unless: [], unlessPack: pack, only: only.notAmong('pack', [pack]) },
])

/** Access rules for documents of all entitlements. */
export const DOCUMENT_ACCESS_RULES: readonly AccessRule[] = [
  ...PACK_ACCESS_RULES,
  ...DOCUMENT_PACKS.flatMap((pack) => documentAccessRules(pack).map((rule) => within(pack, rule))),
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
/** Access rule for records that only the authors of a document see. Administrators are authors of all documents. */
const AUTHORED_DOCUMENT_RULE: AccessRule = {
  unless: 'ROLE_CLIENT_ADMIN',
  only: only.ofReadable('document', () => authoredDocument),
}
export const AUTHORED_DOCUMENT_PART_ACCESS_RULES: readonly AccessRule[] = [
  ...DOCUMENT_PART_ACCESS_RULES,
  AUTHORED_DOCUMENT_RULE,
]
/** Access rule for requests to sign: a document's authors see all of them, others their own. */
export const SIGN_OFF_ACCESS_RULE: AccessRule = {
  unless: 'ROLE_CLIENT_ADMIN',
  only: only.either(
    only.mine('user'),
    only.ofReadable('document', () => authoredDocument),
  ),
}
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
  { unless: [], only: only.either(only.ofReadable('document'), only.nobodys('document')) },
  { ...AUTHORED_DOCUMENT_RULE, only: only.either(AUTHORED_DOCUMENT_RULE.only, only.nobodys('document')) },
  { unless: DOCUMENT_AUTHOR_ROLES, only: only.ofReadable('document') },
]

/** Fields by which the access rules tell documents apart. A document's type decides them. */
export const typeAccessFields = {
  /** Entitlement of the type. */
  pack: choice(DOCUMENT_PACKS, { readonly: true, notNull: true, default: 'safety', filter: true }),
  /** Group of people who may read it; empty if the audience alone decides. */
  readerGroup: text({ readonly: true, notNull: true, default: '' }),
} as const

/** Fields of a document that the access rules of its related records need. */
export const documentForAccess = resource({
  type: 'Document',
  service: 'safety',
  path: 'documents',
  table: 'document',
  tenant: 'own or template',
  fields: {
    ...typeAccessFields,
    client: link(() => client, { column: 'client_id', readonly: true }),
    state: choice([], { readonly: true }),
    current: flag({ readonly: true }),
    audience: strings({ readonly: true, notNull: true }),
    author: text({ person: true, readonly: true, notNull: true }),
  },
  allow: { read: ANY_DOCUMENT_READER_ROLES, allTenants: TEMPLATE_MANAGER_ROLES, rows: DOCUMENT_ACCESS_RULES },
  pack: DOCUMENT_PACKS,
})

/** A document of an entitlement whose documents the user may write. */
const authoredDocument = resource({
  type: 'Document',
  service: 'safety',
  path: 'documents',
  table: 'document',
  tenant: 'own or template',
  fields: typeAccessFields,
  allow: {
    read: ANY_DOCUMENT_AUTHOR_ROLES,
    allTenants: TEMPLATE_MANAGER_ROLES,
    rows: DOCUMENT_PACKS.map((pack) => ({ unless: DOCUMENT_ROLES[pack].authors, only: only.notAmong('pack', [pack]) })),
  },
  pack: DOCUMENT_PACKS,
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
    ...typeAccessFields,
    client: link(() => client, { column: 'client_id', readonly: true }),
    state: choice([], { readonly: true }),
    current: flag({ readonly: true }),
    audience: strings({ readonly: true, notNull: true }),
    author: text({ person: true, readonly: true, notNull: true }),
  },
  allow: {
    read: ANY_DOCUMENT_READER_ROLES,
    allTenants: TEMPLATE_MANAGER_ROLES,
    rows: [
      ...PACK_ACCESS_RULES,
      { unless: [], only: only.either(only.ofMyCompany('client'), only.forMe('audience')), butWide: true },
      { unless: DOCUMENT_APPROVER_ROLES, only: only.either(only.mine('author'), only.forMe('audience')) },
      // No document refers to a handbook, so only its own readers get it.
      ...documentAccessRules('employees').map((rule) => within('employees', rule)),
    ],
  },
  pack: DOCUMENT_PACKS,
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
