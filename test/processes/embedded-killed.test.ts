import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createPortalEngine } from '#app/engine.ts'
import { readConfig } from '#server/config.ts'
import { openDb } from '#server/db/open.ts'
import { verifyEvidenceCommand as verify } from '#server/evidence/command.ts'
import { ASSESSMENTS_URL, makeCompleteAssessment } from '#test/support/assessments.ts'
import { copyDemoData } from '#test/support/demo-world.ts'
import { processFolder, type ServedPortal, servePortal } from './portal.ts'

// Kills a process between sealing a document, rendering its PDF and storing the file.

const env = { DATA_DIR: join(processFolder, 'killed') }
const stored = (clientId: number) => {
  const folder = join(env.DATA_DIR, 'files', String(clientId))
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('print-')) : []
}

/** Requests a document's PDF. Returns the status and the bytes. */
const ask = (server: ServedPortal, iri: string, token: string) =>
  fetch(`${server.origin}${iri}/pdf`, { headers: { authorization: `Bearer ${token}` } }).then(
    async (answer) => [answer.status, Buffer.from(await answer.arrayBuffer())] as const,
  )

/** Moments at which the server is killed, after it has reported a document as sealed. */
const MOMENTS: readonly ((server: ServedPortal, iri: string, token: string) => Promise<unknown>)[] = [
  async (server, iri, token) => {
    void ask(server, iri, token).catch(() => undefined)
    return server.call('GET', '/healthz')
  },
  async () => {
    const before = stored(1).length
    await expect.poll(() => stored(1).length, { interval: 2 }).toBeGreaterThan(before)
  },
]

test('a sealed document keeps its seal, has only one stored PDF, and passes verification after the server is killed', async () => {
  copyDemoData(env.DATA_DIR)
  let server = await servePortal(env)
  const sealed: { id: number; seal: string }[] = []
  for (const moment of MOMENTS) {
    const { token } = await server.signIn('admin.brick', 'Portal-demo-2026')
    const made = (await server.call('POST', ASSESSMENTS_URL, makeCompleteAssessment(), token)).body
    const { status, body } = await server.call('POST', `${made['@id']}/complete`, {}, token)
    expect([status, body.seal]).toEqual([200, expect.stringMatching(/^[0-9a-f]{64}$/)])
    sealed.push({ id: body.id, seal: body.seal })
    await moment(server, made['@id'], token)
    server.child.kill('SIGKILL')
    await server.ended

    server = await servePortal(env)
    const again = (await server.signIn('admin.brick', 'Portal-demo-2026')).token
    expect((await server.call('GET', made['@id'], undefined, again)).body).toMatchObject({
      state: 'complete',
      seal: body.seal,
    })
    const [first, second] = [await ask(server, made['@id'], again), await ask(server, made['@id'], again)]
    expect([first[0], first[1].subarray(0, 5).toString(), second[1].equals(first[1])]).toEqual([200, '%PDF-', true])
  }
  server.child.kill('SIGINT')
  expect(await server.ended).toBe(0)

  const config = readConfig({ DATA_DIR: env.DATA_DIR, LOG_LEVEL: 'silent' })
  const db = await openDb(config)
  try {
    const prints = await db.tx('system', (tx) =>
      tx.rows<{ id: number; kept: number; links: number; file_key: string }>(
        `SELECT d.id, count(*)::int AS kept, min(p.file_key) AS file_key,
           (SELECT count(*)::int FROM seal s WHERE s.client_id = d.client_id AND s.document_id = d.id AND s.event = 'printed') AS links
         FROM document d JOIN document_print p ON p.client_id = d.client_id AND p.document_id = d.id
         WHERE d.id = ANY($1) GROUP BY d.client_id, d.id ORDER BY d.id`,
        [sealed.map(({ id }) => id)],
      ),
    )
    expect(prints.map(({ id, kept, links }) => ({ id, kept, links }))).toEqual(
      sealed.map(({ id }) => ({ id, kept: 1, links: 1 })),
    )
    for (const { file_key } of prints) expect(existsSync(join(env.DATA_DIR, 'files', file_key))).toBe(true)
    expect(await verify(createPortalEngine(db, config), [])).toMatch(/are intact/)
  } finally {
    await db.close()
  }
})
