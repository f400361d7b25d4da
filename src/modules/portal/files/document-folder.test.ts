import { describe, expect, test } from 'vitest'
import { makeCompleteAssessment } from '#test/support/assessments.ts'
import { createFolder, makeFilePortal, uploadFile, uploadFileVersion } from '#test/support/files.ts'
import { impersonate } from '#test/support/impersonate.ts'
import { MINIMAL_PDF } from '#test/support/uploads.ts'

const { portal, person, office } = await makeFilePortal()
const members = (answer: { body: Record<string, unknown> }) => answer.body['hydra:member'] as Record<string, unknown>[]

describe('file organisation', () => {
  test('files can be labelled, moved and retired by their author or an administrator', async () => {
    const { client, admin, worker } = await office()
    const colleague = await person(client, 'ROLE_EMPLOYEE')
    const at = await createFolder(admin, 'Certificates')
    const mine = (await uploadFile(worker, MINIMAL_PDF, 'a.pdf')).body['@id']
    expect((await worker.api.put(mine, { label: 'Lift', folder: at['@id'] })).body).toMatchObject({
      label: 'Lift',
      folder: at['@id'],
    })
    expect((await colleague.api.put(mine, { label: 'Hoist' })).status).toBe(403)
    expect((await colleague.api.put(mine, { retired: true })).status).toBe(403)
    expect((await worker.api.put(mine, { retired: true })).body.retired).toBe(true)
    expect((await admin.api.put(mine, { retired: false })).body.retired).toBe(false)
    expect((await worker.api.put(mine, { name: 'b.exe', type: 'text/html', size: 1 })).body).toMatchObject({
      name: 'a.pdf',
      type: 'application/pdf',
      size: MINIMAL_PDF.length,
    })
    expect((await admin.api.delete(mine)).status).toBe(405)
    expect((await admin.api.post('/api/safety/uploaded_documents', { name: 'x' })).status).toBe(405)
  })

  test('moving and labelling files never affects other clients', async () => {
    const { admin, worker } = await office()
    const other = await office()
    const mine = (await uploadFile(worker, MINIMAL_PDF, 'a.pdf')).body['@id']
    const own = await createFolder(admin, 'My views')
    const theirs = await createFolder(other.admin, 'Theirs')
    expect((await other.admin.api.put(mine, { label: 'x' })).status).toBe(404)
    expect((await other.admin.api.get(mine)).status).toBe(404)
    expect((await worker.api.put(mine, { folder: theirs['@id'] })).status).toBe(400)
    expect((await admin.api.post('/api/safety/document_folders', { name: 'x', parent: theirs['@id'] })).status).toBe(
      400,
    )
    expect((await admin.api.put(own['@id'], { parent: theirs['@id'] })).status).toBe(400)
    expect((await admin.api.put(theirs['@id'], { name: 'x' })).status).toBe(404)
  })

  test('folders can be nested without cycles and retired once empty', async () => {
    const { admin, worker } = await office()
    const a = await createFolder(admin, 'A')
    const b = await createFolder(admin, 'B', a['@id'])
    const c = await createFolder(admin, 'C', b['@id'])
    for (const target of [a, c]) expect((await admin.api.put(a['@id'], { parent: target['@id'] })).status).toBe(422)
    expect((await admin.api.put(b['@id'], { retired: true })).status).toBe(409)
    const file = (await uploadFile(worker, MINIMAL_PDF, 'a.pdf', { folder: c['@id'] })).body['@id']
    expect((await admin.api.put(c['@id'], { retired: true })).status).toBe(409)
    await admin.api.put(file, { folder: null })
    expect((await admin.api.put(c['@id'], { retired: true })).body.retired).toBe(true)
    expect((await admin.api.put(file, { folder: c['@id'] })).status).toBe(422)
    expect((await admin.api.post('/api/safety/document_folders', { name: '' })).status).toBe(422)
  })

  test('files and folders can be filtered, and the folder-pairing endpoint lists each folder with its files', async () => {
    const { client, worker, admin } = await office()
    const a = await createFolder(admin, 'A')
    const b = await createFolder(admin, 'B', a['@id'])
    const loose = (await uploadFile(worker, MINIMAL_PDF, 'loose.pdf', { label: 'Ladder check' })).body
    const sorted = (await uploadFile(worker, MINIMAL_PDF, 'sorted.pdf', { folder: b['@id'] })).body
    const gone = (await uploadFile(worker, MINIMAL_PDF, 'gone.pdf')).body
    await admin.api.put(gone['@id'], { retired: true })
    const ids = async (url: string) => members(await worker.api.get(`${url}&client=${client.id}`)).map((m) => m['@id'])
    for (const filter of ['parent[exists]=false', 'exists[parent]=false'])
      expect(await ids(`/api/safety/document_folders?${filter}`)).toEqual([a['@id']])
    expect(await ids('/api/safety/uploaded_documents?folder[exists]=false&retired=false')).toEqual([loose['@id']])
    expect(await ids('/api/safety/uploaded_documents?retired=false')).toEqual([sorted['@id'], loose['@id']])
    expect(await ids('/api/safety/uploaded_documents?q=ladder')).toEqual([loose['@id']])
    const pairs = async (query = '') =>
      members(await worker.api.get(`/api/safety/uploaded_documents/folder_pairing${query}`)).map((p) => [
        (p.folder as { name: string } | null)?.name,
        (p.uploadedDocuments as { name: string }[]).map((d) => d.name),
      ])
    expect(await pairs()).toEqual([
      ['A', []],
      ['B', ['sorted.pdf']],
      [undefined, ['loose.pdf']],
    ])
    expect((await pairs('?retired=true')).at(-1)).toEqual([undefined, ['gone.pdf']])
    expect((await pairs('?q=ladder')).map(([, names]) => names)).toEqual([[], [], ['loose.pdf']])
    const other = await office()
    const seen = await other.worker.api.get(`/api/safety/uploaded_documents/folder_pairing?client=${client.id}`)
    expect(members(seen).flatMap((p) => p.uploadedDocuments)).toEqual([])
  })
})

