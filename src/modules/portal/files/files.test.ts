import { readdirSync } from 'node:fs'
import { Agent, request } from 'node:http'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { ensureTemporaryUploadFolder } from '#server/files/receive.ts'
import { createFolder, makeFilePortal, uploadFile } from '#test/support/files.ts'
import { HEIC_PICTURE, MINIMAL_PDF, makePhonePhoto, makePicture, makeUploadForm } from '#test/support/uploads.ts'

const { portal, person, office, stored } = await makeFilePortal()

const left = async () => readdirSync(await ensureTemporaryUploadFolder())

describe('an upload', () => {
  test('an upload creates a record with its file type, label, folder and author', async () => {
    const { client, admin, worker } = await office()
    const site = await createFolder(admin, 'Site photos')
    const answer = await uploadFile(worker, MINIMAL_PDF, 'C:\\fakepath\\Method 1.pdf', {
      label: 'Scaffold',
      folder: site['@id'],
    })
    expect(answer.status).toBe(201)
    expect(answer.headers.location).toBe(answer.body['@id'])
    expect(answer.body).toMatchObject({
      '@type': 'UploadedDocument',
      client: client.iri,
      name: 'Method 1.pdf',
      label: 'Scaffold',
      folder: site['@id'],
      type: 'application/pdf',
      size: MINIMAL_PDF.length,
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

  test('an upload repeated with the same idempotency key is stored once', async () => {
    const { client, worker } = await office()
    const first = await uploadFile(worker, MINIMAL_PDF, 'a.pdf', {}, { 'idempotency-key': 'upload-1' })
    const second = await uploadFile(worker, MINIMAL_PDF, 'a.pdf', {}, { 'idempotency-key': 'upload-1' })
    expect(second.body).toEqual(first.body)
    expect(second.headers['idempotency-replayed']).toBe('true')
    expect(stored(client)).toHaveLength(1)
  })

  test('an upload that reuses the idempotency key of a different file is rejected', async () => {
    const { client, worker } = await office()
    await uploadFile(worker, MINIMAL_PDF, 'a.pdf', {}, { 'idempotency-key': 'upload-2' })
    const other = await uploadFile(worker, 'Date,Hours\n', 'a.csv', {}, { 'idempotency-key': 'upload-2' })
    expect([other.status, other.body['hydra:description']]).toEqual([
      422,
      'This Idempotency-Key was used for a different request.',
    ])
    expect(stored(client)).toHaveLength(1)
  })

  test('users can upload files only to their own client', async () => {
    const { worker } = await office()
    const other = await office()
    const sent = makeUploadForm(MINIMAL_PDF, 'a.pdf')
    for (const id of [other.client.id, 0, 999_999, 'x'])
      expect((await worker.api.send('POST', `/api/safety/uploads/${id}`, sent)).status).toBe(404)
    expect(stored(other.client)).toEqual([])
  })

  test('an upload without a session, the required role or a file is rejected', async () => {
    const { client, worker } = await office()
    const nobody = await person(client, 'ROLE_RESELLER')
    expect((await uploadFile(nobody, MINIMAL_PDF, 'a.pdf')).status).toBe(403)
    expect(
      (await portal.anonymous.send('POST', `/api/safety/uploads/${client.id}`, makeUploadForm(MINIMAL_PDF, 'a.pdf')))
        .status,
    ).toBe(401)
    const url = `/api/safety/uploads/${client.id}`
    expect((await worker.api.post(url, {})).status).toBe(415)
    const empty = await worker.api.send('POST', url, {
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      body: '--x\r\ncontent-disposition: form-data; name="label"\r\n\r\nhello\r\n--x--\r\n',
    })
    expect([empty.status, empty.body.violations?.[0].message]).toEqual([422, 'Please choose a file.'])
  })

  test('provider staff can upload files only under client 0', async () => {
    const { client } = await office()
    const staff = await person(portal.provider, 'ROLE_STAFF')
    expect((await uploadFile(staff, MINIMAL_PDF, 'template.pdf')).status).toBe(201)
    expect(
      (await staff.api.send('POST', `/api/safety/uploads/${client.id}`, makeUploadForm(MINIMAL_PDF, 'a.pdf'))).status,
    ).toBe(404)
  })

  test('an upload is accepted only in an active folder of its own client', async () => {
    const { client, admin, worker } = await office()
    const other = await office()
    const theirs = await createFolder(other.admin, 'Theirs')
    const template = await createFolder(await person(portal.provider, 'ROLE_STAFF'), 'Templates')
    for (const iri of [theirs['@id'], template['@id'], '/api/safety/document_folders/999999'])
      expect((await uploadFile(worker, MINIMAL_PDF, 'a.pdf', { folder: iri })).status).toBe(400)
    const old = await createFolder(admin, 'Old')
    await admin.api.put(old['@id'], { retired: true })
    expect((await uploadFile(worker, MINIMAL_PDF, 'a.pdf', { folder: old['@id'] })).status).toBe(409)
    expect(stored(client)).toEqual([])
  })
})

describe('a rejected upload', () => {
  const refused = async (content: Buffer | string, name: string) => {
    const { client, worker } = await office()
    const answer = await uploadFile(worker, content, name)
    expect(stored(client)).toEqual([])
    expect((await worker.api.get(`/api/safety/uploaded_documents?client=${client.id}`)).body['hydra:totalItems']).toBe(
      0,
    )
    return [answer.status, answer.body['hydra:description']]
  }
  const EXE = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200, 1)])

  test.each([
    [
      'an executable with a .pdf extension',
      EXE,
      'report.pdf',
      /"report.pdf" has the file extension of a PDF document, but its content is a program/,
    ],
    ['an executable', EXE, 'setup.exe', /"setup.exe" is a program, which can’t be uploaded. Photos, PDF/],
    [
      'a PDF with a .jpg extension',
      MINIMAL_PDF,
      'photo.jpg',
      /has the file extension of a JPEG picture, but its content is a PDF document/,
    ],
    ['an SVG picture', '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>', 'a.svg', /web or XML page/],
    ['an HTML page', '<!doctype html><script>1</script>', 'a.html', /web or XML page/],
    [
      'a ZIP archive',
      Buffer.from('504b0506000000000000000000000000000000000000', 'hex'),
      'a.zip',
      /compressed archive/,
    ],
    [
      'a text file with a .png extension',
      'hello',
      'a.png',
      /has the file extension of a PNG picture, but its content is a plain text/,
    ],
    ['an unknown file type', Buffer.from([0, 1, 2, 3]), 'a.xyz', /is an unknown type of file/],
    ['an empty file', '', 'a.txt', /“a.txt” is empty \(0 bytes\)/],
    [
      'a truncated JPEG',
      Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex'),
      'a.jpg',
      /damaged or incomplete/,
    ],
  ])('a rejected upload stores nothing: %s', async (_, content, name, sentence) => {
    const [status, said] = await refused(content as Buffer, name)
    expect(status).toBe(422)
    expect(said).toMatch(sentence)
  })

  test('a truncated picture is rejected and nothing is stored', async () => {
    const whole = await makePicture(300, 300).png({ compressionLevel: 0 }).toBuffer()
    expect(await refused(whole.subarray(0, whole.length / 2), 'a.png')).toEqual([
      422,
      expect.stringMatching(/^"a.png" can’t be opened/),
    ])
    expect(await refused(HEIC_PICTURE.subarray(0, 700), 'a.heic')).toEqual([
      422,
      expect.stringMatching(/damaged or incomplete/),
    ])
  })

  test('a file above the size limit is rejected and nothing is stored', async () => {
    const before = (await left()).length
    expect(await refused(Buffer.alloc(1024 * 1024 + 1, 65), 'long.txt')).toEqual([
      413,
      '"long.txt" is larger than 1 MB. Please reduce its size or split it.',
    ])
    expect((await left()).length).toBeLessThanOrEqual(before)
  })

  test('a stream of 200 MB over a real connection is rejected and nothing is stored', async () => {
    const { client, worker } = await office()
    const origin = await portal.listen()
    const { token } = await portal.sessions.open(
      { clientId: client.id, userId: worker.user.id },
      { address: '127.0.0.1', agent: 'test', browser: false },
    )
    // Uses one connection, so that unread bytes from the first request would block the second.
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const ask = (method: string, path: string, sent = { headers: {}, body: Buffer.alloc(0) }) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = { ...sent.headers, authorization: `Bearer ${token}`, 'content-length': sent.body.length }
        const call = request(`${origin}${path}`, { method, agent, headers }, (answer) => {
          answer.resume().on('end', () => resolve(answer.statusCode))
        })
        call.on('error', reject).end(sent.body)
      })
    const huge = makeUploadForm(Buffer.alloc(200 * 1024 * 1024, 65), 'huge.txt')
    expect(await ask('POST', `/api/safety/uploads/${client.id}`, huge)).toBe(413)
    expect(await ask('GET', '/api/safety/uploaded_documents')).toBe(200)
    agent.destroy()
    expect(stored(client)).toEqual([])
  })
})

