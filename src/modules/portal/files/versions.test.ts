import { describe, expect, test } from 'vitest'
import { ASSESSMENTS_URL, makeCompleteAssessment } from '#test/support/assessments.ts'
import { createFolder, makeFilePortal, type TestFileUser, uploadFile, uploadFileVersion } from '#test/support/files.ts'
import { MINIMAL_PDF, makePicture } from '#test/support/uploads.ts'

const { portal, person, office } = await makeFilePortal()
const FILES = '/api/safety/uploaded_documents'
type FileBody = Record<string, unknown>
const members = (answer: { body: FileBody }) => answer.body['hydra:member'] as FileBody[]
const pdf = (n: number) => Buffer.concat([MINIMAL_PDF, Buffer.from(`%${n}\n`)])
const versionsOf = async ({ api }: TestFileUser, iri: string) =>
  members(await api.get(`${iri}/versions`)).map(({ version }) => version)

describe('a new version', () => {
  test('a new version replaces the previous one, which is retained with its content', async () => {
    const { client, admin, worker } = await office()
    const folder = await createFolder(admin, 'Certificates')
    const texts = { label: 'Lift', folder: folder['@id'] }
    const first = (await uploadFile(worker, pdf(1), 'lift.pdf', texts)).body
    expect(first).toMatchObject({ version: 1, replaces: null, replaced: false, keeper: worker.user.username })
    const { status, body, headers } = await uploadFileVersion(admin, first['@id'], pdf(2), 'lift-2026.pdf')
    expect([status, headers.location]).toEqual([201, body['@id']])
    expect(body).toMatchObject({
      name: 'lift-2026.pdf',
      label: 'Lift',
      folder: folder['@id'],
      client: client.iri,
      version: 2,
      replaces: first['@id'],
      replaced: false,
      restoredFrom: null,
      author: admin.user.username,
      keeper: worker.user.username,
    })
    expect((await worker.api.get(first['@id'])).body).toMatchObject({ replaced: true, checksum: first.checksum })
    expect((await worker.bytes(`${first['@id']}/file`)).body.equals(pdf(1))).toBe(true)
    expect((await worker.bytes(`${body['@id']}/file`)).body.equals(pdf(2))).toBe(true)
    expect(Object.keys(body)).not.toContain('entry')
  })

  test('all versions of a file can be listed from any version, with author, time, size and checksum', async () => {
    const { admin, worker } = await office()
    const first = (await uploadFile(worker, pdf(1), 'a.pdf')).body
    const second = (await uploadFileVersion(worker, first['@id'], pdf(2), 'b.pdf')).body
    const third = (await uploadFileVersion(admin, second['@id'], pdf(3), 'c.pdf')).body
    for (const iri of [first['@id'], second['@id'], third['@id']])
      expect(members(await worker.api.get(`${iri}/versions`))).toMatchObject([
        { name: 'c.pdf', version: 3, author: admin.user.username, checksum: third.checksum, size: pdf(3).length },
        {
          name: 'b.pdf',
          version: 2,
          author: worker.user.username,
          checksum: second.checksum,
          createdAt: second.createdAt,
        },
        { name: 'a.pdf', version: 1, url: first.url },
      ])
  })

  test('a new version is offered to drafts that use the previous one, but sealed documents still refer to their own version', async () => {
    const { admin } = await office()
    const first = (await uploadFile(admin, pdf(1), 'lift.pdf', { label: 'Lift' })).body
    const body = makeCompleteAssessment({ uploadedDocuments: [{ '@id': first['@id'], label: 'Certificate' }] })
    const sealed = (await admin.api.post(ASSESSMENTS_URL, body)).body
    const draft = (await admin.api.post(ASSESSMENTS_URL, body)).body
    expect((await admin.api.post(`${sealed['@id']}/complete`, {})).status).toBe(200)
    await uploadFileVersion(admin, first['@id'], pdf(2), 'lift-2026.pdf')
    // Sends the same requests as the screen that edits a draft.
    expect((await admin.api.get(first['@id'])).body).toMatchObject({ replaced: true, version: 1 })
    const [newest] = members(await admin.api.get(`${first['@id']}/versions?itemsPerPage=1`))
    expect(newest).toMatchObject({ version: 2, retired: false, name: 'lift-2026.pdf' })
    const uploadedDocuments = [{ '@id': newest?.['@id'], label: 'Certificate' }]
    expect((await admin.api.put(draft['@id'], { uploadedDocuments })).status).toBe(200)
    const named = async (iri: string) => (await admin.api.get(iri)).body.uploadedDocuments
    expect([await named(draft['@id']), await named(sealed['@id'])]).toEqual([
      uploadedDocuments,
      [{ '@id': first['@id'], label: 'Certificate' }],
    ])
  })

  test('lists show only the newest version of a file; earlier ones are returned on request', async () => {
    const { client, admin } = await office()
    const folder = await createFolder(admin, 'Forms')
    const first = (await uploadFile(admin, pdf(1), 'form.pdf', { folder: folder['@id'] })).body
    const second = (await uploadFileVersion(admin, first['@id'], pdf(2), 'form.pdf')).body
    const listed = async (query: string) =>
      members(await admin.api.get(`${FILES}?client=${client.id}&${query}`)).map(({ id }) => id)
    for (const query of ['', 'q=form', `folder=${folder.id}`, 'replaced=false', 'retired=false'])
      expect(await listed(query)).toEqual([second.id])
    expect(await listed('replaced=true')).toEqual([first.id])
    expect(await listed(`id[]=${first.id}&id[]=${second.id}`)).toEqual([second.id, first.id])
    const pairs = members(await admin.api.get(`${FILES}/folder_pairing`)) as { uploadedDocuments: FileBody[] }[]
    expect(pairs.flatMap((pair) => pair.uploadedDocuments.map(({ id }) => id))).toEqual([second.id])
  })

  test('a new version can be uploaded only by users who may change the file', async () => {
    const { client, admin, worker } = await office()
    const colleague = await person(client, 'ROLE_EMPLOYEE')
    const other = await office()
    const keeper = await person(portal.provider, 'ROLE_STAFF', 'ROLE_SAFETY_ADMIN')
    const shared = await createFolder(admin, 'Shared')
    const mine = (await uploadFile(worker, pdf(1), 'a.pdf', { folder: shared['@id'] })).body['@id']
    const theirs = (await uploadFile(admin, pdf(1), 'b.pdf', { folder: shared['@id'] })).body['@id']
    const secret = (await uploadFile(admin, pdf(1), 'c.pdf')).body['@id']
    const template = (await uploadFile(keeper, pdf(1), 'template.pdf')).body['@id']
    const tried = async (who: TestFileUser, iri: string) => (await uploadFileVersion(who, iri, pdf(2), 'x.pdf')).status
    expect([await tried(colleague, mine), await tried(worker, theirs), await tried(worker, template)]).toEqual([
      403, 403, 403,
    ])
    expect([await tried(worker, secret), await tried(other.admin, mine), await tried(keeper, mine)]).toEqual([
      404, 404, 404,
    ])
    expect([await tried(worker, mine), await tried(admin, theirs)]).toEqual([201, 201])
    expect([await versionsOf(admin, secret), await versionsOf(colleague, mine)]).toEqual([[1], [2, 1]])
    expect((await colleague.api.get(`${secret}/versions`)).status).toBe(404)
    expect((await portal.anonymous.get(`${mine}/versions`)).status).toBe(401)
  })

  test('a new version is rejected if the file has a newer one or is retired', async () => {
    const { client, admin } = await office()
    const first = (await uploadFile(admin, pdf(1), 'a.pdf')).body['@id']
    const second = (await uploadFileVersion(admin, first, pdf(2), 'a.pdf')).body['@id']
    const late = await uploadFileVersion(admin, first, pdf(3), 'a.pdf')
    expect([late.status, late.body['hydra:description']]).toEqual([
      409,
      expect.stringMatching(/^Somebody else has just uploaded a newer version/),
    ])
    await admin.api.put(second, { retired: true })
    expect((await uploadFileVersion(admin, second, pdf(3), 'a.pdf')).status).toBe(409)
    expect((await admin.api.post(`${first}/restore_version`)).status).toBe(409)
    expect(await versionsOf(admin, second)).toEqual([2, 1])
    expect(client.id).toBeGreaterThan(0)
  })

  test('only one of two versions uploaded concurrently is saved', async () => {
    const { admin } = await office()
    const first = (await uploadFile(admin, pdf(1), 'a.pdf')).body['@id']
    const both = await Promise.all([2, 3].map((n) => uploadFileVersion(admin, first, pdf(n), 'a.pdf')))
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
    expect(await versionsOf(admin, first)).toEqual([2, 1])
  })

  test('a rejected new version stores nothing', async () => {
    const there = await makeFilePortal()
    const { client, admin } = await there.office()
    const first = (await uploadFile(admin, pdf(1), 'a.pdf')).body['@id']
    const before = there.stored(client)
    await admin.api.put(first, { retired: true })
    expect((await uploadFileVersion(admin, first, pdf(2), 'a.pdf')).status).toBe(409)
    expect((await uploadFileVersion(admin, first, 'MZ', 'a.exe')).status).toBe(422)
    expect((await uploadFileVersion(admin, first, pdf(2), 'a.pdf', { expires: 'soon' })).status).toBe(400)
    expect(there.stored(client)).toEqual(before)
  })
})

