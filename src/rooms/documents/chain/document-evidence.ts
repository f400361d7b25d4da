import { textOf } from '#kernel/text.ts'
import { type Evidence, evidence, type Said, type Stored } from '../evidence/evidence.ts'
import { document } from '../kinds/document.ts'
import { formerWords } from './former-words.ts'

/** What a revision is, beside its words: who decided what on it, and whether it is in force. */
const STATE = [
  'state',
  'complete',
  'approved',
  'current',
  'retired',
  'approved_at',
  'approved_by',
  'decision_note',
  'review_due',
  'signature_count',
]

/** What a completed revision says, but for the rows that stand in tables of their own. */
const WORDS = [
  'kind',
  'number',
  'revision',
  'parent_id',
  'title',
  'industry_id',
  'is_template',
  'content',
  'author',
  'created_at',
  'completed_at',
  'completed_by',
]

const named = (what: string) => (row: Stored) => `${what} "${String(row.name)}"`

/** What of a controlled document of any kind is evidence. */
export const documentEvidence: Evidence = evidence({
  of: document,
  named: ({ number, revision }) => `${String(number)} revision ${String(revision)}`,
  claims:
    "t.seal IS NOT NULL OR t.complete OR t.state <> 'draft' OR EXISTS (SELECT 1 FROM signature g WHERE g.client_id = t.client_id AND g.document_id = t.id)",
  rows: [
    { table: 'risk_item', by: 'document_id', named: lineNamed, without: ['document_number'] },
    { table: 'signature', by: 'document_id', named: named('the signature of'), digested: ['strokes'] },
    {
      table: 'document_print',
      by: 'document_id',
      named: (row) => `the print ${String(row.checksum).slice(0, 8)}`,
      digested: ['material'],
      file: { key: 'file_key', checksum: 'checksum' },
    },
  ],
  events: {
    completed: { columns: [...WORDS, ...STATE], rows: ['risk_item'], files: true, mark: 'seal' },
    approved: { columns: STATE },
    rejected: { columns: STATE },
    replaced: { columns: STATE },
    retired: { columns: STATE },
    withdrawn: { columns: STATE },
    restored: { columns: STATE },
    'review moved': { columns: STATE },
    signed: { columns: ['signature_count'], adds: 'signature' },
    printed: { adds: 'document_print' },
    adopted: { columns: [...WORDS, ...STATE], rows: ['risk_item', 'signature'], files: true },
  },
  columns: {
    approved_by: 'approver',
    approved_at: 'time of approval',
    decision_note: 'note',
    review_due: 'review date',
    signature_count: 'number of signatures',
    seal: 'fingerprint',
    retired: 'mark as deleted',
    current: 'mark as current',
    complete: 'mark as complete',
    approved: 'mark as approved',
  },
  former: (event, subject): Said => (event === 'completed' ? formerWords(subject) : {}),
})

function lineNamed(row: Stored): string {
  const what = textOf(row.control_name) || textOf(row.hazard_name)
  return `its line ${Number(row.position) + 1} ("${what}")`
}
