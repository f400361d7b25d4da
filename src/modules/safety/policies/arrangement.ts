import { flag, link, richText, strings, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { AUTHORS } from '#modules/documents/rights.ts'
import { client } from '#modules/portal/clients/client.ts'
import { keepBoth } from '../statements/keep-both.ts'
import { templateKey } from '../statements/template-key.ts'

/** Who keeps what their company's policies are made of: whoever writes them. With ROLE_CLIENTS_ADMIN the provider keeps the templates. */
const KEEPERS = [...AUTHORS, 'ROLE_CLIENTS_ADMIN'] as const

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
      label: 'Shared with every client',
      help: 'Without it, only somebody of the provider who works as one of its people can give it to a client.',
    }),
    client: owner,
    templateKey,
    retired: flag({ filter: true }),
  },
} as const

/** How one thing is done in a company: "Fire safety". Clients see the provider's only where it is shared with all. */
export const policyArrangement = resource({
  ...arrangement,
  fields: { ...arrangement.fields, keepBoth },
  type: 'PolicyArrangement',
  path: 'policy_arrangements',
  allow: {
    read: 'member',
    create: KEEPERS,
    update: KEEPERS,
    rows: [{ unless: [], only: only.either(only.ofMyCompany('client'), only.on('shareAll')) }],
  },
})

/** The same with those that the provider has not shared: for its people, while they work as somebody of a client. */
export const policyArrangementAll = resource({
  ...arrangement,
  type: 'PolicyArrangementAll',
  path: 'policy_arrangement_alls',
  bulk: [],
  allow: { read: 'member', onlyWhileImpersonating: ['read'] },
})

/** A place in the company: "Site Manager"; and what whoever has it is usually responsible for. */
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
  allow: { read: 'member', create: KEEPERS, update: KEEPERS },
})

/** Who has such places, as the company's own policies name them. */
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
  allow: { read: AUTHORS, create: AUTHORS, update: AUTHORS },
})