describe('an earlier version', () => {
  test('an earlier version is restored as a new version with the same content', async () => {
    const { admin, worker } = await office()
    const first = (
      await uploadFile(worker, await makePicture(30, 20).png().toBuffer(), 'a.png', { expires: '2030-01-01' })
    ).body
    const second = (await uploadFileVersion(admin, first['@id'], pdf(2), 'a.pdf')).body
    const { status, body } = await worker.api.post(`${first['@id']}/restore_version`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      name: 'a.png',
      width: 30,
      checksum: first.checksum,
      expires: '2030-01-01',
      version: 3,
      replaces: second['@id'],
      restoredFrom: 1,
      author: worker.user.username,
    })
    expect(await versionsOf(worker, first['@id'])).toEqual([3, 2, 1])
    expect((await worker.bytes(body.thumbnailUrl)).status).toBe(200)
    expect((await worker.bytes(`${second['@id']}/file`)).body.equals(pdf(2))).toBe(true)
    expect((await worker.api.post(`${body['@id']}/restore_version`)).status).toBe(409)
  })

  test('an earlier version can be restored only by users who may change the file', async () => {
    const { client, admin, worker } = await office()
    const shared = await createFolder(admin, 'Shared')
    const first = (await uploadFile(admin, pdf(1), 'a.pdf', { folder: shared['@id'] })).body['@id']
    await uploadFileVersion(admin, first, pdf(2), 'a.pdf')
    const author = await person(client, 'ROLE_SAFETY_AUTHOR')
    const other = await office()
    expect((await worker.api.post(`${first}/restore_version`)).status).toBe(403)
    expect((await other.admin.api.post(`${first}/restore_version`)).status).toBe(404)
    expect((await author.api.post(`${first}/restore_version`)).status).toBe(200)
  })

  test("an earlier version can't be changed through any endpoint", async () => {
    const { client, admin } = await office()
    const first = (await uploadFile(admin, pdf(1), 'a.pdf')).body
    await uploadFileVersion(admin, first['@id'], pdf(2), 'a.pdf')
    for (const change of [
      { label: 'x' },
      { retired: true },
      { expires: '2030-01-01' },
      { folder: (await createFolder(admin, 'F'))['@id'] },
    ])
      for (const method of ['put', 'patch'] as const)
        expect((await admin.api[method](first['@id'], change)).status).toBe(409)
    expect((await admin.api.put(first['@id'], { replaced: false, version: 9 })).body).toMatchObject({
      replaced: true,
      version: 1,
    })
    const forge = (set: string) =>
      portal.db.tx({ clientId: client.id, userId: admin.user.id }, (tx) =>
        tx.rows(`UPDATE uploaded_document SET ${set} WHERE client_id = $1 AND id = $2`, [client.id, first.id]),
      )
    for (const set of [
      'replaced = false',
      "file_key = '1/x'",
      "checksum = 'x'",
      'retired = true',
      'version = 7',
      'entry = 1',
    ])
      await expect(forge(set)).rejects.toThrow(/stands as it is/)
  })

  test("an earlier version can be read by the audience of the file's folder, even after the file has been moved", async () => {
    const { admin, worker } = await office()
    const open = await createFolder(admin, 'Open')
    const closed = await createFolder(admin, 'Closed', undefined, ['ROLE_CLIENT_ADMIN'])
    const first = (await uploadFile(admin, pdf(1), 'a.pdf', { folder: open['@id'] })).body['@id']
    const second = (await uploadFileVersion(admin, first, pdf(2), 'a.pdf')).body['@id']
    const doors = async () => [
      (await worker.api.get(first)).status,
      (await worker.bytes(`${first}/file`)).status,
      (await worker.api.get(`${first}/versions`)).status,
      (await worker.api.get(second)).status,
    ]
    expect(await doors()).toEqual([200, 200, 200, 200])
    await admin.api.put(second, { folder: closed['@id'] })
    expect(await doors()).toEqual([404, 404, 404, 404])
    expect((await admin.api.put(open['@id'], { retired: true })).body.retired).toBe(true)
    await admin.api.put(open['@id'], { retired: false })
    await admin.api.put(second, { folder: open['@id'] })
    expect(await doors()).toEqual([200, 200, 200, 200])
  })
})

