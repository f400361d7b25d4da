import { describe, expect, test } from 'vitest'
import { fileStoreFor } from '#server/files/store.ts'
import { makeFilePortal, uploadFile } from '#test/support/files.ts'
import { MINIMAL_PDF, makePicture } from '#test/support/uploads.ts'

const { portal, person, office, stored } = await makeFilePortal()

describe('a download', () => {
  test("a download has the file's content type and headers that prevent sniffing and scripts, and is sent again only after the file has changed", async () => {
    const { worker } = await office()
    const { body } = await uploadFile(worker, MINIMAL_PDF, 'Plan “A”.pdf')
    const answer = await worker.bytes(body.url)
    expect(answer.status).toBe(200)
    expect(answer.body.equals(MINIMAL_PDF)).toBe(true)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': String(MINIMAL_PDF.length),
      'content-disposition': `inline; filename="Plan ?A?.pdf"; filename*=UTF-8''Plan%20%E2%80%9CA%E2%80%9D.pdf`,
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-store',
    })
    expect(answer.headers['content-security-policy']).toContain('sandbox')
    const held = await worker.bytes(body.url, { 'if-none-match': String(answer.headers.etag) })
    expect([held.status, held.body.length]).toEqual([304, 0])
    expect((await worker.bytes(`${body['@id']}/thumbnail`)).status).toBe(404)
    expect((await worker.api.head(body.url)).status).toBe(200)
  })

  test('a download is shown inline only if it is a picture or PDF', async () => {
    const { worker } = await office()
    const { body } = await uploadFile(worker, '<script>alert(1)</script>', 'a.txt')
    expect((await worker.bytes(body.url)).headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': 'attachment; filename=a.txt',
    })
  })

  test('a download supports range requests', async () => {
    const { worker } = await office()
    const { body } = await uploadFile(worker, '0123456789', 'a.txt')
    const part = async (range: string, more: Record<string, string> = {}) => {
      const a = await worker.bytes(body.url, { range, ...more })
      return [a.status, a.status < 300 ? a.body.toString() : '', a.headers['content-range']]
    }
    expect(await part('bytes=2-4')).toEqual([206, '234', 'bytes 2-4/10'])
    expect(await part('bytes=7-')).toEqual([206, '789', 'bytes 7-9/10'])
    expect(await part('bytes=-3')).toEqual([206, '789', 'bytes 7-9/10'])
    expect(await part('bytes=0-99')).toEqual([206, '0123456789', 'bytes 0-9/10'])
    expect(await part('bytes=10-')).toEqual([416, '', 'bytes */10'])
    expect(await part('bytes=1-2,4-5')).toEqual([200, '0123456789', undefined])
    expect(await part('bytes=2-4', { 'if-range': '"other"' })).toEqual([200, '0123456789', undefined])
  })

  test('a file can be downloaded only by users with access to its record', async () => {
    const { client, worker } = await office()
    const other = await office()
    const { body } = await uploadFile(worker, await makePicture(9, 9).png().toBuffer(), 'a.png')
    for (const url of [body.url, `${body.url}?original=true`, body.thumbnailUrl]) {
      expect((await other.admin.bytes(url)).status).toBe(404)
      expect((await (await person(portal.provider, 'ROLE_STAFF')).bytes(url)).status).toBe(404)
      expect((await (await person(client, 'ROLE_RESELLER')).bytes(url)).status).toBe(403)
      expect((await portal.anonymous.get(url)).status).toBe(401)
      expect((await portal.bearing('nonsense').get(url)).status).toBe(401)
    }
    expect((await worker.bytes('/api/safety/uploaded_documents/x/file')).status).toBe(404)
  })

  test("the provider's files (client 0) can be downloaded by all users", async () => {
    const { worker } = await office()
    const staff = await person(portal.provider, 'ROLE_STAFF')
    const { body } = await uploadFile(staff, MINIMAL_PDF, 'template.pdf')
    expect((await worker.bytes(body.url)).status).toBe(200)
    expect((await worker.api.put(body['@id'], { label: 'mine' })).status).toBe(403)
  })

  test('downloading a file whose content is missing returns an error', async () => {
    const { client, worker } = await office()
    const { body } = await uploadFile(worker, MINIMAL_PDF, 'a.pdf')
    const store = await fileStoreFor(portal.engine.config)
    await store.remove(`${client.id}/${stored(client)[0]}`)
    const answer = await worker.api.get(body.url)
    expect([answer.status, answer.body['hydra:description']]).toEqual([
      404,
      expect.stringMatching(/no longer has the content of this file/),
    ])
  })
})
