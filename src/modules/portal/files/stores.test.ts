import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import S3rver from 's3rver'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { type FileStore, MissingFileError } from '#server/files/port.ts'
import { S3Store } from '#server/files/s3.ts'
import { fileStoreFor } from '#server/files/store.ts'
import { type TestPortal, testPortal } from '#test/support/portal.ts'
import { makePicture, makeUploadForm } from '#test/support/uploads.ts'

const folder = mkdtempSync(join(tmpdir(), 'stores-test-'))
const server = new S3rver({
  port: 0,
  address: '127.0.0.1',
  silent: true,
  directory: join(folder, 's3'),
  configureBuckets: [{ name: 'portal', configs: [] }],
})
let s3: Record<string, string>
let portal: TestPortal

beforeAll(async () => {
  const { port } = await server.run()
  s3 = {
    FILES_URL: `s3://portal/files?region=eu-west-2&endpoint=${encodeURIComponent(`http://127.0.0.1:${port}`)}`,
    AWS_ACCESS_KEY_ID: 'S3RVER',
    AWS_SECRET_ACCESS_KEY: 'S3RVER',
  }
  portal = await (await testPortal()).with(s3)
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const kinds: [string, () => Promise<FileStore>][] = [
  ['the data folder', () => fileStoreFor(readConfig({ DATA_DIR: folder }))],
  ['a separate folder', () => fileStoreFor(readConfig({ FILES_URL: `file://${folder}/else where` }))],
  ['an S3-compatible bucket', () => fileStoreFor(readConfig(s3))],
]

describe.each(kinds)('a file store in %s', (_, open) => {
  test('a file store saves files, returns them in full or in part, and deletes them', async () => {
    const store = await open()
    const bytes = Buffer.from('0123456789'.repeat(20_000))
    expect(await store.exists('7/a')).toBe(false)
    await store.put('7/a', Readable.from([bytes.subarray(0, 7), bytes.subarray(7)]), bytes.length)
    expect(await store.exists('7/a')).toBe(true)
    expect((await buffer(await store.get('7/a'))).equals(bytes)).toBe(true)
    expect((await buffer(await store.get('7/a', { start: 5, end: 9 }))).toString()).toBe('56789')
    await store.remove('7/a')
    await store.remove('7/a')
    expect(await store.exists('7/a')).toBe(false)
    await expect(store.get('7/a')).rejects.toBeInstanceOf(MissingFileError)
  })

  test('a file store rejects keys that point outside it', async () => {
    const store = await open()
    for (const key of ['../a', '7/../8/a', 'a', '7/a/b', '/7/a', '7/a.part'])
      await expect(async () => store.exists(key)).rejects.toThrow(/is not a valid key for the file store/)
  })

  test('an interrupted upload leaves nothing in the file store', async () => {
    const store = await open()
    const broken = new Readable({
      read() {
        this.push('abc')
        setImmediate(() => this.destroy(new Error('gone')))
      },
    })
    await expect(store.put('7/b', broken, 10)).rejects.toThrow(/gone|Request aborted/)
    expect(await store.exists('7/b')).toBe(false)
  })
})

test('a file store in a folder leaves no partial files', () => {
  expect(readdirSync(join(folder, 'files', '7'))).toEqual([])
})

test('the portal uploads files to the S3-compatible store and serves them from it', async () => {
  const client = await portal.client()
  const api = client.as(await client.user({ roles: ['ROLE_EMPLOYEE'] }))
  const answer = await api.send('POST', `/api/safety/uploads/${client.id}`, makeUploadForm('0123456789', 'a.txt'))
  expect(answer.status).toBe(201)
  expect((await api.get(answer.body.url)).text).toBe('0123456789')
  expect((await api.get(answer.body.url, { range: 'bytes=3-5' })).text).toBe('345')
  const photo = await api.send(
    'POST',
    `/api/safety/uploads/${client.id}`,
    makeUploadForm(await makePicture(9, 9).png().toBuffer(), 'a.png'),
  )
  expect((await api.get(photo.body.thumbnailUrl)).status).toBe(200)
  expect(
    readdirSync(join(folder, 's3/portal/files', String(client.id))).filter((n) => n.endsWith('_object')),
  ).toHaveLength(4)
})

describe('failures in an S3-compatible store', () => {
  const asked: string[] = []
  let status = 307
  const odd = createServer((request, response) => {
    asked.push(request.url ?? '')
    if (status) response.writeHead(status, { location: '/elsewhere' }).end()
  })
  const open = async () => {
    odd.listen(0, '127.0.0.1')
    await once(odd, 'listening')
    const { port } = odd.address() as AddressInfo
    const url = new URL(`s3://portal?region=eu-west-2&endpoint=${encodeURIComponent(`http://127.0.0.1:${port}`)}`)
    return new S3Store(url, { id: 'x', secret: 'y' }, 200)
  }
  afterEach(() => {
    odd.closeAllConnections()
    odd.close()
    asked.length = 0
  })

  test('a redirect from an S3-compatible store is not followed', async () => {
    status = 307
    const store = await open()
    const refused = { $metadata: { httpStatusCode: 307 } }
    await expect(store.get('7/a')).rejects.toMatchObject(refused)
    await expect(store.put('7/a', Readable.from(['a']), 1)).rejects.toMatchObject(refused)
    expect(new Set(asked.map((path) => path.split('?')[0]))).toEqual(new Set(['/portal/7/a']))
  })

  test('a request to an S3-compatible store that never responds times out', async () => {
    status = 0
    const store = await open()
    await expect(store.get('7/a')).rejects.toThrow(/timed? ?out|200 ms/i)
  })
})
