import { choice, integer, json, link, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { contact } from '../contacts/contact.ts'
import { importBatch } from '../contacts/import-batch.ts'

/** Results of an import row, with labels. */
export const IMPORT_ROW_RESULTS = [
  { value: 'duplicate', label: 'Duplicate, skipped' },
  { value: 'added', label: 'Duplicate, added anyway' },
  { value: 'incomplete', label: 'Added, incomplete' },
  { value: 'updated', label: 'Existing lead updated' },
  { value: 'refused', label: 'Rejected' },
  { value: 'kept', label: 'Not removed by undo' },
] as const

/** Days for which the rows of a report retain the values from their file. */
export const REPORT_VALUES_DAYS = 90

/**
 * A row in an import report, with a reason. It describes a row of the file that was not simply added, or a lead that was
 * retained when the import was undone.
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
    /** Changed fields of the existing lead: `{ city: [before, after] }`. */
    changes: json({ readonly: true }),
    /** The row's values as in the file, including those in columns that are not imported. */
    cells: json({ readonly: true, visible: 'nobody' }),
  },
  allow: { read: 'ROLE_LEADS_ADMIN' },
})
