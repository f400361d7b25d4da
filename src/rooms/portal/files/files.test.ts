import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { storeOf } from '#server/files/store.ts'
import type { Api, TestClient, TestPortal, TestUser } from '#test/support/portal.ts'
import { testPortal } from '#test/support/portal.ts'
import { form, HEIC, PDF, phonePhoto, picture } from '#test/support/uploads.ts'

const folder = mkdtempSync(join(tmpdir(), 'files-test-'))
let portal: TestPortal

beforeAll(async () => {
  portal = await (await testPortal()).with({ DATA_DIR: folder, FILES_MAX_MB: '1' })
})
afterAll(() => rmSync(folder, { recursive: true }))

interface Office {
  readonly client: TestClient
  readonly admin: Person
  readonly worker: Person
}
interface Person {
  readonly api: Api
  readonly user: TestUser
  /** The bytes at an address. */
  readonly bytes: (url: string, headers?: Record<string, string>) => Promise<Bytes>
}
interface Bytes {
  readonly status: number
  readonly headers: Record<string, unknown>
  readonly body: Buffer
}

async function person(client: TestClient, ...roles: string[]): Promise<Person> {
  const user = await client.user({ roles })
  const { token } = await portal.sessions.open(
    { clientId: client.id, userId: user.id },
    { address: '127.0.0.1', agent: 'test', browser: false },
  )
  return {
    api: client.as(user),
    user,
    bytes: async (url, headers = {}) => {
      const answer = await portal.app.inject({ url, headers: { authorization: `Bearer ${token}`, ...headers } })
      return { status: answer.statusCode, headers: answer.headers, body: answer.rawPayload }
    },
  }
}

async function office(): Promise<Office> {
  const client = await portal.client()
  return { client, admin: await person(client, 'ROLE_CLIENT_ADMIN'), worker: await person(client, 'ROLE_EMPLOYEE') }
}

const upload = (
  { api, user }: Person,
  content: Buffer | string,
  name: string,
  texts: Record<string, string> = {},
  headers: Record<string, string> = {},
) => {
  const sent = form(content, name, texts)
  return api.send('POST', `/api/safety/uploads/${user.clientId}`, {
    ...sent,
    headers: { ...sent.headers, ...headers },
  })
}
const newFolder = async ({ api }: Person, name: string, parent?: string) =>
  (await api.post('/api/safety/document_folders', { name, ...(parent ? { parent } : {}) })).body
const stored = (client: TestClient) => {
  try {
    return readdirSync(join(folder, 'files', String(client.id))).sort()
  } catch {
    return []
  }
}
const left = () => {
  try {
    return readdirSync(join(tmpdir(), 'stanchion-received'))
  } catch {
    return []
  }
}
const members = (answer: { body: Record<string, unknown> }) => answer.body['hydra:member'] as Record<string, unknown>[]

