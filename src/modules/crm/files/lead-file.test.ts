import { beforeAll, describe, expect, test } from 'vitest'
import { type TestApi, type TestClient, testPortal } from '#test/support/portal.ts'
import { MINIMAL_PDF, makePicture, makeUploadForm } from '#test/support/uploads.ts'

const portal = await testPortal()
const CONTACTS = '/api/crm/contacts'
const FILES = '/api/crm/files'
let client: TestClient
let as: TestApi

beforeAll(async () => {
  client = await portal.client()
  as = client.as(await client.user({ roles: ['ROLE_STAFF'], name: 'Jane Caller' }))
})

const lead = async (): Promise<string> => (await as.post(CONTACTS, { companyName: 'Acme' })).body['@id']
const send = (to: string, name = 'Plan.pdf', by = as) =>
  by.send('POST', `${to}/files`, makeUploadForm(MINIMAL_PDF, name))
const notes = async (of: string): Promise<readonly string[]> =>
  (await as.get(`${of}/actions`)).body['hydra:member'].map((n: { notes: string }) => n.notes)

describe("a lead's files", () => {
  test("a lead's file is listed with its name, size, author and date, and its upload is noted in the timeline", async () => {
    const of = await lead()
    const { status, body, headers } = await send(of)
    expect([status, headers.location]).toEqual([201, body['@id']])
    const [file, ...none] = (await as.get(`${FILES}?contact=${of}`)).body['hydra:member']
    expect(none).toEqual([])
    expect(file).toMatchObject({
      name: 'Plan.pdf',
      size: MINIMAL_PDF.length,
      type: 'application/pdf',
      author: body.author,
      retired: false,
    })
    expect(Object.keys(file)).not.toContain('fileKey')
    expect(await notes(of)).toEqual(['Plan.pdf\nFile added'])
    expect((await as.get(body.url)).status).toBe(200)
  })

  test("an image among a lead's files has a thumbnail", async () => {
    const { body } = await as.send(
      'POST',
      `${await lead()}/files`,
      makeUploadForm(await makePicture(9, 9).png().toBuffer(), 'a.png'),
    )
    expect(body).toMatchObject({ width: 9, height: 9, thumbnailUrl: `${body['@id']}/thumbnail` })
    expect((await as.get(body.thumbnailUrl)).status).toBe(200)
  })

  test("a lead's file can be renamed, retired and restored, and each change is noted in the timeline", async () => {
    const of = await lead()
    const { body } = await send(of)
    expect((await as.put(body['@id'], { name: 'Site plan.pdf' })).body.name).toBe('Site plan.pdf')
    expect((await as.put(body['@id'], { name: ' ' })).status).toBe(422)
    await as.put(body['@id'], { retired: true })
    await as.put(body['@id'], { retired: false })
    expect(await notes(of)).toEqual([
      'Site plan.pdf\nRetired: yes → no',
      'Site plan.pdf\nRetired: no → yes',
      'Plan.pdf\nName: Plan.pdf → Site plan.pdf',
      'Plan.pdf\nFile added',
    ])
  })

  test('empty files and executables are rejected as lead files, as in every upload', async () => {
    const of = await lead()
    expect((await as.send('POST', `${of}/files`, makeUploadForm('', 'empty.pdf'))).status).toBe(422)
    expect((await as.send('POST', `${of}/files`, makeUploadForm('MZ\x90\x00', 'setup.exe'))).status).toBe(422)
    expect((await as.post(FILES, { contact: of, name: 'Made up' })).status).toBe(405)
    expect(await notes(of)).toEqual([])
  })

  test("a lead's file is accessible only to users who may see the lead, and is not listed among safety documents", async () => {
    const of = await lead()
    const { body } = await send(of)
    const other = await portal.client()
    const strangers = [
      other.as(await other.user({ roles: ['ROLE_STAFF'] })),
      other.as(await other.user({ roles: ['ROLE_RESELLER'] })),
      client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN', 'ROLE_EMPLOYEE'] })),
    ]
    for (const stranger of strangers) {
      for (const url of [body['@id'], body.url]) expect([403, 404]).toContain((await stranger.get(url)).status)
      expect([403, 404]).toContain((await send(of, 'Mole.pdf', stranger)).status)
      expect([403, 404]).toContain((await stranger.put(body['@id'], { name: 'My views' })).status)
    }
    const documents = await as.get('/api/safety/uploaded_documents?q=Plan')
    expect(documents.body['hydra:member'] ?? []).toEqual([])
    expect(await notes(of)).toEqual(['Plan.pdf\nFile added'])
  })

  test("a file added to a customer without a lead belongs to the customer, and later to the customer's lead", async () => {
    const made = (values: object = {}) =>
      as.post('/api/financial/customers', {
        email: 'buyer@acme.example',
        metadata: { company_name: 'Acme' },
        ...values,
      })
    const bare = (await made()).body['@id']
    const { status, body } = await send(bare)
    expect([status, body.contact, body.customer['@id']]).toEqual([201, null, bare])
    const listed = async (by: string) =>
      (await as.get(`${FILES}?${by}`)).body['hydra:member'].map((f: { name: string }) => f.name)
    expect(await listed(`customer=${bare}`)).toEqual(['Plan.pdf'])
    expect((await as.get(body.url)).status).toBe(200)
    const other = await portal.client()
    const strangers = [
      other.as(await other.user({ roles: ['ROLE_STAFF'] })),
      client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN', 'ROLE_EMPLOYEE'] })),
    ]
    for (const stranger of strangers) {
      for (const url of [body['@id'], body.url]) expect([403, 404]).toContain((await stranger.get(url)).status)
      expect([403, 404]).toContain((await send(bare, 'Mole.pdf', stranger)).status)
    }

    const of = await lead()
    expect((await as.put(bare, { contact: of })).status).toBe(200)
    expect([await listed(`customer=${bare}`), await listed(`contact=${of}`)]).toEqual([[], ['Plan.pdf']])
    // A file uploaded to the customer later also belongs to the lead.
    expect((await send(bare, 'Map.pdf')).body.contact['@id']).toBe(of)
    expect(await notes(of)).toContain('Map.pdf\nFile added')
    expect((await as.put(body['@id'], { contact: null, customer: bare })).body).toMatchObject({
      contact: { '@id': of },
      customer: null,
    })
  })

  test("a file can't be added to a lead that doesn't exist", async () => {
    for (const to of [`${CONTACTS}/999999999`, `${CONTACTS}/x`]) expect((await send(to)).status).toBe(404)
  })
})