describe('a sealed document', () => {
  test('a sealed document still refers to the file content from the time of sealing, even if the file is changed or retired', async () => {
    const { admin } = await office()
    const shown = (await uploadFile(admin, await makePicture(60, 40).png().toBuffer(), 'north.png')).body
    const referred = (await uploadFile(admin, pdf(1), 'scaffold.pdf')).body
    const made = (
      await admin.api.post(
        ASSESSMENTS_URL,
        makeCompleteAssessment({ uploadedDocuments: [shown['@id']], associated: [{ file: referred['@id'] }] }),
      )
    ).body
    const sealed = (await admin.api.post(`${made['@id']}/complete`)).body
    expect(sealed.state).toBe('complete')
    const newer = (await uploadFileVersion(admin, referred['@id'], pdf(2), 'scaffold.pdf')).body
    const other = (await uploadFileVersion(admin, shown['@id'], await makePicture(9, 9).png().toBuffer(), 'north.png'))
      .body

    const now = (await admin.api.get(made['@id'])).body
    expect(now.uploadedDocuments).toEqual(sealed.uploadedDocuments)
    expect(now.associated).toMatchObject([{ file: { '@id': referred['@id'] } }])
    expect((await admin.bytes(`${referred['@id']}/file`)).body.equals(pdf(1))).toBe(true)

    for (const iri of [referred['@id'], newer['@id'], other['@id']])
      expect(members(await admin.api.get(`${iri}/where_used`)).map(({ id }) => id)).toEqual([made.id])
    const retired = await admin.api.put(newer['@id'], { retired: true })
    expect([retired.status, retired.body['hydra:description']]).toEqual([
      409,
      expect.stringMatching(/was sealed with this file/),
    ])
  })
})

