import { expect, test } from 'vitest'
import { createFolder, makeFilePortal, type TestFileUser, uploadFile, uploadFileVersion } from '#test/support/files.ts'
import { MINIMAL_PDF } from '#test/support/uploads.ts'

const { portal, person, office } = await makeFilePortal()
const URL = '/api/safety/uploaded_documents/downloads'
interface Group {
  folder: { '@id': string; name: string }
  uploadedDocuments: { '@id': string; name: string; size: number; expires: string | null }[]
}

/** Returns a user's downloads from the given folders only, because other tests also create folders. */
const found = async ({ api }: TestFileUser, query = '', of?: readonly string[]) => {
  const answer = await api.get(`${URL}${query}`)
  expect(answer.status).toBe(200)
  return Object.fromEntries(
    (answer.body['hydra:member'] as Group[])
      .filter(({ folder }) => !of || of.includes(folder['@id']))
      .map(({ folder, uploadedDocuments }) => [folder.name, uploadedDocuments.map(({ name }) => name)]),
  )
}
const marked = async (who: TestFileUser, name: string, audience: readonly string[] = []) => {
  const folder = await createFolder(who, name, undefined, audience)
  expect((await who.api.put(folder['@id'], { downloads: true })).body.downloads).toBe(true)
  return folder['@id'] as string
}

test('downloads list the latest version of each file in a marked folder', async () => {
  const { admin, worker } = await office()
  const [forms, handbooks] = [await marked(admin, 'Forms'), await marked(admin, 'Handbooks')]
  const other = (await createFolder(admin, 'Site photos'))['@id']
  for (const [name, folder] of [
    ['b.pdf', forms],
    ['a.pdf', forms],
    ['drivers.pdf', handbooks],
    ['no.pdf', other],
    ['loose.pdf', ''],
  ] as const)
    await uploadFile(admin, MINIMAL_PDF, name, folder ? { folder, expires: '2030-01-01' } : {})
  const old = (await uploadFile(admin, MINIMAL_PDF, 'old.pdf', { folder: forms })).body['@id']
  await uploadFileVersion(admin, old, MINIMAL_PDF, 'new.pdf')
  const gone = (await uploadFile(admin, MINIMAL_PDF, 'gone.pdf', { folder: forms })).body['@id']
  await admin.api.put(gone, { retired: true })
  const own = [forms, handbooks, other]
  expect(await found(worker, '', own)).toEqual({ Forms: ['a.pdf', 'b.pdf', 'new.pdf'], Handbooks: ['drivers.pdf'] })
  expect(await found(worker, '?q=driv', own)).toEqual({ Forms: [], Handbooks: ['drivers.pdf'] })
  await admin.api.put(forms, { downloads: false })
  expect(await found(worker, '', own)).toEqual({ Handbooks: ['drivers.pdf'] })
})

test('downloads omit files that the user may not read', async () => {
  const { client, admin, worker } = await office()
  const author = await person(client, 'ROLE_SAFETY_AUTHOR')
  const [all, authors, admins] = [
    await marked(admin, 'For all'),
    await marked(admin, 'For authors', ['ROLE_SAFETY_AUTHOR']),
    await marked(admin, 'For admins', ['ROLE_CLIENT_ADMIN']),
  ]
  for (const folder of [all, authors, admins]) await uploadFile(admin, MINIMAL_PDF, 'a.pdf', { folder })
  const own = [all, authors, admins]
  const names = async (who: TestFileUser) => Object.keys(await found(who, '', own)).sort()
  expect(await names(worker)).toEqual(['For all'])
  expect(await names(author)).toEqual(['For all', 'For authors'])
  expect(await names(admin)).toEqual(['For admins', 'For all', 'For authors'])
  const others = await office()
  expect(await names(others.admin)).toEqual([])
  expect((await portal.anonymous.get(URL)).status).toBe(401)
  expect((await (await person(client, 'ROLE_RESELLER')).api.get(URL)).status).toBe(403)
})

test("the provider's downloads are shown to every client, and only the provider can mark them", async () => {
  const { admin, worker } = await office()
  const keeper = await person(portal.provider, 'ROLE_STAFF', 'ROLE_SAFETY_ADMIN')
  const forms = await marked(keeper, 'Provider’s forms')
  await uploadFile(keeper, MINIMAL_PDF, 'f2508.pdf', { folder: forms })
  for (const who of [admin, worker, keeper])
    expect(await found(who, '', [forms])).toEqual({ 'Provider’s forms': ['f2508.pdf'] })
  expect((await admin.api.put(forms, { downloads: false })).status).toBe(403)
})

test("only users who can set a folder's readers can mark it as downloads", async () => {
  const { client, admin } = await office()
  const author = await person(client, 'ROLE_SAFETY_AUTHOR')
  const folder = (await createFolder(author, 'Forms'))['@id']
  expect((await author.api.put(folder, { downloads: true })).body.downloads).toBe(false)
  expect((await author.api.post('/api/safety/document_folders', { name: 'F', downloads: true })).body.downloads).toBe(
    false,
  )
  expect((await admin.api.patch(folder, { downloads: true })).body.downloads).toBe(true)
})
