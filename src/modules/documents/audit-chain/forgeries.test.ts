import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createEngine } from '#server/engine/engine.ts'
import { registryOf } from '#server/engine/registry.ts'
import { verifyEvidenceCommand } from '#server/evidence/command.ts'
import { daysAgo } from '#test/support/days.ts'
import { makeEvidence } from '#test/support/evidence.ts'
import { withForgery } from '#test/support/forging.ts'
import { testPortal } from '#test/support/portal.ts'
import { packEvidence } from '../packs/document-pack.ts'
import { type DocumentKind, defineDocumentKind } from '../types/kind.ts'
import { collectDocumentKinds } from '../types/kinds.server.ts'
import { defineDocumentEvidence } from './document-evidence.ts'

// Forgeries by a database owner with triggers disabled. Each has the expected output of the verify command, which names
// the record and the event that sealed it. Earlier versions detected only the first eleven forgeries.

const folder = mkdtempSync(join(tmpdir(), 'stanchion-forgeries-'))
afterAll(() => rmSync(folder, { recursive: true }))
const portal = await (await testPortal()).with({ DATA_DIR: folder })
const made = await makeEvidence(portal)
const { client, signed, waiting, rejected, moved, open, presented, file, withdrawn, deleted } = made
await portal.runSchedule('evidence.heads')
const [chain] = await portal.db.tx('system', (tx) =>
  tx.rows<{ entries: number }>('SELECT max(place) AS entries FROM seal WHERE client_id = $1', [client.id]),
)
const entries = chain?.entries ?? 0

const verify = () => verifyEvidenceCommand(portal.engine, ['--client', String(client.id)])
const told = (sql: string) =>
  withForgery(
    portal,
    client.id,
    (tx) => tx.script(sql),
    () =>
      verify().then(
        () => [],
        (e: Error) => e.message.split('\n'),
      ),
  )

interface Forgery {
  readonly name: string
  /** SQL statements, executed one by one. */
  readonly sql: readonly string[]
  readonly said: readonly RegExp[]
}
const forgery = (name: string, sql: string | readonly string[], ...said: readonly RegExp[]): Forgery => ({
  name,
  sql: typeof sql === 'string' ? [sql] : sql,
  said,
})

const called = ({ documentNumber, revision }: { documentNumber: string; revision: number }) =>
  `${documentNumber} revision ${revision}`
const of = (d: { documentNumber: string; revision: number }, rest: string, event = 'completed') =>
  new RegExp(`, ${called(d)}: ${rest}.*entry \\d+ \\("${event}"\\)`)
const document = (set: string, d: { id: number }) => `UPDATE document SET ${set} WHERE id = ${d.id}`
const line = `(SELECT min(id) FROM risk_item WHERE document_id = ${signed.id})`
const DRAFT = "state = 'draft', complete = false, approved = false, current = false, seal = NULL"
const mine = `client_id = ${client.id}`
const about = (d: { id: number }) => `subject_type = 'Document' AND subject_id = ${d.id}`
const removed = (d: { id: number }) =>
  `DELETE FROM risk_item WHERE document_id = ${d.id}; DELETE FROM document WHERE id = ${d.id}`
const seal = (set: string, where: string) => `UPDATE seal SET ${set} WHERE ${mine} AND ${where}`
const signature = (set: string) =>
  `UPDATE signature SET ${set} WHERE document_id = ${signed.id} AND name = 'Will Worker'`
const record = (rest: string) =>
  new RegExp(`, The talk "Ladders" presented on (?:${daysAgo(5)}|${daysAgo(6)}) \\(record ${presented.id}\\): ${rest}`)
const entryOf = (event: string, d: typeof signed, rest: string) =>
  new RegExp(`, Entry \\d+ of the chain \\("${event}" of ${called(d)}\\): ${rest}`)

