import { expect } from 'vitest'
import type { Tx } from '#server/db/db.ts'
import { makeAssessments } from './assessments.ts'
import type { Answer, TestPortal } from './portal.ts'
import { form } from './uploads.ts'

/** A client whose records are sealed in every way: documents in every state, signed, with a file, and a talk that was presented. */
export async function makeEvidence(portal: TestPortal) {
  const { client, author, worker, draft, current } = await makeAssessments(portal)
  const done = async (asked: Promise<Answer>) => {
    const answer = await asked
    expect([answer.status, answer.text]).toEqual([answer.status < 300 ? answer.status : 200, expect.anything()])
    return answer.body
  }
  const { headers, body } = form('Hours\n8\n', 'hours.csv')
  const file = await done(author.send('POST', `/api/safety/uploads/${client.id}`, { headers, body }))
  const act = (made: { '@id': string }, action: string, input = {}) =>
    done(author.post(`${made['@id']}/${action}`, input))
  const sealed = async (more: Record<string, unknown> = {}) => act(await draft(more), 'complete')

  const signed = await act(await sealed({ uploadedDocuments: [file['@id']] }), 'approve', { note: 'Read on site' })
  const document = `/api/safety/documents/${signed.id}`
  await done(author.post('/api/safety/signatures', { document, name: 'Ada Admin', method: 'typed' }))
  await done(worker.post('/api/safety/signatures', { document, name: 'Will Worker', method: 'typed' }))
  const waiting = await sealed()
  const rejected = await act(await sealed(), 'reject', { note: 'No edge protection' })
  const replaced = await current()
  const next = await act(replaced, 'revise')
  await act(next, 'complete')
  await act(next, 'approve')
  const moved = await current()
  await done(author.put(moved['@id'], { reviewDue: '2027-03-01' }))
  const open = await draft()

  const talk = await done(
    author.post('/api/safety/toolbox_talks', {
      title: 'Ladders',
      points: [{ text: 'Check the feet' }],
      complete: true,
      approved: true,
    }),
  )
  const attendees = [
    { name: 'Ada Admin', method: 'typed', signedAt: '2026-11-20T08:00:00Z' },
    { name: 'Zoë', absence: 'On holiday' },
  ]
  const presented = await done(
    author.post('/api/safety/toolbox_talk_presenteds', {
      talk: talk['@id'],
      presenter: 'Grace',
      date: '2026-11-20',
      attendees,
    }),
  )
  await done(author.put(presented['@id'], { complete: true }))
  await done(worker.post(`${presented['@id']}/sign`, { method: 'typed' }))
  return { client, author, worker, file, signed, waiting, rejected, replaced, next, moved, open, talk, presented }
}

/** Past every trigger and every foreign key, as the owner of a database gets. */
const UNGUARDED = 'SET LOCAL session_replication_role = replica'

/** What a client's evidence is stored in. */
const TABLES = [
  'document',
  'risk_item',
  'document_reference',
  'signature',
  'seal',
  'seal_head',
  'talk_presented',
  'talk_attendee',
  'uploaded_document',
]

/** Does something to a client's evidence as the owner of the database, looks, and puts everything back as it was. */
export async function whileForged<T>(
  portal: TestPortal,
  clientId: number,
  forge: (tx: Tx) => Promise<unknown>,
  look: () => Promise<T>,
): Promise<T> {
  const kept = await portal.db.tx('owner', async (tx) => {
    const rows = await Promise.all(
      TABLES.map((table) =>
        tx.rows<{ row: unknown }>(`SELECT to_jsonb(t) AS row FROM ${table} t WHERE client_id = $1`, [clientId]),
      ),
    )
    await tx.script(UNGUARDED)
    await forge(tx)
    return rows.map((all) => JSON.stringify(all.map(({ row }) => row)))
  })
  try {
    return await look()
  } finally {
    await portal.db.tx('owner', async (tx) => {
      await tx.script(UNGUARDED)
      for (const [i, table] of TABLES.entries()) {
        const [own] = await tx.rows<{ columns: string }>(
          `SELECT string_agg(quote_ident(attname), ', ') AS columns FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
          [table],
        )
        await tx.rows(`DELETE FROM ${table} WHERE client_id = $1`, [clientId])
        await tx.rows(
          `INSERT INTO ${table} (${own?.columns}) SELECT ${own?.columns} FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb)`,
          [kept[i]],
        )
      }
    })
  }
}
