import { defineEvidence } from '#kernel/evidence.ts'
import { formVersion } from '../types/form-version.ts'

const ALL = [
  'kind',
  'number',
  'industry_id',
  'declared',
  'schema',
  'digest',
  'notes',
  'used_from',
  'author',
  'created_at',
]

/** A form is sealed when it is added: revisions refer to it by its digest. */
export const formEvidence = defineEvidence({
  of: formVersion,
  named: ({ kind, number }) => `Version ${String(number)} of the form ${String(kind)}`,
  claims: 'true',
  rows: [],
  events: { 'form added': { columns: ALL }, adopted: { columns: ALL } },
  columns: { schema: 'form', used_from: 'date of first use' },
})
