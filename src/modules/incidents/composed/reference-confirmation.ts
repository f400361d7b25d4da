import { flag, instant, integer, longText, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { DOCUMENT_APPROVER_ROLES } from '#modules/documents/rights.ts'

/**
 * Confirmation, by a competent person of a company, of a list row that we composed, or the withdrawal of a
 * confirmation. The latest entry for a row counts if the row's wording has not changed since.
 */
export const referenceConfirmation = resource({
  type: 'ReferenceConfirmation',
  service: 'safety',
  path: 'reference_confirmations',
  table: 'reference_confirmation',
  appendOnly: true,
  tenant: 'own',
  title: 'wording',
  order: ['-id'],
  fields: {
    /** Type of the list, such as `IncidentMainFactor`. */
    list: text({ readonly: true, notNull: true, filter: true }),
    row: integer({ readonly: true, notNull: true, column: 'row_id', filter: true }),
    /** Wording that the person confirmed. */
    wording: text({ readonly: true, notNull: true }),
    /** True for the withdrawal of an earlier confirmation. */
    withdrawal: flag({ readonly: true, filter: true }),
    /** Reason for a withdrawal. */
    reason: longText({ readonly: true, default: '', notNull: true }),
    author: text({ readonly: true, stamp: 'author', filter: true, label: 'Confirmed by' }),
    createdAt: instant({ readonly: true, notNull: true }),
  },
  allow: { read: DOCUMENT_APPROVER_ROLES },
  pack: 'safety',
})
