import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { Tx } from '#server/db/db.ts'
import { makeEvidence, whileForged } from '#test/support/evidence.ts'
import { testPortal } from '#test/support/portal.ts'
import { verify } from './verify-all.server.ts'

const folder = mkdtempSync(join(tmpdir(), 'stanchion-evidence-'))
afterAll(() => rmSync(folder, { recursive: true }))
const portal = await (await testPortal()).with({ DATA_DIR: folder })
const { client, signed, waiting, rejected, replaced, next, moved, open, presented, file } = await makeEvidence(portal)
const look = async () => (await verify(portal.engine, client.id)).broken

/** One thing that the owner of a database does to it, and what must be said of it. */
type Forgery = readonly [what: string, sql: string, said: RegExp]

const called = (d: { documentNumber: string; revision: number }) => `${d.documentNumber} revision ${d.revision}: `
const of = (d: { documentNumber: string; revision: number }, rest: string) => new RegExp(called(d) + rest)
const document = (set: string, d: { id: number }) => `UPDATE document SET ${set} WHERE id = ${d.id}`
const line = `(SELECT min(id) FROM risk_item WHERE document_id = ${signed.id})`
const DRAFT = "state = 'draft', complete = false, approved = false, current = false, seal = NULL"

const words: readonly Forgery[] = [
  [
    'another title',
    document("title = 'Other'", signed),
    of(signed, 'its title is "Other", but "Roof repairs" was sealed'),
  ],
  [
    'other words',
    document(`content = content || '{"location": "Elsewhere"}'`, signed),
    of(signed, 'its content \\(location\\) has been changed'),
  ],
  [
    'words that were not there',
    document(`content = content || '{"project": "New"}'`, signed),
    of(signed, 'its content \\(project\\)'),
  ],
  [
    'another line',
    `UPDATE risk_item SET severity = 1 WHERE id = ${line}`,
    of(signed, 'its line 1 .* has been changed \\(ranking, severity\\)'),
  ],
  ['a line fewer', `DELETE FROM risk_item WHERE id = ${line}`, of(signed, 'its line 1 .* is gone')],
  [
    'a line more',
    `INSERT INTO risk_item (client_id, document_id, position, hazard_name) VALUES (${client.id}, ${signed.id}, 7, 'Noise')`,
    of(signed, 'its line 8 \\("Noise"\\) was added'),
  ],
  [
    'a line moved out',
    `UPDATE risk_item SET document_id = ${open.id} WHERE id = ${line}`,
    of(signed, 'its line 1 .* is gone'),
  ],
  [
    'a line moved in',
    `UPDATE risk_item SET document_id = ${signed.id} WHERE document_id = ${open.id} AND position = 0`,
    of(signed, 'its line 1 .* was added'),
  ],
  [
    'lines in another order',
    `UPDATE risk_item SET position = 1 - position WHERE document_id = ${signed.id}`,
    of(signed, 'its line 1 .* has been changed \\(position\\)'),
  ],
  [
    'forged words after a reset to draft',
    document(`${DRAFT}, title = 'Forged'`, signed),
    of(signed, 'its title is "Forged"'),
  ],
]

const states: readonly Forgery[] = [
  ['another approver', document("approved_by = 'eve'", signed), of(signed, 'its approver is "eve"')],
  [
    'another time of approval',
    document("approved_at = approved_at - interval '1 year'", signed),
    of(signed, 'its time of approval is'),
  ],
  [
    'another note',
    document("decision_note = 'Fine'", signed),
    of(signed, 'its note is "Fine", but "Read on site" was sealed'),
  ],
  [
    'approved by nobody',
    document("state = 'current', current = true", waiting),
    of(waiting, 'its state is "current", but "complete" was sealed'),
  ],
  [
    'a rejected one made current',
    document("state = 'current', current = true, retired = false", rejected),
    of(rejected, 'its state is "current", but "rejected" was sealed'),
  ],
  [
    'a replaced one made current',
    `${document("state = 'replaced', current = false", next)}; ${document("state = 'current', current = true", replaced)}`,
    of(replaced, 'its state is "current"'),
  ],
  [
    'the current one withdrawn in silence',
    document('retired = true, current = false', signed),
    of(signed, 'its mark as deleted is true'),
  ],
  [
    'another review date',
    document("review_due = '2099-01-01'", moved),
    of(moved, 'its review date is "2099-01-01", but "2027-03-01" was sealed'),
  ],
  ['no review date', document('review_due = NULL', signed), of(signed, 'its review date is nothing')],
  [
    'a sealed one set to draft, its words kept',
    document(DRAFT, signed),
    of(signed, 'its state is "draft", but "current" was sealed'),
  ],
  [
    'a material change made a minor one',
    document("change = 'minor'", next),
    of(next, 'its kind of change is "minor", but "material" was sealed'),
  ],
  [
    'a kind of change where nothing was approved',
    document("change = 'minor', approved = true", waiting),
    of(waiting, 'its kind of change is "minor"'),
  ],
  ['a fingerprint of somebody’s own', document("seal = 'f00'", signed), of(signed, 'its fingerprint is "f00"')],
  [
    'a document without a chain',
    document(`state = 'current', complete = true, current = true, approved = true, seal = 'f00'`, open),
    of(open, 'the chain has no entry for it'),
  ],
  [
    'a document removed',
    `DELETE FROM risk_item WHERE document_id = ${waiting.id}; DELETE FROM document WHERE id = ${waiting.id}`,
    of(waiting, 'it is gone'),
  ],
]

