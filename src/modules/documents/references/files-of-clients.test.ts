import { beforeAll, describe, expect, test } from 'vitest'
import { ASSESSMENTS_URL, makeCompleteAssessment } from '#test/support/assessments.ts'
import { makeFilePortal, type TestFileClient, type TestFileUser, uploadFile } from '#test/support/files.ts'
import { MINIMAL_PDF, makePicture } from '#test/support/uploads.ts'

const { portal, person, office } = await makeFilePortal()
const FILES = '/api/safety/uploaded_documents'

let at: TestFileClient
let keeper: TestFileUser
let staff: TestFileUser
let shown: FileReferenceBody
let referred: FileReferenceBody
let unused: FileReferenceBody
let draft: FileReferenceBody

interface FileReferenceBody {
  readonly '@id': string
  readonly name: string
  readonly thumbnailUrl: string | null
}
const taken = async (who: TestFileUser, content: Buffer | string, name: string): Promise<FileReferenceBody> =>
  (await uploadFile(who, content, name)).body
const namesOf = (answer: { body: Record<string, unknown> }) =>
  (answer.body['hydra:member'] as { name: string }[]).map(({ name }) => name)

/** Returns the responses of all routes for a file: record, bytes, thumbnail and search. */
const doors = async ({ api, bytes }: TestFileUser, file: FileReferenceBody) => [
  (await api.get(file['@id'])).status,
  (await bytes(`${file['@id']}/file`)).status,
  file.thumbnailUrl ? (await bytes(file.thumbnailUrl)).status : 'no picture',
  namesOf(await api.get(`${FILES}?q=${file.name}&client=${at.client.id}`)).length,
]
const OPEN = [200, 200, 200, 1]
const SHUT = [404, 404, 404, 0]

beforeAll(async () => {
  at = await office()
  keeper = await person(portal.provider, 'ROLE_STAFF', 'ROLE_SAFETY_ADMIN')
  staff = await person(portal.provider, 'ROLE_STAFF')
  shown = await taken(at.admin, await makePicture(60, 40).png().toBuffer(), 'north-wall.png')
  referred = await taken(at.admin, await makePicture(30, 30).png().toBuffer(), 'ladder-14.png')
  unused = await taken(at.admin, await makePicture(20, 20).png().toBuffer(), 'party.png')
  const made = await at.admin.api.post(
    ASSESSMENTS_URL,
    makeCompleteAssessment({ uploadedDocuments: [shown['@id']], associated: [{ file: referred['@id'] }] }),
  )
  draft = made.body
})

describe("provider users' access to a client's file", () => {
  test("the provider's safety managers can read a client's file by every route if they can read a draft that uses it", async () => {
    expect((await keeper.api.get(draft['@id'])).status).toBe(200)
    expect(await doors(keeper, shown)).toEqual(OPEN)
    expect(await doors(keeper, referred)).toEqual(OPEN)
    expect((await keeper.api.get(`${shown['@id']}/where_used`)).body['hydra:totalItems']).toBe(1)
  })

  test("a safety manager's repeated access to a file is logged once for the company, and access by the company's own users is not logged", async () => {
    const file = await taken(at.admin, await makePicture(8, 8).png().toBuffer(), 'looked-at.png')
    await at.admin.api.post(ASSESSMENTS_URL, makeCompleteAssessment({ uploadedDocuments: [file['@id']] }))
    const looks = () =>
      portal.db.tx('system', (tx) =>
        tx.rows<{ username: string }>(
          "SELECT username FROM audit WHERE client_id = $1 AND type = 'UploadedDocument' AND row_id = $2 AND verb = 'look'",
          [at.client.id, Number(file['@id'].split('/').at(-1))],
        ),
      )
    expect(await doors(at.admin, file)).toEqual(OPEN)
    expect(await looks()).toEqual([])
    expect(await doors(keeper, file)).toEqual(OPEN)
    expect(await looks()).toEqual([{ username: keeper.user.username }])
  })

  test("safety managers can't read a file that no document uses, even if a document used it before", async () => {
    expect(await doors(keeper, unused)).toEqual(SHUT)
    const once = await taken(at.admin, await makePicture(9, 9).png().toBuffer(), 'once.png')
    const words = makeCompleteAssessment({ uploadedDocuments: [once['@id']] })
    const made = (await at.admin.api.post(ASSESSMENTS_URL, words)).body
    expect(await doors(keeper, once)).toEqual(OPEN)
    await at.admin.api.put(made['@id'], { uploadedDocuments: [] })
    expect(await doors(keeper, once)).toEqual(SHUT)
  })

  test("safety managers can't read a safety data sheet, because they can't read the company's substances", async () => {
    const sheet = await taken(at.admin, MINIMAL_PDF, 'thinners.pdf')
    const thinners = { name: 'Thinners', form: 'liquid', hazardStatements: ['H225'], sheet: sheet['@id'] }
    expect((await at.admin.api.post('/api/safety/substances', thinners)).status).toBe(201)
    expect(await doors(at.worker, sheet)).toEqual([200, 200, 'no picture', 1])
    expect(await doors(keeper, sheet)).toEqual([404, 404, 'no picture', 0])
  })

  test("other staff, other clients and users without access to a draft can't read the draft's files", async () => {
    const other = await office()
    for (const who of [staff, other.admin, other.worker, at.worker, await person(at.client, 'ROLE_SAFETY_AUTHOR')])
      for (const file of [shown, referred]) expect(await doors(who, file)).toEqual(SHUT)
  })

  test("safety managers can't label, delete or move a client's file", async () => {
    for (const change of [{ label: 'Ours' }, { retired: true }, { folder: null }])
      expect((await keeper.api.put(shown['@id'], change)).status).toBe(403)
    expect((await at.admin.api.get(shown['@id'])).body).toMatchObject({ label: '', retired: false })
  })

  test("a client's file remains in the draft when a safety manager saves it", async () => {
    const { body } = await keeper.api.get(draft['@id'])
    const saved = await keeper.api.put(draft['@id'], { ...body, location: 'Unit 5' })
    expect([saved.status, saved.text]).toEqual([200, expect.anything()])
    expect(saved.body.location).toBe('Unit 5')
    expect(saved.body.uploadedDocuments).toEqual(body.uploadedDocuments)
    expect(saved.body.associated).toMatchObject([{ file: { '@id': referred['@id'] } }])
  })

  test("a client's file can't be used in another client's or the provider's documents", async () => {
    const other = await office()
    const theirs = (await other.admin.api.post(ASSESSMENTS_URL, makeCompleteAssessment())).body
    const ours = (await keeper.api.post(ASSESSMENTS_URL, makeCompleteAssessment())).body
    for (const one of [theirs, ours]) {
      expect((await keeper.api.put(one['@id'], { uploadedDocuments: [shown['@id']] })).status).toBe(400)
      const answer = await keeper.api.put(one['@id'], { associated: [{ file: referred['@id'] }] })
      expect([answer.status, answer.body.violations?.[0]?.message]).toEqual([422, 'Please choose a document or a file'])
    }
    const own = await taken(keeper, MINIMAL_PDF, 'method.pdf')
    for (const one of [theirs, ours])
      expect((await keeper.api.put(one['@id'], { associated: [{ file: own['@id'] }] })).status).toBe(200)
  })

  test("a client's file is not listed among the safety managers' own files", async () => {
    const mine = await taken(keeper, MINIMAL_PDF, 'template.pdf')
    const pairs = await keeper.api.get(`${FILES}/folder_pairing`)
    expect(pairs.text).toContain(mine.name)
    expect(pairs.text).not.toContain('north-wall')
  })
})