describe('an upload', () => {
  test('is a record with what the file is, its label, its folder, and who brought it', async () => {
    const { client, worker } = await office()
    const site = await newFolder(worker, 'Site photos')
    const answer = await upload(worker, PDF, 'C:\\fakepath\\Method 1.pdf', { label: 'Scaffold', folder: site['@id'] })
    expect(answer.status).toBe(201)
    expect(answer.headers.location).toBe(answer.body['@id'])
    expect(answer.body).toMatchObject({
      '@type': 'UploadedDocument',
      client: client.iri,
      name: 'Method 1.pdf',
      label: 'Scaffold',
      folder: site['@id'],
      type: 'application/pdf',
      size: PDF.length,
      width: null,
      author: worker.user.username,
      retired: false,
      url: `${answer.body['@id']}/file`,
      thumbnailUrl: null,
    })
    expect(answer.body.checksum).toMatch(/^[0-9a-f]{64}$/)
    expect(Object.keys(answer.body).filter((k) => /key|userId/i.test(k))).toEqual([])
    expect((await worker.api.get(answer.body['@id'])).body).toMatchObject({ name: 'Method 1.pdf' })
    for (const key of stored(client)) expect(key).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('with the same key is done once', async () => {
    const { client, worker } = await office()
    const first = await upload(worker, PDF, 'a.pdf', {}, { 'idempotency-key': 'upload-1' })
    const second = await upload(worker, PDF, 'a.pdf', {}, { 'idempotency-key': 'upload-1' })
    expect(second.body).toEqual(first.body)
    expect(second.headers['idempotency-replayed']).toBe('true')
    expect(stored(client)).toHaveLength(1)
  })

  test('with the same key and another file is refused', async () => {
    const { client, worker } = await office()
    await upload(worker, PDF, 'a.pdf', {}, { 'idempotency-key': 'upload-2' })
    const other = await upload(worker, 'Date,Hours\n', 'a.csv', {}, { 'idempotency-key': 'upload-2' })
    expect([other.status, other.body['hydra:description']]).toEqual([
      422,
      'This Idempotency-Key was used for a different request.',
    ])
    expect(stored(client)).toHaveLength(1)
  })

  test('goes to the actor’s own client alone', async () => {
    const { worker } = await office()
    const other = await office()
    const sent = form(PDF, 'a.pdf')
    for (const id of [other.client.id, 0, 999_999, 'x'])
      expect((await worker.api.send('POST', `/api/safety/uploads/${id}`, sent)).status).toBe(404)
    expect(stored(other.client)).toEqual([])
  })

  test('is for people of the client: not for others, not without signing in, not without a file', async () => {
    const { client, worker } = await office()
    const nobody = await person(client, 'ROLE_RESELLER')
    expect((await upload(nobody, PDF, 'a.pdf')).status).toBe(403)
    expect((await portal.anonymous.send('POST', `/api/safety/uploads/${client.id}`, form(PDF, 'a.pdf'))).status).toBe(
      401,
    )
    const url = `/api/safety/uploads/${client.id}`
    expect((await worker.api.post(url, {})).status).toBe(415)
    const empty = await worker.api.send('POST', url, {
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      body: '--x\r\ncontent-disposition: form-data; name="label"\r\n\r\nhello\r\n--x--\r\n',
    })
    expect([empty.status, empty.body.violations?.[0].message]).toEqual([422, 'Please choose a file.'])
  })

  test('staff of the provider upload into client 0, not into a client', async () => {
    const { client } = await office()
    const staff = await person(portal.provider, 'ROLE_STAFF')
    expect((await upload(staff, PDF, 'template.pdf')).status).toBe(201)
    expect((await staff.api.send('POST', `/api/safety/uploads/${client.id}`, form(PDF, 'a.pdf'))).status).toBe(404)
  })

  test('finds only folders of its own client, in use', async () => {
    const { client, admin, worker } = await office()
    const other = await office()
    const theirs = await newFolder(other.worker, 'Theirs')
    const template = await newFolder(await person(portal.provider, 'ROLE_STAFF'), 'Templates')
    for (const iri of [theirs['@id'], template['@id'], '/api/safety/document_folders/999999'])
      expect((await upload(worker, PDF, 'a.pdf', { folder: iri })).status).toBe(400)
    const old = await newFolder(admin, 'Old')
    await admin.api.put(old['@id'], { retired: true })
    expect((await upload(worker, PDF, 'a.pdf', { folder: old['@id'] })).status).toBe(409)
    expect(stored(client)).toEqual([])
  })
})

describe('what is refused leaves nothing behind', () => {
  const refused = async (content: Buffer | string, name: string) => {
    const { client, worker } = await office()
    const answer = await upload(worker, content, name)
    expect(stored(client)).toEqual([])
    expect((await worker.api.get(`/api/safety/uploaded_documents?client=${client.id}`)).body['hydra:totalItems']).toBe(
      0,
    )
    return [answer.status, answer.body['hydra:description']]
  }
  const EXE = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200, 1)])

  test.each([
    [
      'a program under a document’s name',
      EXE,
      'report.pdf',
      /"report.pdf" is named like a PDF document, but its content is a program/,
    ],
    ['a program', EXE, 'setup.exe', /"setup.exe" is a program, which can't be uploaded. Photos, PDF/],
    ['a PDF under a picture’s name', PDF, 'photo.jpg', /named like a JPEG picture, but its content is a PDF document/],
    [
      'a vector picture',
      '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>',
      'a.svg',
      /web or XML page/,
    ],
    ['a web page', '<!doctype html><script>1</script>', 'a.html', /web or XML page/],
    ['an archive', Buffer.from('504b0506000000000000000000000000000000000000', 'hex'), 'a.zip', /compressed archive/],
    ['text under a picture’s name', 'hello', 'a.png', /named like a PNG picture, but its content is a plain text/],
    ['what nobody knows', Buffer.from([0, 1, 2, 3]), 'a.xyz', /kind that is not known here/],
    ['an empty file', '', 'a.txt', /"a.txt" is empty: it has 0 bytes/],
    [
      'a cut-off picture',
      Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex'),
      'a.jpg',
      /damaged or incomplete/,
    ],
  ])('%s', async (_, content, name, sentence) => {
    const [status, said] = await refused(content as Buffer, name)
    expect(status).toBe(422)
    expect(said).toMatch(sentence)
  })

  test('a picture that ends in the middle', async () => {
    const whole = await picture(300, 300).png({ compressionLevel: 0 }).toBuffer()
    expect(await refused(whole.subarray(0, whole.length / 2), 'a.png')).toEqual([
      422,
      expect.stringMatching(/^"a.png" can't be opened/),
    ])
    expect(await refused(HEIC.subarray(0, 700), 'a.heic')).toEqual([
      422,
      expect.stringMatching(/damaged or incomplete/),
    ])
  })

  test('a picture of too many pixels', async () => {
    const bomb = await sharp({
      create: { width: 11_000, height: 10_000, channels: 3, background: '#fff' },
      limitInputPixels: false,
    })
      .png({ compressionLevel: 9 })
      .toBuffer()
    expect(await refused(bomb, 'bomb.png')).toEqual([422, expect.stringMatching(/more than 100 million pixels/)])
  })

  test('a file beyond the limit', async () => {
    const before = left().length
    expect(await refused(Buffer.alloc(1024 * 1024 + 1, 65), 'long.txt')).toEqual([
      413,
      '"long.txt" is larger than 1 MB. Please make it smaller, or split it.',
    ])
    expect(left().length).toBeLessThanOrEqual(before)
  })

  test('a stream of 200 MB over a real connection', async () => {
    const { client, worker } = await office()
    const origin = await portal.listen()
    const { token } = await portal.sessions.open(
      { clientId: client.id, userId: worker.user.id },
      { address: '127.0.0.1', agent: 'test', browser: false },
    )
    // One connection: what is not read of the first request would hold up the second.
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const ask = (method: string, path: string, sent = { headers: {}, body: Buffer.alloc(0) }) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = { ...sent.headers, authorization: `Bearer ${token}`, 'content-length': sent.body.length }
        const call = request(`${origin}${path}`, { method, agent, headers }, (answer) => {
          answer.resume().on('end', () => resolve(answer.statusCode))
        })
        call.on('error', reject).end(sent.body)
      })
    const huge = form(Buffer.alloc(200 * 1024 * 1024, 65), 'huge.txt')
    expect(await ask('POST', `/api/safety/uploads/${client.id}`, huge)).toBe(413)
    expect(await ask('GET', '/api/safety/uploaded_documents')).toBe(200)
    agent.destroy()
    expect(stored(client)).toEqual([])
  })
})

