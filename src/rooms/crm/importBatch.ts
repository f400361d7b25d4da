import { choice, flag, instant, integer, json, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'

/** One file of leads: how it was read, how far it is, and what came of each row that was not taken. */
export const importBatch = resource({
  type: 'ImportBatch',
  service: 'crm',
  path: 'imports',
  table: 'import_batch',
  tenant: 'own',
  title: 'fileName',
  order: ['-id'],
  fields: {
    fileName: text({ readonly: true }),
    state: choice(['waiting', 'running', 'finished', 'failed', 'undone'], { readonly: true, filter: true }),
    mapping: json({ readonly: true }),
    dryRun: flag({ readonly: true, filter: true }),
    rowsRead: integer({ readonly: true }),
    rowsAdded: integer({ readonly: true }),
    rowsDuplicate: integer({ readonly: true }),
    rowsRefused: integer({ readonly: true }),
    bytesTotal: integer({ readonly: true }),
    bytesRead: integer({ readonly: true }),
    report: json({ readonly: true }),
    error: text({ readonly: true }),
    author: text({ readonly: true }),
    createdAt: instant({ readonly: true }),
    finishedAt: instant({ readonly: true }),
    undoneAt: instant({ readonly: true }),
  },
  allow: { read: 'ROLE_LEADS_ADMIN' },
})
