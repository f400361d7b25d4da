import { defineEvidence, type EvidenceSpec, type StoredColumns } from '#kernel/evidence.ts'
import { presentedTalk } from './toolbox-talk.ts'

/** Columns of a closed record, without its attendees. */
const WORDS = [
  'talk_id',
  'title',
  'presenter',
  'presenter_visitor',
  'place',
  'date',
  'start_time',
  'finish_time',
  'notes',
  'complete',
  'signed',
  'author',
  'created_at',
  'retired',
]
const LATE = ['signed', 'complete', 'retired']

/** Evidence of a presented talk: closing seals the attendance, and each late signature is sealed separately. */
export const presentedTalkEvidence: EvidenceSpec = defineEvidence({
  of: presentedTalk,
  named: ({ id, title, date }) => `The talk "${String(title)}" presented on ${String(date)} (record ${String(id)})`,
  claims: 't.complete',
  rows: [
    { table: 'talk_attendee', by: 'presented_id', named: attendeeNamed, digested: ['strokes'] },
    { table: 'talk_correction', by: 'presented_id', named: ({ reason }) => `the correction "${String(reason)}"` },
  ],
  events: {
    closed: { columns: WORDS, rows: ['talk_attendee', 'talk_correction'] },
    'signed late': { columns: LATE, adds: 'talk_attendee' },
    retired: { columns: LATE },
    restored: { columns: LATE },
    adopted: { columns: WORDS, rows: ['talk_attendee', 'talk_correction'] },
  },
  columns: { talk_id: 'talk', signed: 'number of signatures', complete: '“closed” mark', retired: '“deleted” mark' },
})

function attendeeNamed({ name, signed_at }: StoredColumns): string {
  return signed_at ? `the signature of "${String(name)}"` : `the absence of "${String(name)}"`
}
