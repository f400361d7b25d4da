import { defineEvidence } from '#kernel/evidence.ts'
import { contract, contractPrint } from './contract.ts'

/** Columns that are never sealed: links, each of whose creation is in the audit, and the queue of e-mails. */
const LINKS = ['hashes', 'queuedAt']
/** Columns that change until the employee has signed. */
const DELIVERY = ['email', 'emailedAt', 'openedAt']
/** Columns that later events change. */
const OUTCOME = [
  'state',
  'signUntil',
  'countersigner',
  'signature',
  'signedAt',
  'countersignature',
  'countersignedAt',
  'reason',
  'endedBy',
  'endedAt',
]
const columnsWithout = (left: readonly string[]): string[] =>
  Object.entries(contract.columns).flatMap(([name, column]) => (name === 'id' || left.includes(name) ? [] : [column]))

const sent = {
  columns: [...columnsWithout([...LINKS, ...DELIVERY, ...OUTCOME]), 'sign_until', 'countersigner_id'],
} as const
const decided = { columns: columnsWithout(LINKS) } as const

/** Evidence of contracts: the text as it was sent, both signatures, and every end. */
export const contractEvidence = defineEvidence({
  of: contract,
  named: ({ number }) => `Contract ${String(number)}`,
  claims: 'true',
  rows: [],
  events: {
    sent,
    'sent again': sent,
    'countersigner changed': sent,
    signed: decided,
    countersigned: decided,
    declined: decided,
    expired: decided,
    cancelled: decided,
    'countersigner changed after signing': decided,
  },
  checks: [
    {
      text: `SELECT t.id, t.state FROM employment_contract t
        WHERE t.client_id = $1 AND t.state NOT IN ('sending', 'sent', 'opened') AND NOT EXISTS (
          SELECT FROM seal s WHERE s.client_id = t.client_id AND s.subject_type = '${contract.type}' AND s.subject_id = t.id
            AND s.event = CASE t.state WHEN 'complete' THEN 'countersigned' ELSE t.state END)
        ORDER BY t.id LIMIT 100`,
      untrue: ({ state }) => `its state is "${String(state)}", but no such event was sealed`,
    },
  ],
  columns: { body: 'text', sign_until: 'last day to sign', countersigner_id: 'countersigner' },
})

/** Evidence of stored PDFs of contracts, with the bytes of their files. */
export const contractPrintEvidence = defineEvidence({
  of: contractPrint,
  named: ({ contract_id }) => `The PDF of contract record ${String(contract_id)}`,
  claims: 'true',
  rows: [],
  file: { key: 'file_key', checksum: 'checksum' },
  events: { printed: { columns: ['contract_id', 'checksum', 'bytes', 'file_key', 'created_at'] } },
})
