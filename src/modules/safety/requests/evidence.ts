import { evidence } from '#kernel/evidence.ts'
import { ramsReceived } from './rams-request.ts'

const COLUMNS = [
  'request_id',
  'version',
  'sender',
  'company',
  'notes',
  'name',
  'type',
  'size',
  'checksum',
  'file_key',
  'created_at',
]

/** What a subcontractor has sent stands. */
export const receivedEvidence = evidence({
  of: ramsReceived,
  named: ({ version, name }) => `Version ${String(version)} of the RAMS received: "${String(name)}"`,
  claims: 'true',
  rows: [],
  file: { key: 'file_key', checksum: 'checksum' },
  events: { 'RAMS received': { columns: COLUMNS }, adopted: { columns: COLUMNS } },
  later: { company: '' },
  columns: { request_id: 'request', company: 'company that signed in' },
})
