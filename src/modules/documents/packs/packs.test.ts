import { createHash } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { verifyEvidence } from '#server/evidence/verify.ts'
import { extractPageTexts } from '#test/pdf/words.ts'
import {
  ASSESSMENTS_URL,
  type AssessmentHelpers,
  type CreatedDocument,
  documentIri,
  makeAssessments,
  makeCompleteAssessment,
} from '#test/support/assessments.ts'
import { type TestPortal, testPortal } from '#test/support/portal.ts'

let portal: TestPortal
let made: AssessmentHelpers

beforeAll(async () => {
  portal = await testPortal()
  made = await makeAssessments(portal)
})

const named = (description: string, ...to: readonly CreatedDocument[]) =>
  made.draft({ description, associated: to.map((one) => ({ target: documentIri(one) })) })
const inForce = (draft: CreatedDocument): Promise<CreatedDocument> => made.inForce(draft)
const packs = () =>
  portal.db.tx('system', (tx) =>
    tx.rows<{ checksum: string; file_key: string }>(
      'SELECT checksum, file_key FROM document_pack WHERE client_id = $1 ORDER BY id',
      [made.client.id],
    ),
  )
const fileAt = async (url: string) => {
  const answer = await made.author.get(url)
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/pdf'])
  return answer.raw ?? Buffer.alloc(0)
}

/** Returns a document's start page according to the table of contents on the pack's cover. */
const promised = (cover: string, title: string) =>
  Number(new RegExp(`${title} 1 \\D+ [0-9a-f]{8} (\\d+)`).exec(cover)?.[1])

test('a pack contains a document and, once each, everything it refers to, with page numbers in the table of contents', async () => {
  const deep = await inForce(await named('Ladders and steps'))
  const middle = await inForce(await named('Scaffold towers', deep))
  const top = await inForce(await named('Whole site', middle, deep))
  const pdf = await fileAt(`${documentIri(top)}/pack`)
  const pages = await extractPageTexts(pdf)
  for (const title of ['Whole site', 'Scaffold towers', 'Ladders and steps']) {
    const begins = pages.findIndex((text, i) => i > 0 && text.includes(`Risk assessment ${title} Document number`))
    expect([title, promised(pages[0] ?? '', title)]).toEqual([title, begins + 1])
  }
  expect(pages.at(-1)).toContain(`Page ${pages.length} of ${pages.length}`)

  const [kept, ...more] = await packs()
  expect([kept?.checksum, more]).toEqual([createHash('sha256').update(pdf).digest('hex'), []])
  expect(await fileAt(`${documentIri(top)}/pack`)).toEqual(pdf)
  expect(await packs()).toHaveLength(1)
  expect((await verifyEvidence(portal.engine, made.client.id)).broken).toEqual([])
})

test('selected documents are combined in order, and a pack with a draft is not stored', async () => {
  const [a, b] = [await inForce(await named('Sort order')), await named('Still written')]
  const before = (await packs()).length
  const pages = await extractPageTexts(await fileAt(`/api/safety/documents/pack?documents=${b.id},${a.id}`))
  expect(pages[0]).toMatch(/Still written .* Sort order/)
  expect(await packs()).toHaveLength(before)
})

test("a pack contains the provider's revision that a sealed document refers to, even if replaced since", async () => {
  const keeper = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_SAFETY_ADMIN'] }))
  const template = { isTemplate: true, complete: true, approved: true }
  const providers = (
    await keeper.post(ASSESSMENTS_URL, makeCompleteAssessment({ ...template, description: 'Ladders, generally' }))
  ).body
  const on = await inForce(await named('Our ladders', providers))
  const open = await named('Not sealed yet', providers)
  const next = (await keeper.post(`${providers['@id']}/revise`, {})).body
  expect((await keeper.put(next['@id'], { complete: true, approved: true })).body.current).toBe(true)
  expect((await made.author.get(documentIri(providers))).status).toBe(404)
  const [cover] = await extractPageTexts(await fileAt(`${documentIri(on)}/pack`))
  expect(cover).toMatch(/Our ladders .* Ladders, generally 1 Replaced/)
  // A draft's references are not sealed, so the draft gives no access to the replaced revision.
  const refused = await made.author.get(`${documentIri(open)}/pack`)
  expect([refused.status, refused.body.detail]).toEqual([
    409,
    `${providers.documentNumber} revision 1, which ${open.documentNumber} refers to, has been replaced or is not available to you. To print the other documents, select them one by one.`,
  ])
  expect((await made.author.get(`/api/safety/documents/pack?documents=${providers.id}`)).status).toBe(404)
})

test("a pack with a document that the user can't read is rejected, and the error names the document", async () => {
  const writer = made.client.as(await made.client.user({ roles: ['ROLE_SAFETY_AUTHOR'] }))
  const secret = await inForce(await made.draft({ description: 'Secret', audience: ['ROLE_SAFETY_ADMIN'] }))
  const on = await inForce(await named('Refers to it', secret))
  expect((await made.author.get(`${documentIri(on)}/pack`)).status).toBe(200)
  const refused = await writer.get(`${documentIri(on)}/pack`)
  expect([refused.status, refused.body.detail]).toEqual([
    409,
    expect.stringContaining(`${secret.documentNumber} revision 1, which ${on.documentNumber} refers to, `),
  ])
})

test("a pack is rejected if its IDs are missing, invalid or another client's, or if an employee requests it", async () => {
  const other = await (await makeAssessments(portal)).current()
  const asked = async (ids: string, as = made.author) =>
    (await as.get(`/api/safety/documents/pack?documents=${ids}`)).status
  expect(await asked('')).toBe(422)
  expect(await asked('x')).toBe(422)
  expect(await asked(String(other.id))).toBe(404)
  expect(await asked('1', made.worker)).toBe(403)
})
