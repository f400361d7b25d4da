import { choice, flag, instant, integer, link, text, typedJson } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { only } from '#kernel/row-rules.ts'
import { batchJob } from '#modules/portal/runs/run.ts'
import { employee } from '../employees/employee.ts'
import { HR_ROLES } from '../rights.ts'
import type { ColumnMapping } from './columns.ts'

export const IMPORT_STATES = [
  { value: 'waiting', label: 'Not started' },
  { value: 'running', label: 'Running' },
  { value: 'checked', label: 'Checked' },
  { value: 'imported', label: 'Imported' },
  { value: 'stopped', label: 'Stopped' },
  { value: 'undoing', label: 'Undoing' },
  { value: 'undone', label: 'Undone' },
] as const

/** What happens to rows of employees who are already in the portal. */
export const EXISTING_CHOICES = [
  { value: 'fill', label: 'Fill in empty details of existing employees' },
  { value: 'replace', label: 'Replace details of existing employees' },
  { value: 'skip', label: 'Leave existing employees unchanged' },
] as const
export type ExistingChoice = (typeof EXISTING_CHOICES)[number]['value']

/** Results of the rows that are listed in a report. Rows that are added whole, or change nothing, are only counted. */
export const ROW_RESULTS = [
  { value: 'refused', label: 'Rejected' },
  { value: 'incomplete', label: 'Added, incomplete' },
  { value: 'updated', label: 'Existing employee changed' },
  { value: 'kept', label: 'Not undone' },
] as const

/** Days for which the content of a file is stored if the file is not imported. */
export const FILE_DAYS = 7

const STATE = `coalesce((SELECT CASE
  WHEN r.state IN ('queued', 'running', 'stopping') THEN 'running' WHEN r.state = 'undoing' THEN 'undoing' WHEN r.state = 'undone' THEN 'undone'
  WHEN r.state IN ('failed', 'stopped') THEN CASE WHEN t.dry_run THEN 'waiting' ELSE 'stopped' END
  WHEN t.dry_run THEN 'checked' ELSE 'imported' END
  FROM run r WHERE r.client_id = t.client_id AND r.id = t.run_id), 'waiting')`
const ofRun = (value: string) => `(SELECT ${value} FROM run r WHERE r.client_id = t.client_id AND r.id = t.run_id)`
const count = (name: string, label: string) =>
  integer({ readonly: true, label, sql: ofRun(`coalesce((r.tally ->> '${name}')::int, 0)`) })

/**
 * An import of employees from one file. Its state and counts are those of its batch job. Only the person who uploaded
 * the file sees it, because its sample may contain private details.
 */
export const employeeImport = resource({
  type: 'EmployeeImport',
  service: 'employees',
  path: 'imports',
  table: 'employee_import',
  tenant: 'own',
  title: 'fileName',
  order: ['-id'],
  pack: 'employees',
  state: 'state',
  fields: {
    fileName: text({ readonly: true, label: 'File' }),
    state: choice(IMPORT_STATES, { readonly: true, notNull: true, label: 'Status', sql: STATE }),
    /** Headings of the file, and its first rows; the sample is removed with the content of the file. */
    columns: typedJson<readonly string[]>()({ readonly: true, column: 'header' }),
    sample: typedJson<readonly (readonly string[])[]>()({ readonly: true, default: [] }),
    /** Field of each heading. Other columns are not imported. */
    mapping: typedJson<ColumnMapping>()({ readonly: true, default: {} }),
    existing: choice(EXISTING_CHOICES, { readonly: true, default: 'fill', label: 'Existing employees' }),
    dryRun: flag({ readonly: true, label: 'Trial run' }),
    rowsTotal: integer({ readonly: true, label: 'Rows' }),
    rowsRead: integer({
      readonly: true,
      sql: ofRun("r.done + r.refused + coalesce((r.tally ->> 'unchanged')::int, 0)"),
    }),
    added: count('added', 'Added'),
    updated: count('updated', 'Changed'),
    unchanged: count('unchanged', 'Unchanged'),
    refused: integer({ readonly: true, label: 'Rejected', sql: ofRun('r.refused') }),
    undone: integer({ readonly: true, label: 'Undone', sql: ofRun('r.undone') }),
    error: text({ readonly: true, sql: ofRun('r.error') }),
    run: link(() => batchJob, { readonly: true, label: 'Background job' }),
    author: text({ readonly: true, stamp: 'author', label: 'Imported by' }),
    createdAt: instant({ readonly: true, label: 'Date' }),
    user: integer({ column: 'user_id', readonly: true, visible: 'nobody' }),
    /** SHA-256 of the file. */
    checksum: text({ readonly: true, visible: 'nobody' }),
  },
  allow: { read: HR_ROLES, delete: HR_ROLES, rows: [{ unless: [], only: only.mine('user') }] },
  actions: {
    start: {
      path: 'start',
      title: 'Import the file, or with dryRun only show the expected result',
      allow: HR_ROLES,
      from: ['waiting', 'checked'],
      input: {
        mapping: typedJson<ColumnMapping>()({ help: 'Field of each heading; by default, those that were recognised.' }),
        existing: choice(EXISTING_CHOICES, { default: 'fill' }),
        dryRun: flag(),
      },
    },
  },
})

/** A row in the report of an import, with a reason. */
export const employeeImportLine = resource({
  type: 'EmployeeImportLine',
  service: 'employees',
  path: 'import_lines',
  table: 'employee_import_line',
  tenant: 'own',
  order: ['line', 'id'],
  pack: 'employees',
  fields: {
    batch: link(() => employeeImport, { column: 'import_id', readonly: true, filter: true, label: 'Import' }),
    line: integer({ readonly: true, label: 'Row' }),
    outcome: choice(ROW_RESULTS, { readonly: true, filter: true, label: 'Result' }),
    name: text({ readonly: true, label: 'Name in the file' }),
    reason: text({ readonly: true, max: 4000 }),
    employee: link(() => employee, { readonly: true, embed: ['name'] }),
  },
  allow: { read: HR_ROLES, rows: [{ unless: [], only: only.ofReadable('batch') }] },
})