describe('what is accepted', () => {
  test.each([
    ['image/png', () => picture(4, 4).png().toBuffer(), 'a.png'],
    ['image/webp', () => picture(4, 4).webp().toBuffer(), 'a.webp'],
    ['image/gif', () => picture(4, 4).gif().toBuffer(), 'a.gif'],
    ['image/avif', () => picture(64, 64).avif().toBuffer(), 'a.avif'],
    ['image/tiff', () => picture(4, 4).tiff().toBuffer(), 'a.tif'],
    ['image/png', () => picture(4, 4).png().toBuffer(), 'really a png.jpg'],
    ['text/csv', () => Buffer.from('a,b\n1,2\n'), 'a.csv'],
    ['text/plain', () => Buffer.from('Grüße'), 'a.txt'],
    ['application/msword', () => Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]), 'a.doc'],
  ])('%s', async (type, make, name) => {
    const { worker } = await office()
    const answer = await upload(worker, await make(), name)
    expect([answer.status, answer.body.type]).toEqual([201, type])
  })
})

const colourAt = async (bytes: Buffer, left: number, top: number) => {
  const { data } = await sharp(bytes)
    .extract({ left, top, width: 1, height: 1 })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return (data[0] as number) > (data[2] as number) ? 'red' : 'blue'
}