describe('a retired file', () => {
  test('a retired file can be restored to its folder only by users who may change the file', async () => {
    const { client, admin, worker } = await office()
    const colleague = await person(client, 'ROLE_EMPLOYEE')
    const author = await person(client, 'ROLE_SAFETY_AUTHOR')
    const shared = await createFolder(admin, 'Shared')
    const file = (await uploadFile(worker, pdf(1), 'a.pdf', { folder: shared['@id'] })).body['@id']
    const next = (await uploadFileVersion(admin, file, pdf(2), 'a.pdf')).body['@id']
    expect((await worker.api.put(next, { retired: true })).body.retired).toBe(true)
    for (const nobody of [colleague, author]) expect((await nobody.api.put(next, { retired: false })).status).toBe(403)
    expect((await worker.api.put(next, { retired: false })).body).toMatchObject({
      retired: false,
      folder: shared['@id'],
    })
    await admin.api.put(next, { retired: true })
    await admin.api.put(shared['@id'], { retired: true })
    const refused = await admin.api.put(next, { retired: false })
    expect([refused.status, refused.body['hydra:description']]).toEqual([
      409,
      'The file’s folder “Shared” has been retired. Please move the file to another folder, then restore the file.',
    ])
    expect((await admin.api.put(next, { retired: false, folder: null })).body).toMatchObject({
      retired: false,
      folder: null,
    })
  })
})
