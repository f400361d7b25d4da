import { expect, test } from 'vitest'
import { createFolder, makeFilePortal, type TestFileUser, uploadFile, uploadFileVersion } from '#test/support/files.ts'
import { MINIMAL_PDF, makePicture } from '#test/support/uploads.ts'

const { portal, person, office } = await makeFilePortal()
const usesOf = async ({ api }: TestFileUser, iri: string): Promise<string[]> => {
  const { status, body } = await api.get(`${iri}/other_uses`)
  expect(status).toBe(200)
  return (body['hydra:member'] as { as: string }[]).map(({ as }) => as)
}
const SCHEMA = {
  steps: [{ name: 's', title: 'S', groups: [{ fields: [{ name: 'photos', kind: 'uploads', label: 'Photos' }] }] }],
}

test("every version of a file lists the file's uses as a data sheet or logo to users who can read the records concerned", async () => {
  const { client, admin, worker } = await office()
  const shared = await createFolder(admin, 'Shared')
  const sheet = (await uploadFile(admin, MINIMAL_PDF, 'thinners.pdf', { folder: shared['@id'] })).body['@id']
  const thinners = { name: 'Thinners', form: 'liquid', hazardStatements: ['H225'], sheet }
  expect((await admin.api.post('/api/safety/substances', thinners)).status).toBe(201)
  const newer = (await uploadFileVersion(admin, sheet, MINIMAL_PDF, 'thinners.pdf')).body['@id']
  for (const iri of [sheet, newer]) expect(await usesOf(worker, iri)).toEqual(['the data sheet for Thinners'])

  const logo = (
    await uploadFile(admin, await makePicture(40, 40).png().toBuffer(), 'logo.png', { folder: shared['@id'] })
  ).body['@id']
  expect((await admin.api.post('/api/portal/letterheads', { logo })).status).toBe(201)
  expect(await usesOf(admin, logo)).toEqual(['the logo on your documents'])
  expect(await usesOf(worker, logo)).toEqual([])
  const other = await office()
  expect((await other.admin.api.get(`${sheet}/other_uses`)).status).toBe(404)
  expect((await portal.anonymous.get(`${sheet}/other_uses`)).status).toBe(401)
  expect(client.id).not.toBe(other.client.id)
})

test("a file used in the sealed answers of a form can't be retired", async () => {
  const { client, admin, worker } = await office()
  const author = await person(client, 'ROLE_SAFETY_AUTHOR')
  const made = (await author.api.post('/api/safety/custom_forms', { title: 'Ladder check', schema: SCHEMA })).body
  const form = (await author.api.post(`${made['@id']}/publish`, {})).body
  const photo = (await uploadFile(worker, await makePicture(40, 40).png().toBuffer(), 'ladder.png')).body['@id']
  const filled = { form: form['@id'], version: form.current, answers: { photos: [photo] } }
  const answer = await worker.api.post('/api/safety/custom_form_answers', filled)
  expect([answer.status, answer.text]).toEqual([201, expect.anything()])
  expect(await usesOf(worker, photo)).toEqual(['part of FA-0001, Ladder check'])
  const newer = (await uploadFileVersion(worker, photo, await makePicture(9, 9).png().toBuffer(), 'ladder.png')).body[
    '@id'
  ]
  for (const who of [worker, admin]) {
    const refused = await who.api.put(newer, { retired: true })
    expect([refused.status, refused.body['hydra:description']]).toEqual([
      409,
      'FA-0001 was sealed with this file, so the file can’t be retired.',
    ])
  }
})
