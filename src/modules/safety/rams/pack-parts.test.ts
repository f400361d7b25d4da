import { hash } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { extractPageTexts } from '#test/pdf/words.ts'
import { type AssessmentHelpers, type CreatedDocument, makeAssessments } from '#test/support/assessments.ts'
import { type TestPortal, type TestResponse, testPortal } from '#test/support/portal.ts'
import { chooseSize, scaleRunCount } from '#test/support/scope.ts'

const LIST = '/api/safety/rams_packs'
const MANY_DOCUMENTS = chooseSize(12, 40)

let portal: TestPortal
let firm: AssessmentHelpers

const ok = <T extends TestResponse>(answer: T, status = 200): T['body'] => {
  expect([answer.status, answer.text]).toEqual([status, expect.anything()])
  return answer.body
}
const pack = async (papers: readonly CreatedDocument[]): Promise<CreatedDocument> => {
  const made = await firm.author.post(LIST, {
    description: 'Whole roof',
    location: 'Unit 4',
    supervisor: 'Ann',
    papers: papers.map(({ id }) => ({ target: `/api/safety/documents/${id}`, notes: '' })),
  })
  return firm.inForce(ok(made, 201))
}
const fileOf = async ({ id }: CreatedDocument) => {
  const { status, raw = Buffer.alloc(0) } = await firm.author.get(`/api/safety/documents/${id}/pack`)
  expect(status).toBe(200)
  return raw
}
/** Returns the text of each page, without page numbers. */
const pagesOf = async (pdf: Buffer) =>
  (await extractPageTexts(pdf)).map((page) => page.replace(/Page \d+ of \d+/g, '').trim())

beforeAll(async () => {
  portal = await testPortal()
  firm = await makeAssessments(portal)
})

test('a pack contains its documents exactly as sealed and in order, even after the company has changed its name', async () => {
  const { author, client, inForce, draft } = firm
  const sealed: CreatedDocument[] = []
  for (const description of ['Roof', 'Yard', 'Cellar']) sealed.push(await inForce(await draft({ description })))
  const parts = new Map<number, readonly string[]>()
  for (const { id, '@id': at } of sealed)
    parts.set(id, await pagesOf((await author.get(`${at}/pdf`)).raw ?? Buffer.alloc(0)))
  ok(await author.put(`/api/portal/clients/${client.id}`, { company: 'Otherwise Called Ltd' }))

  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(sealed, { minLength: 1 }), async (papers) => {
      const made = await pack(papers)
      const first = await fileOf(made)
      const pages = await pagesOf(first)
      const own = await pagesOf((await author.get(`${made['@id']}/pdf`)).raw ?? Buffer.alloc(0))
      const expected = [...own, ...papers.flatMap(({ id }) => parts.get(id) ?? [])]
      expect(pages.slice(-expected.length)).toEqual(expected)
      expect((await fileOf(made)).equals(first)).toBe(true)
      const [kept] = await portal.db.tx('system', (tx) =>
        tx.rows<{ checksum: string; parts: { document?: number }[] }>(
          'SELECT checksum, parts FROM document_pack WHERE client_id = $1 ORDER BY id DESC LIMIT 1',
          [client.id],
        ),
      )
      expect(kept?.checksum).toBe(hash('sha256', first, 'hex'))
      expect(kept?.parts.flatMap(({ document }) => document ?? [])).toEqual([made.id, ...papers.map(({ id }) => id)])
    }),
    { numRuns: scaleRunCount(6) },
  )
})

test(`a pack can contain ${MANY_DOCUMENTS} documents and preserves the documents' order`, async () => {
  const papers: CreatedDocument[] = []
  for (let n = 0; n < MANY_DOCUMENTS; n++) papers.push(await firm.current())
  const made = ok(await firm.author.get((await pack(papers))['@id']))
  expect(made.papers.map(({ target }: { target: { id: number } }) => target.id)).toEqual(papers.map(({ id }) => id))
  const text = (await extractPageTexts(await fileOf(made))).join(' ')
  const places = papers.map(({ documentNumber }) => text.indexOf(documentNumber))
  expect(places.every((place) => place >= 0)).toBe(true)
})