const FOUND_FROM_THE_FIRST: readonly Forgery[] = [
  forgery(
    '1: another title',
    document("title = 'Other'", signed),
    of(signed, 'its title is "Other", but "Roof repairs"'),
  ),
  forgery(
    '2: other words of the form',
    [
      document(`content = content || '{"location": "Elsewhere"}'`, signed),
      document(`content = content || '{"project": "New"}'`, signed),
    ],
    of(signed, 'its content \\((location|project)\\) has been changed'),
  ),
  forgery(
    '3: a line that says something else',
    `UPDATE risk_item SET severity = 1 WHERE id = ${line}`,
    of(signed, 'its line 1 .* has been changed \\(ranking, severity\\)'),
  ),
  forgery('4: a line removed', `DELETE FROM risk_item WHERE id = ${line}`, of(signed, 'its line 1 .* is missing')),
  forgery(
    '5: a line moved out of a sealed document',
    `UPDATE risk_item SET document_id = ${open.id} WHERE id = ${line}`,
    of(signed, 'its line 1 .* is missing'),
  ),
  forgery(
    '6: a revision removed with its entries, in the middle',
    `${removed(waiting)}; DELETE FROM seal WHERE ${mine} AND ${about(waiting)}`,
    entryOf('completed', rejected, 'entry \\d+ is missing'),
  ),
  forgery(
    '7: a revision removed, its entries kept',
    removed(waiting),
    new RegExp(`, ${called(waiting)}: it is missing, though entry \\d+ of the chain \\("\\w+"\\) records it`),
  ),
  forgery(
    '8: entries in another order',
    `${seal('place = -2', 'place = 2')}; ${seal('place = 2', 'place = 1')}; ${seal('place = 1', 'place = -2')}`,
    entryOf('approved', signed, 'it does not follow the entry before it'),
  ),
  forgery(
    '9: another subject of an entry',
    seal(`subject = '{"sealed": []}'`, 'place = 2'),
    new RegExp(`, ${called(signed)}: the content that entry 2 of the chain \\("approved"\\) sealed has been changed`),
  ),
  forgery(
    '10: another time of an entry, another author',
    [seal("at = at - interval '1 day'", 'place = 2'), seal("by = 'eve'", 'place = 2')],
    entryOf('approved', signed, 'its own entry has been changed'),
  ),
  forgery(
    '11: forged words after a reset to draft',
    document(`${DRAFT}, title = 'Forged'`, signed),
    of(signed, 'its title is "Forged"'),
    of(signed, 'its state is "draft"', 'approved'),
  ),
]

