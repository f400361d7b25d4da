import { beforeAll, describe, expect, test } from 'vitest'
import { complete, LIST } from '#test/support/assessments.ts'
import { filePortal, type Office, type Person, upload } from '#test/support/files.ts'
import { PDF, picture } from '#test/support/uploads.ts'

const { portal, person, office } = await filePortal()
const FILES = '/api/safety/uploaded_documents'

let at: Office
let keeper: Person
let staff: Person
let shown: Sent
let referred: Sent
let unused: Sent
let draft: Sent

interface Sent {
  readonly '@id': string
  readonly name: string
  readonly thumbnailUrl: string | null
}
const taken = async (who: Person, content: Buffer | string, name: string): Promise<Sent> =>
  (await upload(who, content, name)).body
const namesOf = (answer: { body: Record<string, unknown> }) =>
  (answer.body['hydra:member'] as { name: string }[]).map(({ name }) => name)

/** How each door of a file answers: the record, its bytes, its small picture, and the list that is searched for it. */
const doors = async ({ api, bytes }: Person, file: Sent) => [
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
  shown = await taken(at.admin, await picture(60, 40).png().toBuffer(), 'north-wall.png')
  referred = await taken(at.admin, await picture(30, 30).png().toBuffer(), 'ladder-14.png')
  unused = await taken(at.admin, await picture(20, 20).png().toBuffer(), 'party.png')
  const made = await at.admin.api.post(
    LIST,
    complete({ uploadedDocuments: [shown['@id']], associated: [{ file: referred['@id'] }] }),
  )
  draft = made.body
})

describe('a file of a client', () => {
  test('is read through every door by the provider’s safety keepers, who read the draft that uses it', async () => {
    expect((await keeper.api.get(draft['@id'])).status).toBe(200)
    expect(await doors(keeper, shown)).toEqual(OPEN)
    expect(await doors(keeper, referred)).toEqual(OPEN)
    expect((await keeper.api.get(`${shown['@id']}/where_used`)).body['hydra:totalItems']).toBe(1)
  })

  test('that a keeper reads leaves a look in the trail of its company, once for a while; one of its own people none', async () => {
    const file = await taken(at.admin, await picture(8, 8).png().toBuffer(), 'looked-at.png')
    await at.admin.api.post(LIST, complete({ uploadedDocuments: [file['@id']] }))
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

  test('that no document uses is not, nor is one that is used no more', async () => {
    expect(await doors(keeper, unused)).toEqual(SHUT)
    const once = await taken(at.admin, await picture(9, 9).png().toBuffer(), 'once.png')
    const words = complete({ uploadedDocuments: [once['@id']] })
    const made = (await at.admin.api.post(LIST, words)).body
    expect(await doors(keeper, once)).toEqual(OPEN)
    await at.admin.api.put(made['@id'], { uploadedDocuments: [] })
    expect(await doors(keeper, once)).toEqual(SHUT)
  })

  test('that a substance’s data sheet is stays with the company: the keepers do not read its substances', async () => {
    const sheet = await taken(at.admin, PDF, 'thinners.pdf')
    const thinners = { name: 'Thinners', form: 'liquid', hazardStatements: ['H225'], sheet: sheet['@id'] }
    expect((await at.admin.api.post('/api/safety/substances', thinners)).status).toBe(201)
    expect(await doors(at.worker, sheet)).toEqual([200, 200, 'no picture', 1])
    expect(await doors(keeper, sheet)).toEqual([404, 404, 'no picture', 0])
  })

  test('is nobody else’s: not of other staff, of other clients, nor of those who do not read the draft', async () => {
    const other = await office()
    for (const who of [staff, other.admin, other.worker, at.worker, await person(at.client, 'ROLE_SAFETY_AUTHOR')])
      for (const file of [shown, referred]) expect(await doors(who, file)).toEqual(SHUT)
  })

  test('is only read by the keepers: neither labelled nor retired nor sorted', async () => {
    for (const change of [{ label: 'Ours' }, { retired: true }, { folder: null }])
      expect((await keeper.api.put(shown['@id'], change)).status).toBe(403)
    expect((await at.admin.api.get(shown['@id'])).body).toMatchObject({ label: '', retired: false })
  })

  test('stands where it was when a keeper saves the draft', async () => {
    const { body } = await keeper.api.get(draft['@id'])
    const saved = await keeper.api.put(draft['@id'], { ...body, location: 'Unit 5' })
    expect([saved.status, saved.text]).toEqual([200, expect.anything()])
    expect(saved.body.location).toBe('Unit 5')
    expect(saved.body.uploadedDocuments).toEqual(body.uploadedDocuments)
    expect(saved.body.associated).toMatchObject([{ file: { '@id': referred['@id'] } }])
  })

  test('is not carried into another client’s document, nor into the provider’s own', async () => {
    const other = await office()
    const theirs = (await other.admin.api.post(LIST, complete())).body
    const ours = (await keeper.api.post(LIST, complete())).body
    for (const one of [theirs, ours]) {
      expect((await keeper.api.put(one['@id'], { uploadedDocuments: [shown['@id']] })).status).toBe(400)
      const answer = await keeper.api.put(one['@id'], { associated: [{ file: referred['@id'] }] })
      expect([answer.status, answer.body.violations?.[0]?.message]).toEqual([422, 'Please choose a document or a file'])
    }
    const own = await taken(keeper, PDF, 'method.pdf')
    for (const one of [theirs, ours])
      expect((await keeper.api.put(one['@id'], { associated: [{ file: own['@id'] }] })).status).toBe(200)
  })

  test('does not stand among the keepers’ own files', async () => {
    const mine = await taken(keeper, PDF, 'template.pdf')
    const pairs = await keeper.api.get(`${FILES}/folder_pairing`)
    expect(pairs.text).toContain(mine.name)
    expect(pairs.text).not.toContain('north-wall')
  })
})
