import { beforeAll, describe, expect, test } from 'vitest'
import { extractResponseText } from '#test/pdf/words.ts'
import { type AssessmentHelpers, documentIri, makeAssessments } from '#test/support/assessments.ts'
import { type TestPortal, testPortal } from '#test/support/portal.ts'
import { MINIMAL_PDF, makePicture, makeUploadForm } from '#test/support/uploads.ts'

const HEADS = '/api/portal/letterheads'

let portal: TestPortal
let made: AssessmentHelpers

beforeAll(async () => {
  portal = await testPortal()
  made = await makeAssessments(portal)
})

type LogoFixture = Pick<AssessmentHelpers, 'author' | 'client'>

const uploaded = async ({ author, client }: LogoFixture, content: Buffer, name = 'logo.png') => {
  const answer = await author.send('POST', `/api/safety/uploads/${client.id}`, makeUploadForm(content, name))
  expect([answer.status, answer.text]).toEqual([201, expect.anything()])
  return answer.body['@id'] as string
}
const png = (width: number, height: number, colour?: string) => makePicture(width, height, colour).png().toBuffer()
const printed = async (iri: string) => (await made.author.get(`${iri}/pdf`)).raw?.toString('latin1') ?? ''

describe("a client's logo in print", () => {
  test("documents are printed with the client's logo and its description, and finished documents keep their earlier logo", async () => {
    const bare = await made.draft()
    expect(await printed(bare['@id'])).not.toContain('/Alt (Bricks')
    const first = await uploaded(made, await png(300, 100))
    const head = await made.author.post(HEADS, { logo: first, logoText: 'Bricks on a beam' })
    expect([head.status, head.body.logoText]).toEqual([201, 'Bricks on a beam'])
    expect(await printed(bare['@id'])).toContain('/Alt (Bricks on a beam)')

    const sealed = await made.current()
    const before = await printed(sealed['@id'])
    expect(before).toContain('/Alt (Bricks on a beam)')
    const second = await uploaded(made, await png(120, 120, '#33c'))
    const put = await made.author.put(head.body['@id'], { logo: second, logoText: '' })
    expect([put.status, put.text]).toEqual([200, expect.anything()])
    expect(await printed(bare['@id'])).not.toContain('/Alt (Bricks')
    expect(await printed(sealed['@id'])).toBe(before)
    // Later events create another PDF, with the logo as it was at sealing.
    const signed = await made.author.post('/api/safety/signatures', { document: documentIri(sealed), method: 'typed' })
    expect([signed.status, signed.text]).toEqual([201, expect.anything()])
    const after = await printed(sealed['@id'])
    expect([after === before, after.includes('/Alt (Bricks on a beam)')]).toEqual([false, true])

    expect((await made.author.put(head.body['@id'], { logo: null })).status).toBe(200)
    const words = await extractResponseText(await made.author.get(`${bare['@id']}/pdf`))
    expect(words).toContain(`For ${(await made.author.get(made.client.iri)).body.company}`)
  })

  test("the client's logo is printed on its packs, and a reseller's logo is never printed", async () => {
    const shop = await makeAssessments(portal)
    const reseller = await makeAssessments(portal)
    await portal.db.tx('system', (tx) =>
      tx.rows('UPDATE client SET reseller_id = $2 WHERE id = $1', [shop.client.id, reseller.client.id]),
    )
    const theirs = await uploaded(reseller, await png(200, 80, '#3c3'))
    expect((await reseller.author.post(HEADS, { logo: theirs, logoText: 'The reseller' })).status).toBe(201)
    const draft = await shop.draft()
    const pdf = async () => (await shop.author.get(`${draft['@id']}/pdf`)).raw?.toString('latin1') ?? ''
    expect(await pdf()).not.toContain('/Alt (The reseller)')
    const own = await uploaded(shop, await png(200, 80))
    expect((await shop.author.post(HEADS, { logo: own, logoText: 'The shop' })).status).toBe(201)
    const pack = (await shop.author.get(`/api/safety/documents/pack?documents=${draft.id}`)).raw?.toString('latin1')
    // The logo is on the cover and on the document's first page.
    expect(pack?.match(/\/Alt \(The shop\)/g)).toHaveLength(2)
  })
})

describe("a client's letterhead", () => {
  test("a client has one letterhead, and only the client's administrator can change it", async () => {
    const own = await makeAssessments(portal)
    expect((await own.worker.post(HEADS, { logoText: 'My views' })).status).toBe(403)
    expect((await own.worker.get(HEADS)).status).toBe(403)
    expect((await own.author.post(HEADS, {})).status).toBe(201)
    expect((await own.author.post(HEADS, {})).status).toBe(409)
  })

  test('a letterhead accepts only a picture of its own client with a printable size and shape', async () => {
    const own = await makeAssessments(portal)
    const refused = async (logo: string) => {
      const { status, body } = await own.author.post(HEADS, { logo })
      return `${status} ${body.violations?.[0]?.message ?? body['hydra:description']}`
    }
    expect(await refused(await uploaded(own, MINIMAL_PDF, 'a.pdf'))).toMatch(
      /^422 Please choose a picture, such as a PNG or JPEG file/,
    )
    expect(await refused(await uploaded(own, await png(20, 200)))).toMatch(
      /^422 This picture is too small to print: 20/,
    )
    expect(await refused(await uploaded(own, await png(900, 50)))).toMatch(/^422 This picture is too long and thin/)
    expect(await refused(await uploaded(made, await png(90, 90)))).toMatch(/^4/)
    const gone = await uploaded(own, await png(90, 90))
    expect((await own.author.put(gone, { retired: true })).status).toBe(200)
    expect(await refused(gone)).toMatch(/^422 Please choose a picture from your own files/)
  })
})