describe('accepted file types', () => {
  test.each([
    ['image/png', () => makePicture(4, 4).png().toBuffer(), 'a.png'],
    ['image/webp', () => makePicture(4, 4).webp().toBuffer(), 'a.webp'],
    ['image/gif', () => makePicture(4, 4).gif().toBuffer(), 'a.gif'],
    ['image/avif', () => makePicture(64, 64).avif().toBuffer(), 'a.avif'],
    ['image/tiff', () => makePicture(4, 4).tiff().toBuffer(), 'a.tif'],
    ['image/png', () => makePicture(4, 4).png().toBuffer(), 'really a png.jpg'],
    ['text/csv', () => Buffer.from('a,b\n1,2\n'), 'a.csv'],
    ['text/plain', () => Buffer.from('Grüße'), 'a.txt'],
    ['application/msword', () => Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]), 'a.doc'],
  ])('an upload of type %s is accepted', async (type, make, name) => {
    const { worker } = await office()
    const answer = await uploadFile(worker, await make(), name)
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

describe('uploaded pictures', () => {
  test("a picture's display version is rotated upright and stripped of its location, and the original is unchanged", async () => {
    const { worker } = await office()
    const photo = await makePhonePhoto()
    const taken = await sharp(photo).metadata()
    expect([taken.width, taken.height, taken.orientation]).toEqual([40, 20, 6])
    // EXIF tag for the location (EXIF 2.32, GPS Info IFD Pointer).
    expect(taken.exif?.includes(Buffer.from([0x25, 0x88]))).toBe(true)
    const { body } = await uploadFile(worker, photo, 'photo.jpg')
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

  test('HEIC pictures from an iPhone are displayed as JPEG', async () => {
    const { worker } = await office()
    const { status, body } = await uploadFile(worker, HEIC_PICTURE, 'IMG_0001.HEIC')
    expect([status, body.type, body.width, body.height]).toEqual([201, 'image/heic', 64, 48])
    const view = await worker.bytes(body.url)
    expect(view.headers['content-type']).toBe('image/jpeg')
    expect(view.headers['content-disposition']).toBe('inline; filename=IMG_0001.jpg')
    expect([await colourAt(view.body, 5, 20), await colourAt(view.body, 58, 20)]).toEqual(['red', 'blue'])
    expect((await worker.bytes(`${body.url}?original=true`)).body.equals(HEIC_PICTURE)).toBe(true)
  })

  test('a picture with 40 million pixels is scaled down for display', async () => {
    const { worker } = await office()
    const { body } = await uploadFile(worker, await makePicture(8000, 5000).jpeg().toBuffer(), 'big.jpg')
    expect([body.width, body.height]).toEqual([8000, 5000])
    const about = await sharp((await worker.bytes(body.url)).body).metadata()
    expect([about.width, about.height]).toEqual([2560, 1600])
    const small = await sharp((await worker.bytes(body.thumbnailUrl)).body).metadata()
    expect([small.width, small.height]).toEqual([320, 200])
  })

  test('a picture with transparency remains transparent when displayed', async () => {
    const { worker } = await office()
    const glass = await sharp({ create: { width: 9, height: 9, channels: 4, background: '#ff000080' } })
      .png()
      .toBuffer()
    const { body } = await uploadFile(worker, glass, 'glass.png')
    expect((await sharp((await worker.bytes(body.url)).body).metadata()).hasAlpha).toBe(true)
  })
})

test('the server does not start with invalid file settings', () => {
  expect(() => readConfig({ FILES_URL: 'ftp://x' })).toThrow(/FILES_URL must begin with/)
  expect(() => readConfig({ FILES_MAX_MB: '0' })).toThrow(/FILES_MAX_MB/)
})