describe('pictures', () => {
  test('stand upright and say nothing of the place; the original is kept as it was', async () => {
    const { worker } = await office()
    const photo = await phonePhoto()
    const taken = await sharp(photo).metadata()
    expect([taken.width, taken.height, taken.orientation]).toEqual([40, 20, 6])
    // The tag under which cameras write the place (EXIF 2.32, GPS Info IFD Pointer).
    expect(taken.exif?.includes(Buffer.from([0x25, 0x88]))).toBe(true)
    const { body } = await upload(worker, photo, 'photo.jpg')
    expect([body.width, body.height]).toEqual([20, 40])
    const view = await worker.bytes(body.url)
    const about = await sharp(view.body).metadata()
    expect([about.format, about.width, about.height, about.exif, about.orientation]).toEqual([
      'jpeg',
      20,
      40,
      undefined,
      undefined,
    ])
    expect([await colourAt(view.body, 10, 5), await colourAt(view.body, 10, 35)]).toEqual(['red', 'blue'])
    const small = await worker.bytes(body.thumbnailUrl)
    expect(small.headers['content-type']).toBe('image/webp')
    expect((await sharp(small.body).metadata()).exif).toBeUndefined()
    const original = await worker.bytes(`${body.url}?original=true`)
    expect(original.body.equals(photo)).toBe(true)
    expect(original.headers['content-disposition']).toBe('attachment; filename=photo.jpg')
  })

  test('of an iPhone are shown as JPEG', async () => {
    const { worker } = await office()
    const { status, body } = await upload(worker, HEIC, 'IMG_0001.HEIC')
    expect([status, body.type, body.width, body.height]).toEqual([201, 'image/heic', 64, 48])
    const view = await worker.bytes(body.url)
    expect(view.headers['content-type']).toBe('image/jpeg')
    expect(view.headers['content-disposition']).toBe('inline; filename=IMG_0001.jpg')
    expect([await colourAt(view.body, 5, 20), await colourAt(view.body, 58, 20)]).toEqual(['red', 'blue'])
    expect((await worker.bytes(`${body.url}?original=true`)).body.equals(HEIC)).toBe(true)
  })

  test('of 40 million pixels are made smaller for showing', async () => {
    const { worker } = await office()
    const { body } = await upload(worker, await picture(8000, 5000).jpeg().toBuffer(), 'big.jpg')
    expect([body.width, body.height]).toEqual([8000, 5000])
    const about = await sharp((await worker.bytes(body.url)).body).metadata()
    expect([about.width, about.height]).toEqual([2560, 1600])
    const small = await sharp((await worker.bytes(body.thumbnailUrl)).body).metadata()
    expect([small.width, small.height]).toEqual([320, 200])
  })

  test('keep what is see-through', async () => {
    const { worker } = await office()
    const glass = await sharp({ create: { width: 9, height: 9, channels: 4, background: '#ff000080' } })
      .png()
      .toBuffer()
    const { body } = await upload(worker, glass, 'glass.png')
    expect((await sharp((await worker.bytes(body.url)).body).metadata()).hasAlpha).toBe(true)
  })
})

