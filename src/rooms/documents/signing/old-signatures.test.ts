import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeAssessments } from '#test/support/assessments.ts'
import { testPortal } from '#test/support/portal.ts'

const MIGRATION = readFileSync(join(import.meta.dirname, '../../../../db/migrations/0060_whose_signature.sql'), 'utf8')
/** The tables as they were. */
const BEFORE = `
DROP INDEX signature_own, signature_behalf, signature_document, talk_attendee_own, user_account_called;
ALTER TABLE signature DROP signer_id, DROP visitor, DROP again;
ALTER TABLE talk_attendee DROP user_id, DROP signer_id, DROP visitor;
DROP FUNCTION folded_name;
CREATE UNIQUE INDEX signature_name ON signature (client_id, document_id, lower(name));`

const portal = await testPortal()
const { client, worker, current } = await makeAssessments(portal)

class Undone extends Error {}

test('signatures from before keep their words, and are said to be what they prove', async () => {
  const { id } = await current()
  const { id: will, username } = (await worker.get('/api/security/user_check')).body
  const signed = [
    { name: 'Will Worker', user_id: will, mine: true, method: 'typed', author: username },
    // The same account under another name, which nothing refused.
    { name: 'W. Worker', user_id: will, mine: true, method: 'typed', author: username },
    // Somebody worked as them.
    { name: 'Sam Staff', user_id: null, mine: true, method: 'typed', author: 'staff' },
    { name: 'Vic', user_id: null, mine: false, method: 'typed', author: username },
    { name: 'ada  admin', user_id: null, mine: false, method: 'typed', author: username },
    { name: 'Pat', user_id: null, mine: false, method: 'on behalf', by_name: 'Will', author: username.toUpperCase() },
  ]
  const words = 'name, user_id, mine, method, by_name, author, strokes, signed_at'
  const attended = [
    { name: 'Will Worker', method: 'typed', signed_at: '2026-01-02T08:00:00Z' },
    { name: 'will worker', method: null, signed_at: null },
    { name: 'Vic', method: null, signed_at: null },
  ]
  const found = portal.db.tx('owner', async (tx) => {
    await tx.script(BEFORE)
    await tx.script(`SET LOCAL ROLE stanchion_system`)
    const [talk] = await tx.rows<{ id: number }>(
      `INSERT INTO talk_presented (client_id, talk_id, presenter, date) VALUES ($1, $2, 'Ada', '2026-01-02') RETURNING id`,
      [client.id, id],
    )
    await tx.rows(
      `INSERT INTO signature (client_id, document_id, name, user_id, mine, method, by_name, author)
       SELECT $1, $2, name, user_id, mine, method, by_name, author FROM jsonb_populate_recordset(NULL::signature, $3::jsonb)`,
      [client.id, id, JSON.stringify(signed)],
    )
    await tx.rows(
      `INSERT INTO talk_attendee (client_id, presented_id, name, method, signed_at)
       SELECT $1, $2, name, method, signed_at FROM jsonb_populate_recordset(NULL::talk_attendee, $3::jsonb)`,
      [client.id, talk?.id, JSON.stringify(attended)],
    )
    await tx.rows('UPDATE talk_presented SET complete = true WHERE client_id = $1 AND id = $2', [client.id, talk?.id])
    const read = () => tx.rows(`SELECT ${words} FROM signature WHERE client_id = $1 ORDER BY id`, [client.id])
    const before = await read()
    await tx.script('SET LOCAL ROLE NONE')
    await tx.script(MIGRATION)
    await tx.script('SET LOCAL ROLE stanchion_system')
    const told = {
      before,
      after: await read(),
      signatures: await tx.rows('SELECT signer_id, visitor, again FROM signature WHERE client_id = $1 ORDER BY id', [
        client.id,
      ]),
      attendees: await tx.rows(
        'SELECT user_id, signer_id, visitor FROM talk_attendee WHERE client_id = $1 ORDER BY id',
        [client.id],
      ),
      guard: await tx.rows(
        "SELECT tgenabled FROM pg_trigger WHERE tgname IN ('append_only', 'talk_closed') AND tgrelid IN ('signature'::regclass, 'talk_attendee'::regclass)",
      ),
      mayChange: await tx.rows("SELECT has_table_privilege('stanchion_system', 'signature', 'UPDATE') AS may"),
    }
    throw Object.assign(new Undone(), { told })
  })
  const told = await found.catch((e: unknown) => {
    if (e instanceof Undone && 'told' in e) return e.told as Record<string, unknown[]>
    throw e
  })
  expect(told.after).toEqual(told.before)
  expect(told.signatures).toEqual([
    { signer_id: will, visitor: false, again: false },
    { signer_id: will, visitor: false, again: true },
    { signer_id: null, visitor: false, again: false },
    { signer_id: null, visitor: true, again: false },
    { signer_id: null, visitor: false, again: false },
    { signer_id: will, visitor: true, again: false },
  ])
  expect(told.attendees).toEqual([
    { user_id: null, signer_id: null, visitor: false },
    { user_id: will, signer_id: null, visitor: false },
    { user_id: null, signer_id: null, visitor: true },
  ])
  expect(told.guard).toEqual([{ tgenabled: 'O' }, { tgenabled: 'O' }])
  expect(told.mayChange).toEqual([{ may: false }])
})
