import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { verifyEvidence } from '#server/evidence/verify.ts'
import { fileStoreFor } from '#server/files/store.ts'
import { makeGradientPicture } from '#test/pdf/samples.ts'
import { extractText } from '#test/pdf/words.ts'
import { type AssessmentHelpers, makeAssessments } from '#test/support/assessments.ts'
import { type TestPortal, testPortal } from '#test/support/portal.ts'

let portal: TestPortal
let made: AssessmentHelpers

beforeAll(async () => {
  portal = await testPortal()
  made = await makeAssessments(portal)
})

const sql = <T>(text: string, values: readonly unknown[] = []) =>
  portal.db.tx('system', (tx) => tx.rows<T>(text, values))

interface StoredPrint {
  readonly checksum: string
  readonly file_key: string
  readonly bytes: number
}
const keptOf = (id: number) =>
  sql<StoredPrint>(
    'SELECT checksum, file_key, bytes FROM document_print WHERE client_id = $1 AND document_id = $2 ORDER BY id',
    [made.client.id, id],
  )
const linksOf = (id: number) =>
  sql<{ event: string; subject: unknown }>(
    'SELECT event, subject FROM seal WHERE client_id = $1 AND document_id = $2 ORDER BY place',
    [made.client.id, id],
  )
const fileOf = async (iri: string) => {
  const answer = await made.author.get(`${iri}/pdf`)
  expect(answer.status).toBe(200)
  return answer.raw ?? Buffer.alloc(0)
}

