import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { fileStoreFor } from '#server/files/store.ts'
import { makeAnimatedGif, makeAnimatedWebp, makeBlackPng, makePngHeader } from '#test/support/bombs.ts'
import { makeFilePortal, uploadFile } from '#test/support/files.ts'
import { MINIMAL_PDF, makePicture } from '#test/support/uploads.ts'

const { portal, office, stored } = await makeFilePortal()

describe('a picture too large to decode', () => {
  test.each<[string, () => Promise<Buffer> | Buffer]>([
    ['bomb.png', () => makePngHeader({ width: 10_000, height: 10_000, bits: 16 })],
    ['deep.png', () => makePngHeader({ width: 6000, height: 6000, bits: 16 })],
    ['moving.gif', () => makeAnimatedGif({ width: 1000, height: 1000 }, 500)],
    ['moving.webp', () => makeAnimatedWebp({ width: 1000, height: 1000 }, 500)],
  ])(
    'a picture too large to decode is rejected with an error on the file field, and nothing is stored: %s',
    async (name, make) => {
      const { client, worker } = await office()
      const { status, body } = await uploadFile(worker, await make(), name, { label: 'North wall' })
      expect([status, body.code]).toEqual([422, 'invalid'])
      expect(body.violations).toEqual([
        {
          propertyPath: 'file',
          message: expect.stringMatching(/pixels: decoded, it would need [\d,]+ MB, and the maximum is 200 MB/),
          code: 'too_much_to_open',
        },
      ])
      expect(stored(client)).toEqual([])
      expect((await uploadFile(worker, await makePicture(9, 9).png().toBuffer(), name)).status).toBe(201)
    },
  )

  test("an upload of a picture just below the size limit adds less than 60 MB to the server's memory", async () => {
    const { worker } = await office()
    const great = await makeBlackPng({ width: 8100, height: 8200 })
    const before = process.memoryUsage.rss()
    let most = before
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss())
    }, 5)
    const { status, body } = await uploadFile(worker, great, 'great.png')
    clearInterval(watch)
    expect([status, body.width, body.height]).toEqual([201, 8100, 8200])
    expect(most - before).toBeLessThan(60_000_000)
  })

  test('a picture too large to decode can still be downloaded if it was stored before the limit existed', async () => {
    const { worker } = await office()
    const bomb = makePngHeader({ width: 20_000, height: 20_000, bits: 16 })
    const { body } = await uploadFile(worker, MINIMAL_PDF, 'old.pdf')
    const store = await fileStoreFor(portal.engine.config)
    const key = await portal.db.tx('system', async (tx) => {
      const [row] = await tx.rows<{ file_key: string }>(
        "UPDATE uploaded_document SET name = 'old.png', type = 'image/png', size = $2 WHERE id = $1 RETURNING file_key",
        [body.id, bomb.length],
      )
      return row?.file_key ?? ''
    })
    await store.put(key, Readable.from([bomb]), bomb.length)
    for (const url of [body.url, `${body.url}?original=true`])
      expect((await worker.bytes(url)).body.equals(bomb)).toBe(true)
    expect((await worker.bytes(`${body['@id']}/thumbnail`)).status).toBe(404)
  })
})
