import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { moveClock } from '#server/engine/clock.ts'
import { registryOf } from '#server/engine/registry.ts'
import { verifyEvidence } from '#server/evidence/verify.ts'
import { checkPdfUa } from '#test/pdf/ua/check-ua.ts'
import { extractPageTexts } from '#test/pdf/words.ts'
import { type CreatedDocument, documentIri, makeAssessments } from '#test/support/assessments.ts'
import { testPortal } from '#test/support/portal.ts'
import { makePicture, makeUploadForm } from '#test/support/uploads.ts'

const PACKS = '/api/safety/documents/packs'

const portal = await testPortal()
const made = await makeAssessments(portal)
const { author, client } = made

/** Text of about thirty pages. */
const LONG = `<p>${'Everybody keeps to the walkway and looks where they go. '.repeat(1200)}</p>`
const yard = makeUploadForm(await makePicture(60, 40).png().toBuffer(), 'yard.png')
const file = (await author.send('POST', `/api/safety/uploads/${client.id}`, yard)).body['@id']
const inForce = async (description: string, more = {}): Promise<CreatedDocument> =>
  made.inForce(await made.draft({ description, ...more }))
const first = await inForce('Ladders')
const last = await inForce('Whole site', { note: LONG, associated: [{ target: documentIri(first) }, { file }] })
const others = [await inForce('Towers', { note: LONG }), await inForce('Hoists')]

const packs = () =>
  portal.db.tx('system', (tx) =>
    tx.rows<{ checksum: string }>('SELECT checksum FROM document_pack WHERE client_id = $1 ORDER BY id', [client.id]),
  )
const begin = async (body: object): Promise<{ readonly '@id': string; readonly id: number }> => {
  const begun = await author.post(PACKS, { ...body })
  expect([begun.status, begun.body]).toMatchObject([202, { kind: 'documents.pack', state: 'queued' }])
  return begun.body
}
const runAt = async ({ '@id': at }: { readonly '@id': string }) => (await author.get(at)).body

/**
 * Returns the job's PDF and the text of its pages. Checks that the pages after the contents page are numbered
 * continuously.
 */
async function pagesOf(run: { readonly '@id': string }) {
  const fetched = await author.get(`${run['@id']}/file`)
  expect([fetched.status, fetched.headers['content-type']]).toEqual([200, 'application/pdf'])
  const pdf = fetched.raw ?? Buffer.alloc(0)
  expect(await checkPdfUa(pdf)).toEqual([])
  const pages = await extractPageTexts(pdf)
  expect(pages[0]).toMatch(/Page i$/)
  const counted = pages.slice(1).map((text) => Number(/Page (\d+)/.exec(text.slice(-20))?.[1]))
  expect(counted).toEqual(counted.map((_, i) => i + 1))
  for (const text of pages.slice(1)) expect(text.slice(-20)).toMatch(new RegExp(` of ${counted.length}$`))
  return { pdf, pages }
}

/** Compares the page numbers in the contents with the actual page numbers. */
function expectPromised(pages: readonly string[], titles: readonly string[]): void {
  for (const title of titles) {
    const begins = pages.findIndex((text, i) => i > 0 && text.includes(`Risk assessment ${title} Document number`))
    expect([title, Number(new RegExp(`${title} 1 \\D+ [0-9a-f]{8} (\\d+)`).exec(pages[0] ?? '')?.[1])]).toEqual([
      title,
      begins,
    ])
  }
}

test('a large pack is created by a job as one sealed file with a table of contents, and offered to the user who started it', async () => {
  const run = await begin({ documents: [last, ...others].map(({ id }) => id), deep: true })
  await portal.drain()
  expect(await runAt(run)).toMatchObject({ state: 'done', total: 4, done: 4, file: { type: 'application/pdf' } })
  const { pdf, pages } = await pagesOf(run)
  expectPromised(pages, ['Whole site', 'Towers', 'Hoists', 'Ladders'])
  expect(pages[0]).toMatch(/yard\.png [0-9a-f]{8} At the end/)
  expect(pages.at(-1)).toMatch(/^.*Pictures.*yard/)
  expect(await packs()).toEqual([{ checksum: createHash('sha256').update(pdf).digest('hex') }])
  expect((await verifyEvidence(portal.engine, client.id)).broken).toEqual([])
  const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
  expect((await admin.get(`${run['@id']}/file`)).status).toBe(404)

  const again = await begin({ documents: [last, ...others].map(({ id }) => id), deep: true })
  await portal.drain()
  expect(await runAt(again)).toMatchObject({ state: 'done' })
  expect(await packs()).toHaveLength(1)
})