describe('the stored PDF of a sealed revision', () => {
  test('the stored PDF is rendered after the commit, with its checksum in the audit chain', async () => {
    const { id, '@id': iri } = await made.current()
    await portal.drain()
    const [kept, ...more] = await keptOf(id)
    expect(more).toEqual([])
    const pdf = await fileOf(iri)
    expect(createHash('sha256').update(pdf).digest('hex')).toBe(kept?.checksum)
    const printed = (await linksOf(id)).filter((l) => l.event === 'printed')
    expect(printed).toHaveLength(1)
    expect(JSON.stringify(printed)).toContain(kept?.checksum)
    expect((await verifyEvidence(portal.engine, made.client.id)).broken).toEqual([])
  })

  test("the stored PDF is unchanged after the company's name and address have changed", async () => {
    const { '@id': iri } = await made.current()
    const before = await fileOf(iri)
    await sql("UPDATE client SET company = 'Renamed plc', address1 = 'Elsewhere' WHERE id = $1", [made.client.id])
    expect(Buffer.compare(await fileOf(iri), before)).toBe(0)
  })

  test("the stored PDF shows pictures with their original captions after relabelling, and its pictures can't be deleted", async () => {
    const store = await fileStoreFor(portal.engine.config)
    const bytes = Buffer.from(makeGradientPicture(1, 40, 30), 'base64')
    await store.put(`${made.client.id}/shown`, Readable.from([bytes]), bytes.length)
    const added = await sql<{ id: number }>(
      `INSERT INTO uploaded_document (client_id, name, label, type, size, checksum, author, user_id, file_key, view_key)
       SELECT $1, 'a.png', 'Edge ' || n, 'image/png', 1, 'x', 'ada', 1, $2, $2 FROM generate_series(1, 30) n RETURNING id`,
      [made.client.id, `${made.client.id}/shown`],
    )
    const [first, ...others] = added.map(({ id }) => `/api/safety/uploaded_documents/${id}`)
    const uploadedDocuments = [{ '@id': first, label: 'The gable before the work' }, ...others]
    const { '@id': iri } = await made.draft({ uploadedDocuments })
    expect((await made.author.post(`${iri}/complete`)).status).toBe(200)
    const before = await fileOf(iri)
    await sql("UPDATE uploaded_document SET label = 'Forged' WHERE client_id = $1", [made.client.id])
    const retire = sql('UPDATE uploaded_document SET retired = true WHERE client_id = $1', [made.client.id])
    await expect(retire).rejects.toThrow('stands with it')
    const asked = await made.author.put(first as string, { retired: true })
    expect([asked.status, asked.body.detail]).toEqual([
      409,
      expect.stringMatching(/^RA-\d{4} revision 1 was sealed with this file, so the file can’t be retired\.$/),
    ])
    expect(Buffer.compare(await fileOf(iri), before)).toBe(0)
    expect((await made.author.post(`${iri}/approve`, {})).status).toBe(200)
    const words = await extractText(await fileOf(iri))
    expect(words).toContain('Edge 30')
    expect(words).toContain('The gable before the work')
    expect(words).not.toMatch(/Edge 1\b/)
    expect(words).not.toContain('Forged')
  })

  test('a later signature adds a second stored PDF that is otherwise unchanged', async () => {
    const { id, '@id': iri } = await made.current()
    await fileOf(iri)
    await sql("UPDATE client SET company = 'Renamed again plc' WHERE id = $1", [made.client.id])
    const signed = await made.worker.post('/api/safety/signatures', {
      document: `/api/safety/documents/${id}`,
      name: 'Will Worker',
      method: 'typed',
      mine: true,
    })
    expect([signed.status, signed.text]).toEqual([201, expect.anything()])
    const words = await extractText(await fileOf(iri))
    expect(words).toContain('Will Worker')
    expect(words).not.toContain('Renamed again')
    expect(await keptOf(id)).toHaveLength(2)
  })

  test('a drawn signature is shown only to authors and to its signatory', async () => {
    const { id, '@id': iri } = await made.current()
    const strokes = { width: 300, height: 100, strokes: [[0.1, 0.9].map((at) => [at, at])] }
    const body = { document: `/api/safety/documents/${id}`, name: 'Ada Admin', method: 'finger', strokes, mine: true }
    const signed = await made.author.post('/api/safety/signatures', body)
    expect([signed.status, signed.text]).toEqual([201, expect.anything()])
    const drawn = '/Alt (Signature of Ada Admin)'
    expect((await fileOf(iri)).toString('latin1')).toContain(drawn)
    const theirs = (await made.worker.get(`${iri}/pdf`)).raw ?? Buffer.alloc(0)
    expect(theirs.toString('latin1')).not.toContain(drawn)
    expect(await extractText(theirs)).toContain('Ada Admin')
  })

  test("a withdrawn revision's PDF and record state who withdrew it, when and why", async () => {
    const { '@id': iri } = await made.current()
    expect(await extractText(await fileOf(iri))).not.toContain('Withdrawn')
    await made.act({ '@id': iri }, 'withdraw', { note: 'The scaffold has gone' })
    const words = await extractText(await fileOf(iri))
    expect(words).toMatch(/Withdrawn by Ada Admin Withdrawn \d+ \w+ 20\d\d/)
    expect(words).toMatch(/Withdrawn by Ada Admin on \d+ \w+ 20\d\d, [\d:]+: The scaffold has gone/)
  })

  test('the PDF states that the revision has been replaced once the next one is approved', async () => {
    const { '@id': iri } = await made.current()
    expect(await extractText(await fileOf(iri))).not.toContain('REPLACED')
    const next = await made.author.post(`${iri}/revise`, { reason: 'Reviewed' })
    for (const action of ['complete', 'approve']) await made.author.post(`${next.body['@id']}/${action}`, {})
    expect(await extractText(await fileOf(iri))).toContain('REPLACED')
  })

  test('earlier PDFs remain available to authors after any later event', async () => {
    const { id, '@id': iri } = await made.current()
    const first = await fileOf(iri)
    const next = await made.author.post(`${iri}/revise`, {})
    for (const action of ['complete', 'approve']) await made.author.post(`${next.body['@id']}/${action}`, {})
    expect((await fileOf(iri)).equals(first)).toBe(false)
    const prints = await made.author.get(`/api/safety/document_prints?document=${id}`)
    const [, oldest] = prints.body['hydra:member']
    const kept = await made.author.get(`${oldest['@id']}/pdf`)
    expect([kept.status, kept.headers['content-type']]).toEqual([200, 'application/pdf'])
    expect(kept.raw?.equals(first)).toBe(true)
    expect(kept.headers['content-disposition']).toMatch(/RA-\d{4} rev 1 as of \d{4}-\d\d-\d\d Roof repairs\.pdf/)
    const stranger = await portal.client()
    const theirs = stranger.as(await stranger.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
    expect((await theirs.get(`${oldest['@id']}/pdf`)).status).toBe(404)
    expect((await made.worker.get(`${oldest['@id']}/pdf`)).status).toBe(403)
  })

  test('the stored PDF is recovered if the process crashed after its bytes were stored', async () => {
    const one = await made.current()
    await fileOf(one['@id'])
    const [kept] = await keptOf(one.id)
    // Simulates a crash between storing the bytes and the commit, after which only the bytes exist.
    await portal.db.tx('owner', (tx) =>
      tx.script(
        `ALTER TABLE document_print DISABLE TRIGGER append_only; DELETE FROM document_print WHERE document_id = ${one.id} AND client_id = ${made.client.id}; ALTER TABLE document_print ENABLE TRIGGER append_only`,
      ),
    )
    await portal.drain()
    await fileOf(one['@id'])
    const [healed, ...more] = await keptOf(one.id)
    expect(more).toEqual([])
    expect(healed?.checksum).toBe(kept?.checksum)
  })

  test('a stored PDF is not served if its bytes have been altered', async () => {
    const one = await made.current()
    const pdf = await fileOf(one['@id'])
    const [kept] = await keptOf(one.id)
    const store = await fileStoreFor(portal.engine.config)
    const forged = Buffer.from(pdf)
    forged[forged.length >> 1] = (forged[forged.length >> 1] ?? 0) ^ 1
    await store.put(kept?.file_key ?? '', Readable.from([forged]), forged.length)
    const told = vi.spyOn(portal.engine.log, 'error').mockImplementation(() => {})
    const answer = await made.author.get(`${one['@id']}/pdf`)
    const about = { clientId: made.client.id, document: one.id, fileKey: kept?.file_key }
    expect(told.mock.calls).toEqual([[about, 'A stored PDF has been altered']])
    told.mockRestore()
    const { broken } = await verifyEvidence(portal.engine, made.client.id)
    expect(broken.join()).toContain(`the stored PDF ${kept?.checksum.slice(0, 8)}`)
    expect([answer.status, answer.body.detail]).toEqual([404, expect.stringContaining('damaged')])
  })

  test('a PDF that many users request concurrently is rendered only once', async () => {
    const one = await made.current()
    const all = await Promise.all(Array.from({ length: 5 }, () => fileOf(one['@id'])))
    expect(new Set(all.map((pdf) => pdf.toString('base64'))).size).toBe(1)
    expect(await keptOf(one.id)).toHaveLength(1)
  })
})
