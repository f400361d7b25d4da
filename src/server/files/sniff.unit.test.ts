import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { Problem } from '#kernel/errors.ts'
import { scaleRunCount } from '#test/support/scope.ts'
import { HEIC_PICTURE, LOCKED_PDF, MINIMAL_PDF, makePicture } from '#test/support/uploads.ts'
import { detectFileKind } from './sniff.ts'

const folder = mkdtempSync(join(tmpdir(), 'sniff-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Returns the type detected in some bytes, or the refusal. Other errors are thrown. */
async function detectIn(bytes: Uint8Array, name: string): Promise<string> {
  const path = join(folder, 'received')
  writeFileSync(path, bytes)
  try {
    return (await detectFileKind(path, name)).type
  } catch (e) {
    if (e instanceof Problem && e.status === 422) return e.message
    throw e
  }
}

/** A compressed file in a ZIP archive, as at the beginning of an Office document. */
function makeZip(name: string, content: string): Buffer {
  const bytes = deflateRawSync(content)
  const head = Buffer.alloc(26)
  head.writeUInt16LE(20, 0)
  head.writeUInt16LE(8, 4)
  head.writeUInt32LE(crc32(content), 10)
  head.writeUInt32LE(bytes.length, 14)
  head.writeUInt32LE(content.length, 18)
  head.writeUInt16LE(name.length, 22)
  return Buffer.concat([Buffer.from('PK\u0003\u0004'), head, Buffer.from(name), bytes])
}

const CONTENT_TYPES =
  '<?xml version="1.0"?><Types><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
const latin = (text: string) => Buffer.from(text, 'latin1')
const picture = makePicture(30, 20)
const SAMPLES: Readonly<Record<string, Buffer>> = {
  'a.png': await picture.png().toBuffer(),
  'a.jpg': await picture.jpeg().toBuffer(),
  'a.webp': await picture.webp().toBuffer(),
  'a.gif': await picture.gif().toBuffer(),
  'a.tif': await picture.tiff().toBuffer(),
  'a.avif': await picture.avif().toBuffer(),
  'a.heic': HEIC_PICTURE,
  'a.pdf': MINIMAL_PDF,
  'locked.pdf': LOCKED_PDF,
  'a.docx': makeZip('[Content_Types].xml', CONTENT_TYPES),
  'a.odt': makeZip('mimetype', 'application/vnd.oasis.opendocument.text'),
  'a.doc': Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from('WordDocument', 'utf16le')]),
  'a.csv': latin('Company,Email\nAcme,ann@acme.example\n'),
  'a.eml': latin('From: ann@acme.example\r\nSubject: Hello\r\n\r\nHello\r\n'),
}
/** First bytes of files that make the library read more of their structure. */
const SIGNATURES = {
  ZIP: 'PK\u0003\u0004',
  PNG: '\x89PNG\r\n\x1a\n',
  Ogg: 'OggS',
  ID3: 'ID3',
  Matroska: '\x1a\x45\xdf\xa3',
  archive: '!<arch>\n',
  'TIFF (little)': 'II*\0',
  'TIFF (big)': 'MM\0*',
  RIFF: 'RIFF',
  ASF: '\x30\x26\xb2\x75\x8e\x66\xcf\x11\xa6\xd9',
  FLAC: 'fLaC',
  JPEG: '\xff\xd8\xff',
  MP4: '\0\0\0\x18ftyp',
  GZIP: '\x1f\x8b\x08',
  compound: '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1',
  PDF: '%PDF-',
}
const damaged = (name: string) => `"${name}" is damaged or incomplete. Please check the file and upload it again.`

describe('a truncated file', () => {
  test('a file that ends within its structure is refused as damaged, and the error names it', async () => {
    for (const start of ['ZIP', 'PNG', 'Matroska'] as const)
      for (const rest of ['', 'junkjunk'])
        expect(await detectIn(latin(SIGNATURES[start] + rest), 'a.docx')).toBe(damaged('a.docx'))
    const zip = SAMPLES['a.docx']!
    for (const size of [4, 12, 30, 100]) expect(await detectIn(zip.subarray(0, size), 'a.docx')).toBe(damaged('a.docx'))
  })

  test('every sample truncated within its first bytes is either recognised or refused', async () => {
    for (const [name, whole] of Object.entries(SAMPLES))
      for (let size = 0; size < Math.min(whole.length, 300); size += size < 64 ? 1 : 5)
        expect(typeof (await detectIn(whole.subarray(0, size), name))).toBe('string')
  })

  test('a file with any bytes after its signature is either recognised or refused', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.values(SIGNATURES)),
        fc.uint8Array({ maxLength: 300 }),
        fc.constantFrom('a.docx', 'a.png', 'a.pdf', 'a.txt', 'a'),
        async (start, rest, name) => {
          expect(typeof (await detectIn(Buffer.concat([latin(start), rest]), name))).toBe('string')
        },
      ),
      { numRuns: scaleRunCount(2000) },
    )
  })
})

test('a plain-text file that begins with the letters of a signature is accepted', async () => {
  expect(await detectIn(latin('OggS'), 'notes.txt')).toBe('text/plain')
})

test('a file that makes the library fail is refused as damaged', async () => {
  vi.doMock('file-type', () => ({ fileTypeFromFile: () => Promise.reject(new Error('End-Of-Stream')) }))
  onTestFinished(() => {
    vi.doUnmock('file-type')
  })
  expect(await detectIn(MINIMAL_PDF, 'a.pdf')).toBe(damaged('a.pdf'))
})

test('a file that can’t be read is reported as a server error, not as a damaged file', async () => {
  await expect(detectFileKind(join(folder, 'missing'), 'a.png')).rejects.toThrow('ENOENT')
})
