import { describe, expect, test } from 'vitest'
import { filePortal, newFolder, upload } from '#test/support/files.ts'
import { PDF } from '#test/support/uploads.ts'

const { person, office } = await filePortal()
const members = (answer: { body: Record<string, unknown> }) => answer.body['hydra:member'] as Record<string, unknown>[]

describe('sorting', () => {
  test('label, folder and retiring; by the author or an administrator', async () => {
    const { client, admin, worker } = await office()
    const colleague = await person(client, 'ROLE_EMPLOYEE')
    const at = await newFolder(worker, 'Certificates')
    const mine = (await upload(worker, PDF, 'a.pdf')).body['@id']
    expect((await colleague.api.put(mine, { label: 'Lift', folder: at['@id'] })).body).toMatchObject({
      label: 'Lift',
      folder: at['@id'],
    })
    expect((await colleague.api.put(mine, { retired: true })).status).toBe(403)
    expect((await worker.api.put(mine, { retired: true })).body.retired).toBe(true)
    expect((await admin.api.put(mine, { retired: false })).body.retired).toBe(false)
    expect((await worker.api.put(mine, { name: 'b.exe', type: 'text/html', size: 1 })).body).toMatchObject({
      name: 'a.pdf',
      type: 'application/pdf',
      size: PDF.length,
    })
    expect((await admin.api.delete(mine)).status).toBe(405)
    expect((await admin.api.post('/api/safety/uploaded_documents', { name: 'x' })).status).toBe(405)
  })

  test('never reaches another client', async () => {
    const { worker } = await office()
    const other = await office()
    const mine = (await upload(worker, PDF, 'a.pdf')).body['@id']
    const own = await newFolder(worker, 'Mine')
    const theirs = await newFolder(other.worker, 'Theirs')
    expect((await other.admin.api.put(mine, { label: 'x' })).status).toBe(404)
    expect((await other.admin.api.get(mine)).status).toBe(404)
    expect((await worker.api.put(mine, { folder: theirs['@id'] })).status).toBe(400)
    expect((await worker.api.post('/api/safety/document_folders', { name: 'x', parent: theirs['@id'] })).status).toBe(
      400,
    )
    expect((await worker.api.put(own['@id'], { parent: theirs['@id'] })).status).toBe(400)
    expect((await worker.api.put(theirs['@id'], { name: 'x' })).status).toBe(404)
  })

  test('folders are inside each other, never in a circle, and retired once empty', async () => {
    const { worker } = await office()
    const a = await newFolder(worker, 'A')
    const b = await newFolder(worker, 'B', a['@id'])
    const c = await newFolder(worker, 'C', b['@id'])
    for (const target of [a, c]) expect((await worker.api.put(a['@id'], { parent: target['@id'] })).status).toBe(422)
    expect((await worker.api.put(b['@id'], { retired: true })).status).toBe(409)
    const file = (await upload(worker, PDF, 'a.pdf', { folder: c['@id'] })).body['@id']
    expect((await worker.api.put(c['@id'], { retired: true })).status).toBe(409)
    await worker.api.put(file, { folder: null })
    expect((await worker.api.put(c['@id'], { retired: true })).body.retired).toBe(true)
    expect((await worker.api.put(file, { folder: c['@id'] })).status).toBe(422)
    expect((await worker.api.post('/api/safety/document_folders', { name: '' })).status).toBe(422)
  })

  test('the lists of the specification', async () => {
    const { client, worker, admin } = await office()
    const a = await newFolder(worker, 'A')
    const b = await newFolder(worker, 'B', a['@id'])
    const loose = (await upload(worker, PDF, 'loose.pdf', { label: 'Ladder check' })).body
    const sorted = (await upload(worker, PDF, 'sorted.pdf', { folder: b['@id'] })).body
    const gone = (await upload(worker, PDF, 'gone.pdf')).body
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