describe('access to a folder', () => {
  const FOLDERS = '/api/safety/document_folders'
  const seen = async (api: { get: (url: string) => Promise<{ body: Record<string, unknown> }> }, url: string) =>
    members(await api.get(url)).map((m) => m.name)

  test('only the audience of a folder, by default document authors, can read it and find its contents', async () => {
    const { client, admin, worker } = await office()
    const writer = await person(client, 'ROLE_SAFETY_AUTHOR')
    const closed = (await admin.api.post(FOLDERS, { name: 'Claims' })).body
    expect(closed.audience).toEqual(['ROLE_SAFETY_AUTHOR'])
    const file = (await uploadFile(admin, MINIMAL_PDF, 'claim.pdf', { folder: closed['@id'] })).body
    expect((await writer.api.get(file['@id'])).status).toBe(200)
    const reach = async () => [
      (await worker.api.get(closed['@id'])).status,
      (await worker.api.get(file['@id'])).status,
      (await worker.bytes(file.url)).status,
      (await seen(worker.api, '/api/safety/uploaded_documents?q=claim')).length,
      (await worker.api.get('/api/safety/uploaded_documents/folder_pairing')).text.includes('claim.pdf') ? 1 : 0,
    ]
    expect(await reach()).toEqual([404, 404, 404, 0, 0])
    expect((await worker.api.put(file['@id'], { label: 'Mine now' })).status).toBe(404)
    expect((await uploadFile(worker, MINIMAL_PDF, 'in.pdf', { folder: closed['@id'] })).status).toBe(400)
    // Only administrators may set a folder's audience; the field is ignored if other users send it.
    expect((await writer.api.put(closed['@id'], { name: 'Claims 2026', audience: [] })).body).toMatchObject({
      name: 'Claims 2026',
      audience: ['ROLE_SAFETY_AUTHOR'],
    })
    await admin.api.put(closed['@id'], { audience: ['ROLE_CLIENT_ADMIN'] })
    expect([(await writer.api.get(closed['@id'])).status, (await writer.api.get(file['@id'])).status]).toEqual([
      404, 404,
    ])
    await admin.api.put(closed['@id'], { audience: [] })
    expect(await reach()).toEqual([200, 200, 200, 1, 1])
  })

  test("employees can't create folders, or move, rename or label other people's files", async () => {
    const { admin, worker } = await office()
    const open = await createFolder(admin, 'Open')
    const file = (await uploadFile(admin, MINIMAL_PDF, 'a.pdf', { folder: open['@id'] })).body
    const loose = (await uploadFile(admin, MINIMAL_PDF, 'loose.pdf')).body
    const answers = [
      await worker.api.post(FOLDERS, { name: 'My views' }),
      await worker.api.put(open['@id'], { name: 'My views' }),
      await worker.api.put(file['@id'], { label: 'My views' }),
      await worker.api.put(file['@id'], { folder: null }),
      await worker.api.get(loose['@id']),
    ]
    expect(answers.map((a) => a.status)).toEqual([403, 403, 403, 403, 404])
  })

  test('a file outside any folder is readable by its uploader and file administrators, and by other authors if they can read a document that uses it', async () => {
    const { client, admin } = await office()
    const [mine, colleague] = [await person(client, 'ROLE_SAFETY_AUTHOR'), await person(client, 'ROLE_SAFETY_AUTHOR')]
    const file = (await uploadFile(mine, MINIMAL_PDF, 'grievance.pdf')).body
    const reach = async (api: typeof mine) => [
      (await api.api.get(file['@id'])).status,
      (await api.bytes(file.url)).status,
      (await seen(api.api, '/api/safety/uploaded_documents?q=grievance')).length,
    ]
    expect(await reach(mine)).toEqual([200, 200, 1])
    expect(await reach(admin)).toEqual([200, 200, 1])
    expect(await reach(colleague)).toEqual([404, 404, 0])
    expect((await colleague.api.put(file['@id'], { label: 'Taken' })).status).toBe(404)
    const draft = await mine.api.post(
      '/api/safety/risk_assessments',
      makeCompleteAssessment({ uploadedDocuments: [file['@id']] }),
    )
    expect(await reach(colleague)).toEqual([404, 404, 0])
    expect((await mine.api.post(`${draft.body['@id']}/complete`)).status).toBe(200)
    expect(await reach(colleague)).toEqual([200, 200, 1])
  })

  test('a document author can upload, read and label a file outside any folder', async () => {
    const { client } = await office()
    const writer = await person(client, 'ROLE_SAFETY_AUTHOR')
    const file = await uploadFile(writer, MINIMAL_PDF, 'plan.pdf')
    expect(file.status).toBe(201)
    expect((await writer.bytes(file.body.url)).status).toBe(200)
    expect((await writer.api.put(file.body['@id'], { label: 'Plan' })).status).toBe(200)
  })
})

