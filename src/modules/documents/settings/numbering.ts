import { instant, integer, link, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { formatSequenceNumber } from '#kernel/sequence.ts'
import { client } from '#modules/portal/clients/client.ts'
import { DOCUMENT_APPROVER_ROLES, TEMPLATE_MANAGER_ROLES } from '../rights.ts'

/**
 * Fields that all settings by document type share. Each company has at most one setting per type; the settings of
 * client 0 are the provider's defaults.
 */
const typeSettingFields = {
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
      help: 'Counted from the date of approval. Leave empty to use the provider’s setting.',
    }),
  },
  allow: {
    read: 'member',
    create: DOCUMENT_APPROVER_ROLES,
    update: DOCUMENT_APPROVER_ROLES,
    allTenants: TEMPLATE_MANAGER_ROLES,
  },
  pack: 'safety',
})

/** Valid prefixes: up to 8 letters, digits and hyphens, with no hyphen at either end and no two hyphens in a row. */
export const NUMBER_PREFIX_PATTERN = /^(?=.{1,8}$)[A-Za-z0-9]+(-[A-Za-z0-9]+)*$/

/** Number format for new documents of a type. */
export const numbering = resource({
  type: 'Numbering',
  service: 'safety',
  path: 'numberings',
  table: 'numbering',
  tenant: 'own or template',
  title: 'kind',
  order: ['kind'],
  fields: {
    ...typeSettingFields,
    prefix: text({
      max: 8,
      label: 'Prefix',
      help: 'Placed before the hyphen and the number. Leave empty to use the provider’s prefix.',
      pattern: {
        regex: NUMBER_PREFIX_PATTERN,
        message:
          'A prefix has up to 8 letters, digits and hyphens, and starts and ends with a letter or digit, such as RA or SITE-2',
      },
    }),
    digits: integer({
      min: 1,
      max: 8,
      label: 'Digits',
      help: 'Shorter numbers are padded with zeros. Longer numbers are not shortened.',
    }),
  },
  allow: {
    read: 'member',
    create: DOCUMENT_APPROVER_ROLES,
    update: DOCUMENT_APPROVER_ROLES,
    allTenants: TEMPLATE_MANAGER_ROLES,
  },
  pack: 'safety',
})

/** Prefixes reserved for other numbers, with the use of each prefix. */
export const RESERVED_NUMBER_PREFIXES: Readonly<Record<string, string>> = { FA: 'answers to custom forms', Q: 'quotes' }

/** Formats a document number, such as `RA-0042`. */
export const formatDocumentNumber = (prefix: string, digits: number, number: number): string =>
  formatSequenceNumber({ name: '', prefix: `${prefix}-`, per: 'client', gapless: true, digits }, number, 0)