const signature = (set: string) =>
  `UPDATE signature SET ${set} WHERE document_id = ${signed.id} AND name = 'Will Worker'`
const changed = (column: string) => of(signed, `the signature of "Will Worker" has been changed \\(${column}\\)`)
const copied = (to: number) =>
  `INSERT INTO signature (client_id, document_id, name, method, statement) VALUES (${client.id}, ${to}, 'Eve', 'typed', '')`

const signatures: readonly Forgery[] = [
  ['a signature under another name', signature("name = 'Eve'"), changed('name')],
  ['another method', signature("method = 'on behalf'"), changed('method')],
  ['other strokes', signature(`strokes = '{"width": 1}'`), changed('strokes')],
  ['another time of signing', signature("signed_at = signed_at - interval '1 day'"), changed('signed at')],
  ['another statement', signature("statement = 'I disagree'"), changed('statement')],
  ['another account', signature('user_id = NULL'), changed('user id')],
  [
    'a signature removed',
    `DELETE FROM signature WHERE document_id = ${signed.id} AND name = 'Will Worker'`,
    of(signed, 'the signature of "Will Worker" is gone'),
  ],
  [
    'all signatures removed',
    `DELETE FROM signature WHERE client_id = ${client.id}`,
    of(signed, 'the signature of "Ada Admin" is gone'),
  ],
  ['a signature inserted', copied(signed.id), of(signed, 'the signature of "Eve" was added')],
  [
    'a signature inserted under what nobody signed',
    copied(waiting.id),
    of(waiting, 'the signature of "Eve" was added'),
  ],
  ['a signature under a draft', copied(open.id), of(open, 'the chain has no entry for it')],
  [
    'a signature moved',
    `UPDATE signature SET document_id = ${moved.id} WHERE name = 'Will Worker' AND document_id = ${signed.id}`,
    of(moved, 'the signature of "Will Worker" was added'),
  ],
  ['another count of signatures', document('signature_count = 9', signed), of(signed, 'its number of signatures is 9')],
]

const attendee = (set: string) =>
  `UPDATE talk_attendee SET ${set} WHERE presented_id = ${presented.id} AND signed_at IS NOT NULL AND NOT late`
const late = `presented_id = ${presented.id} AND late`
const told = (rest: string) =>
  new RegExp(`The talk "Ladders" presented on 2026-11-20 \\(record ${presented.id}\\): ${rest}`)
const talks: readonly Forgery[] = [
  [
    'an attendee under another name',
    attendee("name = 'Eve'"),
    told('the signature of "Ada Admin" has been changed \\(name\\)'),
  ],
  [
    'an attendee removed',
    `DELETE FROM talk_attendee WHERE presented_id = ${presented.id} AND absence IS NULL AND NOT late`,
    told('the signature of "Ada Admin" is gone'),
  ],
  [
    'an attendee inserted',
    `INSERT INTO talk_attendee (client_id, presented_id, name, signed_at) VALUES (${client.id}, ${presented.id}, 'Eve', now())`,
    told('the signature of "Eve" was added'),
  ],
  [
    'a late signature under another name',
    `UPDATE talk_attendee SET name = 'Eve' WHERE ${late}`,
    told('the signature of "Will Worker" has been changed \\(name\\)'),
  ],
  [
    'a late signature that is late no more',
    `UPDATE talk_attendee SET late = false, signed_at = signed_at - interval '1 day' WHERE ${late}`,
    told('the signature of "Will Worker" has been changed \\(late, signed at\\)'),
  ],
  [
    'a late signature removed',
    `DELETE FROM talk_attendee WHERE ${late}`,
    told('the signature of "Will Worker" is gone'),
  ],
  [
    'a late signature added',
    `INSERT INTO talk_attendee (client_id, presented_id, name, method, signed_at, late) VALUES (${client.id}, ${presented.id}, 'Eve', 'typed', now(), true)`,
    told('the signature of "Eve" was added'),
  ],
  [
    'an absent person who signed late without a link',
    `UPDATE talk_attendee SET signed_at = now(), method = 'typed', late = true WHERE presented_id = ${presented.id} AND name = 'Zoë'`,
    told('the absence of "Zoë" has been changed'),
  ],
  [
    'another number of signatures',
    `UPDATE talk_presented SET signed = 1 WHERE id = ${presented.id}`,
    told('its number of signatures is 1, but 2 was sealed'),
  ],
  [
    'another presenter',
    `UPDATE talk_presented SET presenter = 'Eve' WHERE id = ${presented.id}`,
    told('its presenter is "Eve", but "Grace" was sealed'),
  ],
  [
    'another day',
    `UPDATE talk_presented SET date = '2026-11-21' WHERE id = ${presented.id}`,
    /its date is "2026-11-21"/,
  ],
  [
    'a closed record opened',
    `UPDATE talk_presented SET complete = false WHERE id = ${presented.id}`,
    told('its mark as closed is false'),
  ],
  [
    'a closed record that nobody closed',
    `INSERT INTO talk_presented (client_id, talk_id, title, presenter, date, complete) VALUES (${client.id}, 1, 'Fire', 'Eve', '2026-11-20', true)`,
    /The talk "Fire" .*: the chain has no entry for it/,
  ],
]