test('a stopped or crashed pack job resumes after the last finished portion', async () => {
  const run = await begin({ documents: [first, last, ...others].map(documentIri) })
  const kind = registryOf(portal.engine).batchJobs.get('documents.pack')
  let steps = 0
  await kind?.work(portal.engine, client.id, run.id, { onStep: () => void steps++, shouldStop: () => steps > 1 })
  expect(await runAt(run)).toMatchObject({ state: 'stopped', total: 4, done: 2 })
  expect((await author.post(`${run['@id']}/resume`, {})).status).toBe(200)
  steps = 0
  await kind?.work(portal.engine, client.id, run.id, { onStep: () => void steps++, shouldStop: () => steps > 0 })
  expect(await runAt(run)).toMatchObject({ state: 'stopped', done: 4 })
  // Simulates the state that a killed process leaves behind.
  await portal.db.tx('system', (tx) =>
    tx.rows(
      "UPDATE run SET state = 'running', lease = 'gone', lease_until = now() - interval '1 second' WHERE id = $1",
      [run.id],
    ),
  )
  await portal.runSchedule('runs.recover')
  await portal.drain()
  expect(await runAt(run)).toMatchObject({ state: 'done', done: 4 })
  expectPromised((await pagesOf(run)).pages, ['Ladders', 'Whole site', 'Towers', 'Hoists'])
})

test('a pack job resumed after more than three days fails, as its finished portions have been deleted', async () => {
  const run = await begin({ documents: [first, ...others].map(({ id }) => id) })
  const kind = registryOf(portal.engine).batchJobs.get('documents.pack')
  let steps = 0
  await kind?.work(portal.engine, client.id, run.id, { onStep: () => void steps++, shouldStop: () => steps > 1 })
  await moveClock(portal.engine, 4)
  await portal.runSchedule('packs.tidy')
  expect((await author.post(`${run['@id']}/resume`, {})).status).toBe(200)
  await portal.drain()
  await moveClock(portal.engine, 0)
  const error = 'The unfinished pack has been deleted. Please start it again.'
  expect(await runAt(run)).toMatchObject({ state: 'failed', error })
})

test('a pack with a draft can be downloaded but is not stored, and inaccessible documents are reported', async () => {
  const before = await packs()
  const run = await begin({ documents: [others[1]?.id, (await made.draft({ description: 'Still written' })).id] })
  await portal.drain()
  expect(await runAt(run)).toMatchObject({ state: 'done', done: 2 })
  expect((await pagesOf(run)).pages[0]).toContain('Still written')
  expect(await packs()).toEqual(before)

  const stranger = await portal.client()
  const theirs = stranger.as(await stranger.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
  const refused = (await theirs.post(PACKS, { documents: [first.id] })).body
  await portal.drain()
  expect((await theirs.get(refused['@id'])).body).toMatchObject({
    state: 'failed',
    file: null,
    error:
      'Document 1 of your selection no longer exists or is not available to you. Please remove it from the selection.',
  })
  for (const documents of [[], 'all', [0.5], ['x'], Array.from({ length: 10_001 }, (_, i) => i + 1)])
    expect((await author.post(PACKS, { documents })).status).toBe(422)
  expect((await made.worker.post(PACKS, { documents: [first.id] })).status).toBe(403)
})

test('a pack job fails with a reason if a document becomes inaccessible before it is printed', async () => {
  const writer = client.as(await client.user({ roles: ['ROLE_SAFETY_AUTHOR'] }))
  const soon = await inForce('Soon for few')
  const begun = (await writer.post(PACKS, { documents: [...others, soon].map(({ id }) => id) })).body
  const kind = registryOf(portal.engine).batchJobs.get('documents.pack')
  let steps = 0
  await kind?.work(portal.engine, client.id, begun.id, { onStep: () => void steps++, shouldStop: () => steps > 0 })
  expect((await author.put(soon['@id'], { audience: ['ROLE_CLIENT_ADMIN'] })).status).toBe(200)
  expect((await writer.post(`${begun['@id']}/resume`, {})).status).toBe(200)
  await portal.drain()
  expect((await writer.get(begun['@id'])).body).toMatchObject({
    state: 'failed',
    error: `${soon.documentNumber} revision 1 is no longer available to you and can’t be printed. Please start the pack again without it.`,
  })
})
