import sharp from 'sharp'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { extractResponseText } from '#test/pdf/words.ts'
import { type AssessmentHelpers, makeAssessments } from '#test/support/assessments.ts'
import { type TestPortal, type TestResponse, testPortal } from '#test/support/portal.ts'
import { makeUploadForm } from '#test/support/uploads.ts'

const HEADS = '/api/portal/letterheads'

let portal: TestPortal

beforeAll(async () => {
  portal = await testPortal()
})

/** Deletes the provider's lines, because they apply to all clients and would affect this worker's other tests. */
afterEach(async () => {
  await portal.db.tx('system', (tx) => tx.script('DELETE FROM letterhead WHERE client_id = 0'))
})

const words = async ({ author }: AssessmentHelpers, iri: string) => extractResponseText(await author.get(`${iri}/pdf`))
const wrongIn = ({ status, body }: TestResponse) =>
  `${status} ${body.violations?.[0]?.propertyPath} ${body.violations?.[0]?.message}`

/** Creates a picture of a rectangle in the given colour, on a transparent background unless another is given. */
const drawing = (colour: string, ground?: string) =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="100">${ground ? `<rect width="300" height="100" fill="${ground}"/>` : ''}<rect x="20" y="20" width="120" height="60" fill="${colour}"/></svg>`,
    ),
  )
    .png()
    .toBuffer()
const uploaded = async ({ author, client }: AssessmentHelpers, content: Buffer) => {
  const answer = await author.send('POST', `/api/safety/uploads/${client.id}`, makeUploadForm(content, 'logo.png'))
  expect([answer.status, answer.text]).toEqual([201, expect.anything()])
  return answer.body['@id'] as string
}

describe('header and footer lines', () => {
  test('header and footer lines are printed on every new document, and sealed documents are unchanged', async () => {
    const own = await makeAssessments(portal)
    const sealed = await own.current()
    const before = (await own.author.get(`${sealed['@id']}/pdf`)).raw
    const head = await own.author.post(HEADS, {
      header: 'Safe home, every day',
      footer: 'Registered in England 01234567',
    })
    expect([head.status, head.body.header, head.body.lastEditBy]).toEqual([
      201,
      'Safe home, every day',
      expect.anything(),
    ])
    const draft = await own.draft()
    const printed = await words(own, draft['@id'])
    expect(printed).toContain('Safe home, every day')
    expect(printed).toContain('Registered in England 01234567')
    expect(printed).toContain(draft.documentNumber)
    expect((await own.author.get(`${sealed['@id']}/pdf`)).raw?.equals(before as Buffer)).toBe(true)
    // This revision was sealed without a header and footer, so a reprint has none either.
    await own.author.post('/api/safety/signatures', { document: `/api/safety/documents/${sealed.id}`, method: 'typed' })
    expect(await words(own, sealed['@id'])).not.toContain('Safe home')
    const next = await own.current()
    expect(await words(own, next['@id'])).toContain('Safe home')
    await own.author.patch(head.body['@id'], { header: null, footer: null })
    expect(await words(own, next['@id'])).toContain('Safe home')
    expect(await words(own, draft['@id'])).not.toContain('Safe home')
  })

  test("header and footer lines default to the provider's, and are omitted if the company leaves them empty", async () => {
    const own = await makeAssessments(portal)
    const keeper = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_SAFETY_ADMIN'] }))
    const other = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_CLIENT_ADMIN'] }))
    expect((await other.post(HEADS, { header: 'Not mine to say' })).status).toBe(403)
    expect((await keeper.post(HEADS, { header: 'Looked after by the provider' })).status).toBe(201)
    const draft = await own.draft()
    expect(await words(own, draft['@id'])).toContain('Looked after by the provider')
    const head = (await own.author.post(HEADS, { header: '' })).body['@id']
    expect(await words(own, draft['@id'])).not.toContain('Looked after')
    await own.author.put(head, { header: 'Our own' })
    expect(await words(own, draft['@id'])).toContain('Our own')
    expect((await own.author.get('/api/portal/letterheads')).body['hydra:totalItems']).toBe(1)
  })

  test('header and footer lines have at most 110 characters, and can be changed only by administrators and document approvers', async () => {
    const own = await makeAssessments(portal)
    const safety = own.client.as(await own.client.user({ roles: ['ROLE_SAFETY_ADMIN'] }))
    const writer = own.client.as(await own.client.user({ roles: ['ROLE_SAFETY_AUTHOR'] }))
    const head = (await safety.post(HEADS, { footer: 'Ours' })).body['@id']
    for (const as of [own.worker, writer]) expect((await as.put(head, { footer: 'My views' })).status).toBe(403)
    for (const change of [
      own.author.put(head, { header: 'x'.repeat(111) }),
      own.author.patch(head, { header: 'x'.repeat(111) }),
    ])
      expect(wrongIn(await change)).toMatch(/^422 header Header line can have at most 110 characters/)
    expect((await (await makeAssessments(portal)).author.get(head)).status).toBe(404)
  })
})

describe('a logo', () => {
  test('a logo that would be invisible on white is rejected on a white background and printed on a dark one', async () => {
    const own = await makeAssessments(portal)
    const white = await uploaded(own, await drawing('#fff'))
    const refused = await own.author.post(HEADS, { logo: white })
    expect(wrongIn(refused)).toBe(
      '422 logoGround Nothing of this logo stands out from white paper, so it could hardly be seen. Please print it on a dark background, or choose another picture',
    )
    const head = await own.author.post(HEADS, { logo: white, logoGround: 'dark', logoText: 'White letters' })
    expect([head.status, head.body.logoGround]).toEqual([201, 'dark'])
    const draft = await own.draft()
    const pdf = (await own.author.get(`${draft['@id']}/pdf`)).raw?.toString('latin1')
    expect(pdf).toContain('/Alt (White letters)')
    for (const back of [
      own.author.put(head.body['@id'], { logoGround: 'white' }),
      own.author.patch(head.body['@id'], { logoGround: 'white' }),
    ])
      expect(wrongIn(await back)).toMatch(/^422 logoGround Nothing of this logo stands out from white paper/)
    const pale = await uploaded(own, await drawing('#fffbe0', '#ffffff'))
    expect(wrongIn(await own.author.put(head.body['@id'], { logo: pale, logoGround: 'white' }))).toMatch(
      /^422 logoGround/,
    )
    const dark = await uploaded(own, await drawing('#10161c'))
    expect(wrongIn(await own.author.put(head.body['@id'], { logo: dark }))).toMatch(
      /^422 logoGround Nothing of this logo stands out from a dark background.*print it on white/,
    )
    expect((await own.author.put(head.body['@id'], { logo: dark, logoGround: 'white' })).status).toBe(200)
  })

  test('a logo with dark letters on a white background is accepted', async () => {
    const own = await makeAssessments(portal)
    const logo = await uploaded(own, await drawing('#123', '#fff'))
    expect((await own.author.post(HEADS, { logo })).status).toBe(201)
  })
})

describe('a sample page', () => {
  test('a sample page is rendered as a picture and as a PDF, from saved or unsaved values', async () => {
    const own = await makeAssessments(portal)
    await own.author.post(HEADS, { header: 'Kept line' })
    const pdf = async (query: string) => extractResponseText(await own.author.get(`${HEADS}/sample.pdf${query}`))
    expect(await pdf('')).toContain('Kept line')
    const typed = await pdf('?header=Typed+line&footer=And+a+foot')
    for (const said of ['Typed line', 'And a foot', 'Lifecycle Ltd', 'RA-0042', 'Page 1']) expect(typed).toContain(said)
    expect(typed).not.toContain('Kept line')
    expect(await pdf('?header=')).not.toContain('Kept line')
    const picture = await own.author.get(`${HEADS}/sample.svg?header=%3Cscript%3E`)
    expect([picture.status, picture.headers['content-type']]).toEqual([200, 'image/svg+xml'])
    expect(picture.text).toMatch(/^<svg/)
    expect(picture.text).not.toContain('<script')
    expect((await own.author.get(HEADS)).body['hydra:member'][0].header).toBe('Kept line')
    for (const as of [own.worker, portal.anonymous])
      expect([401, 403]).toContain((await as.get(`${HEADS}/sample.svg`)).status)
  })
})
