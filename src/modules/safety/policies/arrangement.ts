import { flag, link, richText, strings, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { DOCUMENT_AUTHOR_ROLES } from '#modules/documents/rights.ts'
import { client } from '#modules/portal/clients/client.ts'
import { keepBothField } from '../statements/keep-both-flag.ts'
import { templateKey } from '../statements/statement.ts'

/** Roles that manage their company's policy library. ROLE_CLIENTS_ADMIN manages the provider's templates. */
const KEEPERS = [...DOCUMENT_AUTHOR_ROLES, 'ROLE_CLIENTS_ADMIN'] as const

const owner = link(() => client, { column: 'client_id', readonly: true, filter: true })

const library = {
  service: 'safety',
  pack: 'safety',
  title: 'title',
  order: ['title'],
  bulk: ['retire'],
} as const

const arrangement = {
  ...library,
  tenant: 'own or template',
  table: 'policy_arrangement',
  fields: {
    title: text({ required: 'Item is required', filter: 'partial', order: true, search: true }),
    description: richText({ required: 'Item is required', search: true }),
    shareAll: flag({
      filter: true,
      editable: 'ROLE_CLIENTS_ADMIN',
      label: 'Shared with all clients',
      help: 'If this option is off, clients can’t see the arrangement, but provider staff can still add it to a client’s policy while working as one of the client’s users.',
    }),
    client: owner,
    templateKey,
    retired: flag({ filter: true }),
  },
} as const

/**
 * A company's arrangement for one subject, such as "Fire safety". Of the provider's arrangements, clients see only
 * those that are shared.
 */
export const policyArrangement = resource({
  ...arrangement,
  fields: { ...arrangement.fields, keepBoth: keepBothField },
  type: 'PolicyArrangement',
  path: 'policy_arrangements',
  allow: {
    read: 'member',
    create: KEEPERS,
    update: KEEPERS,
    whileImpersonating: ['create', 'update'],
    rows: [{ unless: [], only: only.either(only.ofMyCompany('client'), only.on('shareAll')) }],
  },
})

/**
 * All arrangements, including the provider's unshared ones. Only the provider's users can read them, and only while
 * they impersonate a client's user.
 */
export const allPolicyArrangements = resource({
  ...arrangement,
  type: 'PolicyArrangementAll',
  path: 'policy_arrangement_alls',
  bulk: [],
  allow: { read: 'member', onlyWhileImpersonating: ['read'] },
})

/** Function in the company, such as "Site Manager", and its usual responsibilities. */
export const policyFunction = resource({
  ...library,
  type: 'PolicyFunction',
  path: 'policy_functions',
  table: 'policy_function',
  tenant: 'own or template',
  fields: {
    title: text({ required: 'Item is required', filter: 'partial', order: true }),
    responsibilities: strings({ default: [] }),
    client: owner,
    templateKey,
    retired: flag({ filter: true }),
  },
  allow: { read: 'member', create: KEEPERS, update: KEEPERS, whileImpersonating: ['create', 'update'] },
})

export const policyPerson = resource({
  ...library,
  type: 'PolicyPerson',
  path: 'policy_people',
  table: 'policy_person',
  tenant: 'own',
  fields: {
    title: text({ required: 'Item is required', filter: 'partial', order: true }),
    client: owner,
    retired: flag({ filter: true }),
  },
  allow: {
    read: DOCUMENT_AUTHOR_ROLES,
    create: DOCUMENT_AUTHOR_ROLES,
    update: DOCUMENT_AUTHOR_ROLES,
    whileImpersonating: ['create', 'update'],
  },
})
