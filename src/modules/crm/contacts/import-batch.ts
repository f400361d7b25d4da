import { choice, flag, instant, integer, json, link, strings, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { batchJob } from '#modules/portal/runs/run.ts'

/** Settings shared by the CRM's reference lists, which all staff can read and CRM administrators can edit. */
const lookup = {
  service: 'crm',
  tenant: 'shared',
  unpaginated: true,
  allow: { read: 'ROLE_STAFF', create: 'ROLE_LEADS_ADMIN', update: 'ROLE_LEADS_ADMIN' },
} as const

export const businessType = resource({
  ...lookup,
  type: 'BusinessType',
  path: 'business_types',
  table: 'business_type',
  title: 'name',
  order: ['name'],
  fields: {
    name: text({ required: true, filter: 'partial', order: true }),
    section: text({ default: '' }),
    retired: flag({ filter: true }),
  },
})

export const city = resource({
  ...lookup,
  type: 'City',
  path: 'cities',
  table: 'city',
  title: 'name',
  order: ['name'],
  fields: {
    name: text({ required: true, filter: 'start', order: true }),
    county: text({ default: '' }),
    retired: flag({ filter: true }),
  },
})

export const leadSource = resource({
  ...lookup,
  type: 'CameFrom',
  path: 'came_froms',
  table: 'came_from',
  title: 'name',
  order: ['name'],
  fields: {
    name: text({ required: true, filter: 'partial', order: true }),
    web: flag({ filter: true, label: 'Online', help: 'Leads from this source are counted as online enquiries.' }),
    retired: flag({ filter: true }),
  },
})

export const IMPORT_STATES = [
  { value: 'waiting', label: 'Not started' },
  { value: 'checked', label: 'Checked' },
  { value: 'running', label: 'Running' },
  { value: 'finished', label: 'Imported' },
  { value: 'failed', label: 'Stopped' },
  { value: 'cancelled', label: 'Cancelled' },
  { value: 'undoing', label: 'Undoing' },
  { value: 'undone', label: 'Undone' },
] as const

/** Ways to handle rows that match an existing lead. */
export const EXISTING_LEAD_CHOICES = [
  { value: 'skip', label: 'Skip existing leads' },
  { value: 'fill', label: 'Fill in empty fields of existing leads' },
  { value: 'replace', label: 'Replace values of existing leads' },
  { value: 'add', label: 'Add existing leads again' },
] as const

/**
 * An import of one file of leads, with its column mapping, its progress and the numbers of added, duplicate and
 * rejected rows.
 */
export const importBatch = resource({
  type: 'ImportBatch',
  service: 'crm',
  path: 'imports',
  table: 'import_batch',
  tenant: 'own',
  title: 'fileName',
  order: ['-id'],
  state: 'state',
  fields: {
    fileName: text({ readonly: true, label: 'File' }),
    state: choice(IMPORT_STATES, { readonly: true, filter: true }),
    /** Column headings of the file, and its first rows. */
    columns: json({ readonly: true, column: 'header' }),
    sample: json({ readonly: true }),
    /** Target field for each heading. Headings without a target field are ignored. */
    mapping: json({ readonly: true }),
    settings: json({ readonly: true }),
    dryRun: flag({ readonly: true, filter: true }),
    rowsTotal: integer({ readonly: true }),
    rowsRead: integer({ readonly: true }),
    rowsAdded: integer({ readonly: true, label: 'Added' }),
    rowsDuplicate: integer({ readonly: true, label: 'Duplicates' }),
    rowsUpdated: integer({ readonly: true, label: 'Updated' }),
    rowsRefused: integer({ readonly: true, label: 'Rejected' }),
    /** Numbers of leads removed and retained when the import was undone. */
    rowsRemoved: integer({ readonly: true }),
    rowsKept: integer({ readonly: true }),
    bytesTotal: integer({ readonly: true }),
    bytesRead: integer({ readonly: true }),
    /** The most common reasons why rows were not added, with their counts. */
    report: json({ readonly: true }),
    error: text({ readonly: true }),
    author: text({ readonly: true, stamp: 'author', label: 'Imported by' }),
    createdAt: instant({ readonly: true, label: 'Date' }),
    finishedAt: instant({ readonly: true }),
    undoneAt: instant({ readonly: true }),
    /** Batch job that imports the file or undoes the import. */
    run: link(() => batchJob, { readonly: true, visible: 'nobody' }),
    /** Internal data for storing and parsing the uploaded file. */
    signature: text({ readonly: true, visible: 'nobody' }),
    checksum: text({ readonly: true, visible: 'nobody' }),
    fileKey: text({ readonly: true, visible: 'nobody' }),
    format: json({ readonly: true, visible: 'nobody' }),
  },
  allow: { read: 'ROLE_LEADS_ADMIN' },
  actions: {
    start: {
      path: 'start',
      title: 'Import the file, or with dryRun only return the expected result',
      allow: 'ROLE_LEADS_ADMIN',
      from: ['waiting', 'checked', 'failed'],
      input: {
        mapping: json(),
        dryRun: flag(),
        duplicates: choice(EXISTING_LEAD_CHOICES),
        /** Staff to whom the leads are assigned evenly, by IRI or username. */
        owners: strings(),
        cameFrom: link(() => leadSource),
      },
    },
    cancel: {
      path: 'cancel',
      title: 'Stop the import; leads added so far remain until the import is undone',
      allow: 'ROLE_LEADS_ADMIN',
      from: ['waiting', 'checked', 'running', 'failed'],
      input: {},
    },
    undo: {
      path: 'undo',
      title: 'Undo the import, except for leads that somebody has worked on',
      allow: 'ROLE_LEADS_ADMIN',
      from: ['finished', 'cancelled', 'failed'],
      input: {},
    },
  },
})
