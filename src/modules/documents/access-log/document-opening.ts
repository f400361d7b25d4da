import { instant, link, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { client } from '#modules/portal/clients/client.ts'
import { DOCUMENT_APPROVER_ROLES, TEMPLATE_MANAGER_ROLES } from '../rights.ts'
import { document } from '../types/document.ts'

/** Access log entry, created when a provider user opens a client's document without impersonating a user. */
export const documentOpening = resource({
  type: 'DocumentOpening',
  service: 'safety',
  path: 'document_openings',
  table: 'document_opening',
  tenant: 'own',
  appendOnly: true,
  order: ['-openedAt', '-id'],
  fields: {
    client: link(() => client, { column: 'client_id', readonly: true, filter: true, embed: ['company'] }),
    document: link(() => document, {
      readonly: true,
      notNull: true,
      filter: true,
      embed: ['documentNumber', 'title', 'kind'],
    }),
    username: text({ readonly: true, notNull: true, filter: true }),
    name: text({ readonly: true, notNull: true, filter: 'partial', label: 'Opened by' }),
    openedAt: instant({ readonly: true, notNull: true, filter: true, order: true, label: 'Date and time' }),
  },
  allow: { read: DOCUMENT_APPROVER_ROLES, allTenants: TEMPLATE_MANAGER_ROLES },
})
