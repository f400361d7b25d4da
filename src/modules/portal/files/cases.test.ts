import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { makeFilePortal } from '#test/support/files.ts'
import {
  LOCKED_PDF,
  MINIMAL_PDF,
  makeUploadForm,
  RESTRICTED_PDF,
  TRANSPARENT_HEIC_PICTURE,
} from '#test/support/uploads.ts'

const { portal, office } = await makeFilePortal()
const { client, admin } = await office()
const { api, bytes } = admin

const upload = async (content: Buffer | string, name: string) => {
  const answer = await api.send('POST', `/api/safety/uploads/${client.id}`, makeUploadForm(content, name))
  await portal.drain()
  return answer
}
const caseOf = (name: string) => readFileSync(join(import.meta.dirname, 'cases', name))

/** A compound file (MS-CFB) with a stream of a given name, as far as its type is detected. */
const compound = (stream: string) =>
  Buffer.concat([
    Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    Buffer.alloc(1200),
    Buffer.from(stream, 'utf16le'),
    Buffer.alloc(400),
  ])
const OUTLOOK = compound('__properties_version1.0')
const MAIL =
  'Received: from a by b; Mon, 30 Nov 2026 10:00:00 +0000\r\nFrom: ann@x.example\r\nSubject: Plan\r\n\r\nHello\r\n'

describe('files as various programs write them', () => {
  test.each<[string, Buffer | string, string]>([
    ['new-line-in-front.pdf', caseOf('new-line-in-front.pdf'), 'application/pdf'],
    ['behind-a-header.pdf', Buffer.concat([Buffer.alloc(900, 'x'), MINIMAL_PDF]), 'application/pdf'],
    ['notepad-unicode.txt', caseOf('notepad-unicode.txt'), 'text/plain'],
    ['big-endian.csv', Buffer.from('\ufeffCompany;Café\n', 'utf16le').swap16(), 'text/csv'],
    ['letter.msg', OUTLOOK, 'application/vnd.ms-outlook'],
    ['letter.eml', MAIL, 'message/rfc822'],
    ['report.doc', compound('WordDocument'), 'application/msword'],
    ['report.xls', compound('Workbook'), 'application/vnd.ms-excel'],
  ])('the file %s is accepted with the type of its content', async (name, content, type) => {
    const { status, body } = await upload(content, name)
    expect([status, body.type]).toEqual([201, type])
  })

  test.each<[string, Buffer | string, RegExp]>([
    ['setup.msi', compound('!Property'), /is a program/],
    ['setup.msg', compound('!Property'), /extension of an Outlook e-mail, but its content is a program/],
    ['report.doc', OUTLOOK, /extension of a Word document, but its content is an Outlook e-mail/],
    ['note.eml', 'Hello\n', /extension of an e-mail, but its content is a plain text file/],
    ['late.pdf', Buffer.concat([Buffer.alloc(1100, 'x'), MINIMAL_PDF]), /extension of a PDF document/],
    ['binary.txt', Buffer.from('\ufeffa\u0001b', 'utf16le'), /extension of a plain text file/],
  ])('the file %s is refused with a message about its content', async (name, content, sentence) => {
    const { status, body } = await upload(content, name)
    expect([status, body['hydra:description']]).toEqual([422, expect.stringMatching(sentence)])
  })

  test('a search finds the text in a UTF-16 file', async () => {
    const { body } = await upload(Buffer.from('\ufeffZymurgists beware', 'utf16le'), 'utf16.txt')
    const found = await api.get('/api/safety/uploaded_documents?q=zymurgists')
    expect(found.body['hydra:member'].map((f: { id: number }) => f.id)).toEqual([body.id])
  })

  test('a HEIC picture retains its transparency', async () => {
    const { body } = await upload(TRANSPARENT_HEIC_PICTURE, 'logo.heic')
    const view = await bytes(body.url)
    expect(view.headers['content-type']).toBe('image/webp')
    const opacityAt = async (left: number) =>
      (await sharp(view.body).extract({ left, top: 20, width: 1, height: 1 }).raw().toBuffer())[3]
    expect([await opacityAt(5), await opacityAt(60)]).toEqual([255, 0])
  })

  test('a PDF that needs a password to open is marked as such, and one that is only restricted is not', async () => {
    const ids = [await upload(LOCKED_PDF, 'locked.pdf'), await upload(RESTRICTED_PDF, 'restricted.pdf')]
    const read = await Promise.all(ids.map(async ({ body }) => (await api.get(body['@id'])).body.locked))
    expect(read).toEqual([true, false])
  })
})