test('an impersonator can neither open a folder to more people, nor move a file, nor change its expiry date', async () => {
  const { admin } = await office()
  const folder = await createFolder(admin, 'Contracts', undefined, ['ROLE_HR'])
  const open = await createFolder(admin, 'Open')
  const texts = { folder: folder['@id'], expires: '2099-01-31' }
  const file = (await uploadFile(admin, MINIMAL_PDF, 'a.pdf', texts)).body
  const api = await impersonate(portal, admin.user)
  const refused = [
    await api.patch(folder['@id'], { audience: [] }),
    await api.put(folder['@id'], { downloads: true }),
    await api.post('/api/safety/document_folders', { name: 'All', audience: [] }),
    await api.patch(file['@id'], { folder: open['@id'] }),
    await api.put(file['@id'], { folder: null }),
    await api.patch(file['@id'], { expires: '2099-02-01' }),
    await api.patch(file['@id'], { remindDays: 0 }),
  ]
  expect(refused.map(({ status, body }) => [status, body.code])).toEqual(refused.map(() => [403, 'in_person']))
  expect((await api.put(folder['@id'], { ...folder, name: 'Agreements' })).status).toBe(200)
  expect((await api.put(file['@id'], { ...file, label: 'Lift' })).status).toBe(200)
  const visitor = { ...admin, api }
  expect((await uploadFileVersion(visitor, file['@id'], MINIMAL_PDF, 'b.pdf', { expires: '2099-03-01' })).status).toBe(
    403,
  )
  expect((await uploadFileVersion(visitor, file['@id'], MINIMAL_PDF, 'b.pdf', { expires: '2099-01-31' })).status).toBe(
    201,
  )
})
