import { flag, integer, link, richText, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { client } from '#modules/portal/clients/client.ts'
import { packIndustry } from '../industry.ts'

/**
 * Key of a system template; null for records that users created. The key stays the same when the template's text
 * changes.
 */
export const templateKey = text({ readonly: true, visible: 'nobody' })

/** Roles that manage their company's records. ROLE_CLIENTS_ADMIN manages the provider's templates. */
const KEEPERS = ['ROLE_CLIENT_ADMIN', 'ROLE_CLIENTS_ADMIN'] as const

const library = {
  service: 'safety',
  tenant: 'own or template',
  pack: 'safety',
  allow: { read: 'member', create: KEEPERS, update: KEEPERS, whileImpersonating: ['create', 'update'] },
} as const

const fields = {
  title: text({ required: true, filter: 'partial', order: true, search: true }),
  text: richText({ required: true, search: true }),
  industry: link(() => packIndustry, { filter: true, embed: ['name'] }),
  default: flag({ column: 'is_default', filter: true, label: 'Included in new documents' }),
  client: link(() => client, { column: 'client_id', readonly: true, filter: true }),
  templateKey,
  retired: flag({ filter: true }),
} as const

/**
 * Short text that many method statements share. If no statements are chosen for a document, the default statements are
 * used.
 */
export const standardStatement = resource({
  ...library,
  type: 'StandardStatement',
  path: 'standard_statements',
  table: 'standard_statement',
  title: 'title',
  order: ['title'],
  fields,
})

export const task = resource({
  ...library,
  type: 'Task',
  path: 'tasks',
  table: 'task',
  title: 'title',
  order: ['title'],
  fields: { ...fields, priority: integer({ default: 3, min: 1, max: 5, order: true, filter: true }) },
})

export const templateLinkTask = resource({
  ...library,
  type: 'TemplateLinkTask',
  path: 'template_link_tasks',
  table: 'template_link_task',
  unpaginated: true,
  fields: {
    task: link(() => task, { required: true, filter: true, embed: ['title', 'text', 'priority'] }),
    client: link(() => client, { column: 'client_id', readonly: true, filter: true }),
    retired: flag({ filter: true }),
  },
})