const ONCE_UNNOTICED: readonly Forgery[] = [
  forgery(
    '12: a signature under another name',
    signature("name = 'Eve'"),
    of(signed, 'the signature of "Will Worker" has been changed \\(name\\)', 'signed'),
  ),
  forgery(
    '13: another method, other strokes, another time of signing',
    signature(`method = 'finger', strokes = '{"width": 1}', signed_at = signed_at - interval '1 day'`),
    of(signed, 'the signature of "Will Worker" has been changed \\(method, signed at, strokes\\)', 'signed'),
  ),
  forgery(
    '14: signatures removed',
    `DELETE FROM signature WHERE document_id = ${signed.id}`,
    of(signed, 'the signature of "Will Worker" is missing', 'signed'),
    of(signed, 'the signature of "Ada Admin" is missing', 'signed'),
  ),
  forgery(
    '15: a signature inserted: where others signed, where nobody did, under a draft',
    `INSERT INTO signature (client_id, document_id, place, name, method, statement) SELECT ${client.id}, d, 9, 'Eve', 'typed', ''
       FROM unnest(ARRAY[${signed.id}, ${waiting.id}, ${open.id}]) d`,
    new RegExp(`, ${called(signed)}: the signature of "Eve" was added without an entry in the chain`),
    new RegExp(`, ${called(waiting)}: the signature of "Eve" was added without an entry in the chain`),
    new RegExp(`, ${called(open)}: the chain has no entry for it`),
  ),
  forgery(
    '16: another approver, another time of approval',
    document("approved_by = 'eve', approved_at = approved_at - interval '1 year'", signed),
    of(signed, 'its approver is "eve"', 'approved'),
    of(signed, 'its time of approval is', 'approved'),
  ),
  forgery(
    '17: a complete one put in force without approval',
    document("state = 'current', current = true", waiting),
    of(waiting, 'its state is "current", but "complete"'),
  ),
  forgery(
    '18: a rejected one put in force',
    document("state = 'current', current = true, retired = false, ended_by = NULL, ended_at = NULL", rejected),
    of(rejected, 'its state is "current", but "rejected"', 'rejected'),
  ),
  forgery(
    '19: the current one withdrawn in silence',
    document('retired = true, current = false', signed),
    of(signed, 'its “deleted” mark is true', 'approved'),
  ),
  forgery(
    '20: the review date moved, and taken away',
    [document("review_due = '2099-01-01'", moved), document('review_due = NULL', moved)],
    of(moved, 'its review date is ("2099-01-01"|nothing), but "2027-03-01"', 'audience changed'),
  ),
  forgery(
    '21: a sealed one set to draft, its words kept',
    document(DRAFT, signed),
    of(signed, 'its state is "draft", but "current"', 'approved'),
    of(signed, 'its fingerprint is nothing'),
  ),
  forgery(
    '22: the chain’s last entry cut off',
    `DELETE FROM seal WHERE ${mine} AND place = ${entries}`,
    new RegExp(
      `, The signed head of ${entries} entries: it was signed .*, but the chain ends with entry ${entries - 1}`,
    ),
    /, The pack "RA-\d+ Roof repairs": the chain has no entry for it/,
  ),
  forgery(
    '23: the chain’s tail cut off with its documents',
    `${removed(moved)}; DELETE FROM document_print WHERE document_id = ${moved.id};
     DELETE FROM seal WHERE ${mine} AND place >= (SELECT min(place) FROM seal WHERE ${mine} AND ${about(moved)})`,
    new RegExp(`, The signed head of ${entries} entries: it was signed .*, but the chain ends with entry`),
  ),
  forgery(
    '24: a whole client’s chain removed with its documents and its heads',
    [
      'risk_item',
      'document_reference',
      'signature',
      'document_print',
      'document_pack',
      'talk_attendee',
      'talk_presented',
      'seal_head',
      'seal',
      'document',
    ]
      .map((table) => `DELETE FROM ${table} WHERE ${mine}`)
      .join('; '),
    new RegExp(`Client ${client.id} .*, The signed head of ${entries} entries: .* but the chain ends with entry 0`),
  ),
  forgery(
    '25: a whole chain removed while the documents stay',
    `DELETE FROM seal WHERE ${mine}`,
    ...[signed, waiting, rejected, made.replaced, made.next, moved].map(
      (d) => new RegExp(`, ${called(d)}: the chain has no entry for it`),
    ),
    record('the chain has no entry for it'),
  ),
  forgery(
    '26: a closed talk’s attendees, presenter and day',
    `UPDATE talk_attendee SET name = 'Eve' WHERE presented_id = ${presented.id} AND name = 'Ada Admin';
     DELETE FROM talk_attendee WHERE presented_id = ${presented.id} AND late;
     INSERT INTO talk_attendee (client_id, presented_id, name, signed_at) VALUES (${client.id}, ${presented.id}, 'Mallory', now());
     UPDATE talk_presented SET presenter = 'Eve', date = '${daysAgo(5)}' WHERE id = ${presented.id}`,
    record('the signature of "Ada Admin" has been changed \\(name\\) since it was sealed by entry \\d+ \\("closed"\\)'),
    record('the signature of "Will Worker" is missing; it was sealed by entry \\d+ \\("signed late"\\)'),
    record('the signature of "Mallory" was added'),
    record('its presenter is "Eve", but "Grace" was sealed by entry \\d+ \\("closed"\\)'),
    record(`its date is "${daysAgo(5)}", but "${daysAgo(6)}" was sealed by entry \\d+ \\("closed"\\)`),
  ),
  forgery(
    '27: an upload’s key, checksum and name',
    `UPDATE uploaded_document SET file_key = '1/other', checksum = 'f00', name = 'nights.csv' WHERE id = ${file.id}`,
    of(signed, 'the file "hours.csv" that it refers to has been changed \\(name, checksum, file key\\)'),
  ),
]