const upload = (set: string) => `UPDATE uploaded_document SET ${set} WHERE id = ${file.id}`
const files: readonly Forgery[] = [
  [
    'another file under the same name',
    upload("file_key = '1/other'"),
    of(signed, 'the file "hours.csv" that it refers to has been changed \\(file key\\)'),
  ],
  ['another checksum', upload("checksum = 'f00'"), of(signed, 'the file "hours.csv" .* \\(checksum\\)')],
  ['another name of a file', upload("name = 'nights.csv'"), of(signed, 'the file "hours.csv" .* \\(name\\)')],
  [
    'a file’s record removed',
    `DELETE FROM uploaded_document WHERE id = ${file.id}`,
    of(signed, 'the file "hours.csv" that it refers to is gone'),
  ],
]

const seal = (set: string, where: string) => `UPDATE seal SET ${set} WHERE client_id = ${client.id} AND ${where}`
const links: readonly Forgery[] = [
  [
    'another subject',
    seal(`subject = '{"sealed": []}'`, 'place = 2'),
    /what entry 2 of the chain \("approved"\) sealed has been changed/,
  ],
  ['another author of a link', seal("by = 'eve'", 'place = 2'), /Entry 2 .*: its own entry has been changed/],
  [
    'another time of a link',
    seal("at = at - interval '1 day'", 'place = 2'),
    /Entry 2 .*: its own entry has been changed/,
  ],
  [
    'a link about another record',
    seal(`subject_id = ${waiting.id}`, 'place = 2'),
    /Entry 2 .*: its own entry has been changed/,
  ],
  ['a link removed', `DELETE FROM seal WHERE client_id = ${client.id} AND place = 2`, /entry 2 is missing/],
  [
    'links in another order',
    `${seal('place = -3', 'place = 3')}; ${seal('place = 3', 'place = 2')}; ${seal('place = 2', 'place = -3')}`,
    /Entry 2 .*: it does not follow the entry before it/,
  ],
  [
    'the whole chain removed while the records stay',
    `DELETE FROM seal WHERE client_id = ${client.id}`,
    of(signed, 'the chain has no entry for it'),
  ],
]

test('an honest client’s evidence is what its chain says', async () => {
  expect(await verify(portal.engine, client.id)).toMatchObject({ links: 21, broken: [] })
})

describe.each([
  ['words', words],
  ['states', states],
  ['signatures', signatures],
  ['presented talks', talks],
  ['files', files],
  ['links', links],
])('of forged %s, verify names', (_, forgeries) => {
  test.each(forgeries)('%s', async (_what, sql, said) => {
    const found = await whileForged(portal, client.id, (tx: Tx) => tx.script(sql), look)
    expect(found).toContainEqual(expect.stringMatching(said))
  })
})

test('verify names a file whose bytes are others, and one whose bytes are gone', async () => {
  const [kept] = await portal.db.tx('system', (tx) =>
    tx.rows<{ key: string }>('SELECT file_key AS key FROM uploaded_document WHERE id = $1', [file.id]),
  )
  const path = join(folder, 'files', String(kept?.key))
  const restore = (text: string) => writeFileSync(path, text)
  restore('Hours\n9\n')
  expect(await look()).toEqual([
    expect.stringContaining('the bytes of the file "hours.csv" that it refers to are not those'),
  ])
  rmSync(path)
  expect(await look()).toEqual([expect.stringContaining('are missing')])
  restore('Hours\n8\n')
  expect(await look()).toEqual([])
})
