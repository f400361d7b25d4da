import { expect, test } from 'vitest'
import { defineEvidence, type EvidenceSpec } from '#kernel/evidence.ts'
import { findRecordMismatches } from '#server/evidence/compare.ts'
import { CHAIN_START_HASH, type ChainLink, digestSubject } from '#server/evidence/link.ts'
import { RecordReplayer } from '#server/evidence/replay.ts'
import { type SealedTable, sealRecordColumns, sealTableRows } from '#server/evidence/stored.ts'
import { defineDocumentEvidence } from './document-evidence.ts'

const sealed = { id: 7, title: 'Roof repairs', content: { location: 'Unit 4', heightOfFall: 3 }, state: 'complete' }

const documents = defineDocumentEvidence([])

/** Returns a `RecordReplayer` that has replayed a chain with a single entry, which seals these tables. */
function replayed(of: EvidenceSpec, ...tables: readonly SealedTable[]): RecordReplayer {
  const subject = { sealed: tables }
  const digest = digestSubject(subject)
  const link: ChainLink = {
    form: 2,
    place: 1,
    event: 'approved',
    subjectType: 'Document',
    subjectId: 7,
    subject,
    digest,
    previous: CHAIN_START_HASH,
    hash: '',
    at: '2026-01-01T00:00:00Z',
    by: 'ada',
  }
  const replay = new RecordReplayer(of, 7)
  replay.add(link)
  return replay
}

const said = (row: Readonly<Record<string, unknown>>) =>
  findRecordMismatches(replayed(documents, sealRecordColumns(documents, sealed, ['title', 'content', 'state'])), {
    row,
    rows: new Map(),
    files: new Map(),
  })

test('fields later added to or removed from a form are not reported', () => {
  // Since sealing, the form has lost the field `heightOfFall` and the table has gained a column.
  expect(said({ ...sealed, audience: 'everybody' })).toEqual([])
})

test('a changed, missing or added value in sealed content is reported', () => {
  for (const content of [{ location: 'Unit 5', heightOfFall: 3 }, { heightOfFall: 3 }, { ...sealed.content, more: 1 }])
    expect(said({ ...sealed, content })).toEqual([
      expect.stringMatching(/^its content \((location|more)\) has been changed/),
    ])
})

test('a column added after the entry was sealed is reported only once the column has a value', () => {
  expect(said({ ...sealed, change: null })).toEqual([])
  expect(said({ ...sealed, change: 'minor' })).toEqual([
    'its change category is "minor", but nothing was sealed by entry 1 ("approved")',
  ])
})

test('a column added to rows after they were sealed is reported once it differs from its value at that time', () => {
  const named = ({ name }: Readonly<Record<string, unknown>>) => `the signature of ${String(name)}`
  const attendees = { table: 'talk_attendee', by: 'presented_id', named, later: { pin_check: null } }
  const talks = defineEvidence({
    of: { type: 'Talk', table: 'talk' },
    named,
    claims: '',
    rows: [attendees],
    events: {},
  })
  const replay = replayed(talks, sealTableRows(attendees, [{ id: 1, name: 'Ada' }], true))
  const mismatches = (row: Readonly<Record<string, unknown>>) =>
    findRecordMismatches(replay, { row: { id: 7 }, rows: new Map([['talk_attendee', [row]]]), files: new Map() })
  expect(mismatches({ id: 1, name: 'Ada', pin_check: null })).toEqual([])
  expect(mismatches({ id: 1, name: 'Ada', pin_check: 'checked' })).toEqual([
    'the signature of Ada has been changed (pin check) since it was sealed by entry 1 ("approved")',
  ])
})