const OF_HOW_MANY: readonly Forgery[] = [
  forgery(
    'more signatures than there are',
    signature('place = 12'),
    of(signed, 'the signature of "Will Worker" has been changed \\(place\\)', 'signed'),
    new RegExp(`, ${called(signed)}: the signature of "Will Worker" has position 12, but is number \\d`),
  ),
]

const OF_WHO_DECIDED: readonly Forgery[] = [
  forgery(
    'another who withdrew it, another day',
    document("ended_by = 'eve', ended_at = ended_at - interval '1 year'", withdrawn),
    of(withdrawn, 'its record of who withdrew, rejected or deleted it is "eve"', 'withdrawn'),
    of(withdrawn, 'its time of withdrawal, rejection or deletion is', 'withdrawn'),
  ),
  forgery(
    'nobody any more who rejected it',
    document('ended_by = NULL, ended_at = NULL', rejected),
    of(rejected, 'its record of who withdrew, rejected or deleted it is nothing', 'rejected'),
  ),
  forgery(
    'another who deleted it',
    document("ended_by = 'eve'", deleted),
    of(deleted, 'its record of who withdrew, rejected or deleted it is "eve"', 'retired'),
  ),
  forgery(
    'another who set the review, another day',
    document("review_set_by = 'eve', review_set_at = review_set_at - interval '1 year'", moved),
    of(moved, 'its record of who set the review date is "eve"', 'audience changed'),
    of(moved, 'its time of the review date change is', 'audience changed'),
  ),
]

test('verification reports no problems for a client whose records are untampered', async () => {
  expect(await verify()).toContain(`${entries} entries from 1 client are intact`)
})

describe('a client with untampered records', () => {
  test('verification passes even if forms have since lost all fields but the first', async () => {
    const less = (kind: DocumentKind): DocumentKind => {
      const [step] = kind.schema.steps
      const [group] = step?.groups ?? []
      const steps = step && group ? [{ ...step, groups: [{ ...group, fields: group.fields.slice(0, 1) }] }] : []
      return defineDocumentKind({ ...kind, schema: { ...kind.schema, steps }, fieldOptions: {} })
    }
    const kinds = collectDocumentKinds(registryOf(portal.engine).modules).map(less)
    const modules = registryOf(portal.engine).modules.map((module) =>
      module.name === 'documents' ? { ...module, evidence: [defineDocumentEvidence(kinds), packEvidence] } : module,
    )
    const changed = createEngine(portal.db, portal.engine.config, modules)
    expect(await verifyEvidenceCommand(changed, ['--client', String(client.id)])).toContain('are intact')
  })

  test('verification passes after the client has been retired', async () => {
    const roles = ['ROLE_STAFF', 'ROLE_CLIENTS_ADMIN']
    const keeper = portal.provider.as(await portal.provider.user({ roles }))
    expect((await keeper.put(client.iri, { retired: true })).body).toMatchObject({ retired: true })
    expect(await verify()).toContain('are intact')
    expect((await keeper.put(client.iri, { retired: false })).status).toBe(200)
  })
})

describe.each([
  ['that earlier versions also detected', FOUND_FROM_THE_FIRST],
  ['that earlier versions missed', ONCE_UNNOTICED],
  ['of the person or time of a decision', OF_WHO_DECIDED],
  ['of the number of signatures', OF_HOW_MANY],
])('verification detects and describes a forgery %s:', (_, forgeries) => {
  test.each(forgeries)('$name', async ({ sql, said }) => {
    for (const one of sql) {
      const findings = await told(one)
      for (const expected of said) expect(findings).toContainEqual(expect.stringMatching(expected))
    }
  })
})

test('the two numbered lists of forgeries have twenty-seven entries in total', () => {
  expect([FOUND_FROM_THE_FIRST.length, ONCE_UNNOTICED.length]).toEqual([11, 16])
})
