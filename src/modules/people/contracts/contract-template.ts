import { flag, instant, integer, link, richText, text } from '#kernel/fields.ts'
import { type RowOf, resource } from '#kernel/resource.ts'
import { HR_ROLES } from '../rights.ts'

/** Text of a contract with merge fields. Each change of the text is a new version; contracts stay as they were sent. */
export const contractTemplate = resource({
  type: 'ContractTemplate',
  service: 'employees',
  path: 'contract_templates',
  table: 'contract_template',
  tenant: 'own',
  title: 'name',
  order: ['name'],
  bulk: ['retire'],
  fields: {
    name: text({
      required: 'Please enter a name',
      max: 120,
      stripInvisible: true,
      filter: 'partial',
      order: true,
      help: 'It is the title of each contract.',
    }),
    body: richText({ required: 'Please enter the text of the contract', omitFromLists: true, label: 'Text' }),
    writtenStatement: flag({
      filter: true,
      label: 'Written statement of particulars',
      help: 'It is due on the first day of employment (Employment Rights Act 1996, section 1).',
    }),
    version: integer({ readonly: true, default: 1, notNull: true }),
    author: text({ readonly: true, stamp: 'author', person: true, label: 'Created by' }),
    createdAt: instant({ readonly: true, notNull: true, label: 'Created' }),
    lastEditBy: text({ readonly: true, stamp: 'editor', person: true, label: 'Changed by' }),
    updatedAt: instant({ readonly: true, stamp: 'updated', order: true, label: 'Changed' }),
    retired: flag({ filter: true }),
  },
  allow: { read: HR_ROLES, create: HR_ROLES, update: HR_ROLES },
  pack: 'employees',
})

/** A version of a template, as it was saved. */
export const contractTemplateVersion = resource({
  type: 'ContractTemplateVersion',
  service: 'employees',
  path: 'contract_template_versions',
  table: 'contract_template_version',
  appendOnly: true,
  tenant: 'own',
  title: 'name',
  order: ['-version'],
  fields: {
    template: link(() => contractTemplate, { readonly: true, notNull: true, filter: true }),
    version: integer({ readonly: true, notNull: true, filter: true, order: true }),
    name: text({ readonly: true, notNull: true }),
    body: richText({ readonly: true, notNull: true, omitFromLists: true, label: 'Text' }),
    writtenStatement: flag({ readonly: true, label: 'Written statement of particulars' }),
    author: text({ readonly: true, stamp: 'author', person: true, label: 'Saved by' }),
    createdAt: instant({ readonly: true, notNull: true, label: 'Saved' }),
  },
  allow: { read: HR_ROLES },
  pack: 'employees',
})

export type ContractTemplateVersion = RowOf<typeof contractTemplateVersion>
