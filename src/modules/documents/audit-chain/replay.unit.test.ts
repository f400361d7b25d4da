import { expect, test } from 'vitest'
import { findRecordMismatches } from '#server/evidence/compare.ts'
import { CHAIN_START_HASH, type ChainLink, digestSubject } from '#server/evidence/link.ts'
import { RecordReplayer } from '#server/evidence/replay.ts'
import { sealRecordColumns } from '#server/evidence/stored.ts'
import { defineDocumentEvidence } from './document-evidence.ts'

const sealed = { id: 7, title: 'Roof repairs', content: { location: 'Unit 4', heightOfFall: 3 }, state: 'complete' }

/** Returns a `RecordReplayer` that has replayed a chain with a single entry. */
function replayed(): RecordReplayer {
  const subject = { sealed: [sealRecordColumns(defineDocumentEvidence([]), sealed, ['title', 'content', 'state'])] }
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
  const replay = new RecordReplayer(defineDocumentEvidence([]), 7)
  replay.add(link)
  return replay
}

const said = (row: Readonly<Record<string, unknown>>) =>
  findRecordMismatches(replayed(), { row, rows: new Map(), files: new Map() })

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