describe('a download', () => {
  test('says what it is, trusts nothing, and is asked for again only when it has changed', async () => {
    const { worker } = await office()
    const { body } = await upload(worker, PDF, 'Plan “A”.pdf')
    const answer = await worker.bytes(body.url)
    expect(answer.status).toBe(200)
    expect(answer.body.equals(PDF)).toBe(true)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': String(PDF.length),
      'content-disposition': `inline; filename="Plan ?A?.pdf"; filename*=UTF-8''Plan%20%E2%80%9CA%E2%80%9D.pdf`,
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
    })
    expect(answer.headers['content-security-policy']).toContain('sandbox')
    const held = await worker.bytes(body.url, { 'if-none-match': String(answer.headers.etag) })
    expect([held.status, held.body.length]).toEqual([304, 0])
    expect((await worker.bytes(`${body['@id']}/thumbnail`)).status).toBe(404)
    expect((await worker.api.head(body.url)).status).toBe(200)
  })

  test('is never shown inside the page unless it is a picture or a PDF', async () => {
    const { worker } = await office()
    const { body } = await upload(worker, '<script>alert(1)</script>', 'a.txt')
    expect((await worker.bytes(body.url)).headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': 'attachment; filename=a.txt',
    })
  })

  test('can be had in parts', async () => {
    const { worker } = await office()
    const { body } = await upload(worker, '0123456789', 'a.txt')
    const part = async (range: string, more: Record<string, string> = {}) => {
      const a = await worker.bytes(body.url, { range, ...more })
      return [a.status, a.body.toString(), a.headers['content-range']]
    }
    expect(await part('bytes=2-4')).toEqual([206, '234', 'bytes 2-4/10'])
    expect(await part('bytes=7-')).toEqual([206, '789', 'bytes 7-9/10'])
    expect(await part('bytes=-3')).toEqual([206, '789', 'bytes 7-9/10'])
    expect(await part('bytes=0-99')).toEqual([206, '0123456789', 'bytes 0-9/10'])
    expect(await part('bytes=10-')).toEqual([416, '', 'bytes */10'])
    expect(await part('bytes=1-2,4-5')).toEqual([200, '0123456789', undefined])
    expect(await part('bytes=2-4', { 'if-range': '"other"' })).toEqual([200, '0123456789', undefined])
  })

  test('is for who may see the record', async () => {
    const { client, worker } = await office()
    const other = await office()
    const { body } = await upload(worker, await picture(9, 9).png().toBuffer(), 'a.png')
    for (const url of [body.url, `${body.url}?original=true`, body.thumbnailUrl]) {
      expect((await other.admin.bytes(url)).status).toBe(404)
      expect((await (await person(portal.provider, 'ROLE_STAFF')).bytes(url)).status).toBe(404)
      expect((await (await person(client, 'ROLE_RESELLER')).bytes(url)).status).toBe(403)
      expect((await portal.anonymous.get(url)).status).toBe(401)
      expect((await portal.bearing('nonsense').get(url)).status).toBe(401)
    }
    expect((await worker.bytes('/api/safety/uploaded_documents/x/file')).status).toBe(404)
  })

  test('of client 0 is for everybody, to read alone', async () => {
    const { worker } = await office()
    const staff = await person(portal.provider, 'ROLE_STAFF')
    const { body } = await upload(staff, PDF, 'template.pdf')
    expect((await worker.bytes(body.url)).status).toBe(200)
    expect((await worker.api.put(body['@id'], { label: 'mine' })).status).toBe(403)
  })

  test('whose bytes are lost says so', async () => {
    const { client, worker } = await office()
    const { body } = await upload(worker, PDF, 'a.pdf')
    const store = await storeOf(portal.engine.config)
    await store.remove(`${client.id}/${stored(client)[0]}`)
    const answer = await worker.api.get(body.url)
    expect([answer.status, answer.body['hydra:description']]).toEqual([
      404,
      expect.stringMatching(/missing from the file store/),
    ])
  })
})

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

test('settings that can’t be used stop the start', () => {
  expect(() => readConfig({ FILES_URL: 'ftp://x' })).toThrow(/FILES_URL must begin with/)
  expect(() => readConfig({ FILES_MAX_MB: '0' })).toThrow(/FILES_MAX_MB/)
})
