import { expect, test } from 'vitest'
import { createFolder, makeFilePortal, uploadFile } from '#test/support/files.ts'
import { grantPacks } from '#test/support/portal.ts'
import { MINIMAL_PDF } from '#test/support/uploads.ts'

const { portal, person, office } = await makeFilePortal()
const DOWNLOADS = '/api/employees/downloads'

interface Group {
  readonly folder: { readonly '@id': string }
  readonly uploadedDocuments: readonly { readonly name: string }[]
}
const filesIn = (body: { readonly 'hydra:member': readonly Group[] }, folder: string) =>
  body['hydra:member'].find((group) => group.folder['@id'] === folder)?.uploadedDocuments.map(({ name }) => name)

test('human resources read the HR templates of marked folders, retired ones in the archive, and workers read none', async () => {
  const { client, admin, worker } = await office()
  await portal.db.tx('system', (tx) => grantPacks(tx, client.id, ['safety', 'employees']))
  const hr = await person(client, 'ROLE_HR')
  const { '@id': folder } = await createFolder(admin, 'Templates', undefined, ['ROLE_HR'])
  const { '@id': other } = await createFolder(admin, 'Letters', undefined, ['ROLE_HR'])
  for (const [name, at] of [
    ['talk.pdf', folder],
    ['old.pdf', folder],
    ['letter.pdf', other],
  ] as const)
    await uploadFile(admin, MINIMAL_PDF, name, { folder: at })
  expect((await hr.api.put(folder, { hrTemplates: true })).status).toBe(403)
  expect((await admin.api.put(folder, { hrTemplates: true })).body.hrTemplates).toBe(true)
  const listed = (await hr.api.get(DOWNLOADS)).body
  expect([filesIn(listed, folder), filesIn(listed, other)]).toEqual([['old.pdf', 'talk.pdf'], undefined])
  const old = listed['hydra:member']
    .find((group: Group) => group.folder['@id'] === folder)
    .uploadedDocuments.find(({ name }: { name: string }) => name === 'old.pdf')
  for (const refused of [
    await admin.api.put(old['@id'], { retired: true }),
    await admin.api.patch(old['@id'], { retired: true, retireReason: ' ' }),
    await admin.api.put(old['@id'], { retired: true, folder: other }),
  ])
    expect([refused.status, refused.body.violations?.[0].propertyPath]).toEqual([422, 'retireReason'])
  const retired = await admin.api.put(old['@id'], { retired: true, retireReason: 'A new form replaced it' })
  expect(retired.body).toMatchObject({ retired: true, retireReason: 'A new form replaced it' })
  expect(filesIn((await hr.api.get(DOWNLOADS)).body, folder)).toEqual(['talk.pdf'])
  expect(filesIn((await hr.api.get(`${DOWNLOADS}/retired`)).body, folder)).toEqual(['old.pdf'])
  expect((await worker.api.get(DOWNLOADS)).status).toBe(403)
  expect((await worker.api.get(old['@id'])).status).toBe(404)
  expect((await admin.api.put(old['@id'], { retired: false })).body.retireReason).toBe('')
  expect((await admin.api.patch(old['@id'], { retireReason: 'In use' })).body.retireReason).toBe('')
  expect(filesIn((await hr.api.get(DOWNLOADS)).body, folder)).toEqual(['old.pdf', 'talk.pdf'])
})

test('a folder that human resources may not read stays out of their downloads', async () => {
  const { client, admin } = await office()
  await portal.db.tx('system', (tx) => grantPacks(tx, client.id, ['employees']))
  const hr = await person(client, 'ROLE_HR')
  const { '@id': folder } = await createFolder(admin, 'Board', undefined, ['ROLE_CLIENT_ADMIN'])
  await uploadFile(admin, MINIMAL_PDF, 'board.pdf', { folder })
  await admin.api.put(folder, { hrTemplates: true })
  expect(filesIn((await hr.api.get(DOWNLOADS)).body, folder)).toBeUndefined()
  expect(filesIn((await admin.api.get(DOWNLOADS)).body, folder)).toEqual(['board.pdf'])
})

test('without the entitlement the HR templates are closed', async () => {
  const { client } = await office()
  await portal.db.tx('system', (tx) => grantPacks(tx, client.id, ['safety']))
  const hr = await person(client, 'ROLE_CLIENT_ADMIN')
  for (const at of [DOWNLOADS, `${DOWNLOADS}/retired`]) expect((await hr.api.get(at)).body.code).toBe('pack_missing')
})
