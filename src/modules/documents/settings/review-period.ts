import { instant, integer, link, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { client } from '#modules/portal/clients/client.ts'
import { DOCUMENT_APPROVERS, TEMPLATE_MANAGERS } from '../rights.ts'

/**
 * Common fields of settings by document type. Each company has at most one per type; those of client 0 are the
 * provider's.
 */
export const typeSettingFields = {
  client: link(() => client, { column: 'client_id', readonly: true, filter: true }),
  kind: text({ required: 'Please choose a document type', filter: true, max: 60, label: 'Document type' }),
  lastEditBy: text({ column: 'updated_by', readonly: true, stamp: 'editor', label: 'Changed by' }),
  updatedAt: instant({ readonly: true, stamp: 'updated' }),
} as const

export const reviewPeriod = resource({
  type: 'ReviewPeriod',
  service: 'safety',
  path: 'review_periods',
  table: 'review_period',
  tenant: 'own or template',
  title: 'kind',
  order: ['kind'],
  fields: {
    ...typeSettingFields,
    months: integer({
      min: 1,
      max: 60,
      label: 'Months until the next review',
      help: 'From the date of approval. Leave empty to use the provider’s.',
    }),
  },
  allow: { read: 'member', create: DOCUMENT_APPROVERS, update: DOCUMENT_APPROVERS, allTenants: TEMPLATE_MANAGERS },
  pack: 'safety',
})
