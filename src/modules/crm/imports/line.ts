import { choice, integer, link, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { contact } from '../contacts/contact.ts'
import { importBatch } from '../contacts/import-batch.ts'

/** Results of an import row, with labels. */
export const IMPORT_ROW_RESULTS = [
  { value: 'duplicate', label: 'Duplicate, skipped' },
  { value: 'added', label: 'Duplicate, added anyway' },
  { value: 'refused', label: 'Rejected' },
  { value: 'kept', label: 'Not removed by undo' },
] as const

/**
 * A row in an import report, with a reason. It describes a row of the file that was not added or was added as a
 * duplicate, or a lead that was retained when the import was undone.
 */
export const importLine = resource({
  type: 'ImportLine',
  service: 'crm',
  path: 'import_lines',
  table: 'import_line',
  tenant: 'own',
  order: ['line'],
  fields: {
    importBatch: link(() => importBatch, { column: 'batch_id', filter: true }),
    line: integer({ readonly: true, order: true }),
    outcome: choice(IMPORT_ROW_RESULTS, { readonly: true, filter: true }),
    company: text({ readonly: true }),
    reason: text({ readonly: true }),
    /** The existing lead that the row matches, or the lead retained by an undo. */
    contact: link(() => contact, { label: 'Lead', embed: ['companyName', 'name'] }),
  },
  allow: { read: 'ROLE_LEADS_ADMIN' },
})
