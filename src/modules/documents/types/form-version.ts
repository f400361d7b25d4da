import { flag, instant, integer, json, link, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { client } from '#modules/portal/clients/client.ts'
import { riskIndustry } from '#modules/safety/industry.ts'
import { DOCUMENT_APPROVERS, DOCUMENT_AUTHORS } from '../rights.ts'

/**
 * A version of a document type's form. It never changes; another is added. The provider's apply to all or to an
 * industry, a client's to itself.
 */
export const formVersion = resource({
  type: 'FormVersion',
  service: 'safety',
  path: 'form_versions',
  table: 'form_version',
  appendOnly: true,
  tenant: 'own or template',
  title: 'notes',
  order: ['-id'],
  fields: {
    kind: text({ required: true, filter: true, help: 'As stored for documents: risk_assessment.' }),
    number: integer({ readonly: true, notNull: true, order: true }),
    client: link(() => client, { column: 'client_id', readonly: true, filter: true }),
    /** For documents of this industry only. */
    industry: link(() => riskIndustry, { filter: true, embed: ['name'] }),
    /** The declared form, used where there is no other version. */
    declared: flag({ readonly: true, filter: true }),
    schema: json({ required: 'Please enter the form', omitFromLists: true }),
    /** SHA-256 of the form, hexadecimal; sealed with revisions. */
    digest: text({ readonly: true, notNull: true, filter: true }),
    notes: text({ default: '', label: 'What is new', max: 500 }),
    from: instant({
      column: 'used_from',
      notNull: true,
      order: true,
      help: 'New documents use it from this date; immediately if empty.',
    }),
    author: text({ readonly: true, notNull: true, stamp: 'author' }),
    createdAt: instant({ readonly: true, notNull: true, order: true }),
  },
  allow: { read: DOCUMENT_AUTHORS, create: DOCUMENT_APPROVERS },
  pack: 'safety',
})
