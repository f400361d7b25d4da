import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { PDFDocument } from 'pdf-lib'
import { afterAll, expect, test } from 'vitest'
import { assertCompletePdf } from './complete-pdf.ts'

const folder = mkdtempSync(join(tmpdir(), 'pdf-'))
afterAll(() => rmSync(folder, { recursive: true }))

const look = (bytes: Uint8Array | string) => {
  const path = join(folder, 'it.pdf')
  writeFileSync(path, bytes)
  return assertCompletePdf(path, 'it.pdf').then(
    () => 'taken',
    (e: unknown) => (e as Error).message,
  )
}

const made = async (pages: number, useObjectStreams: boolean) => {
  const pdf = await PDFDocument.create()
  for (let n = 0; n < pages; n++) pdf.addPage([200, 200])
  return pdf.save({ useObjectStreams, addDefaultPage: false })
}

test.each([true, false])('a PDF with a page is accepted (compressed objects: %s)', async (packed) => {
  expect(await look(await made(3, packed))).toBe('taken')
  expect(await look(Buffer.concat([Buffer.from('\n\n'), await made(1, packed), Buffer.from('\n\n')]))).toBe('taken')
})

test.each([true, false])(
  'a PDF that has no page or is truncated is rejected (compressed objects: %s)',
  async (packed) => {
    expect(await look(await made(0, packed))).toContain('has no page')
    const bytes = await made(2, packed)
    expect(await look(bytes.subarray(0, bytes.length / 2))).toContain('its end is missing')
    expect(await look(`x${Buffer.from(bytes).toString('latin1').slice(8)}`)).toContain('is not a complete PDF')
  },
)

test('a PDF crafted to be expensive to parse is checked only up to a limit', async () => {
  const around = (inside: Buffer) =>
    Buffer.concat([Buffer.from('%PDF-1.5\n'), inside, Buffer.from('\ntrailer\n%%EOF\n')])
  const packed = deflateSync(Buffer.alloc(64 * 1024 * 1024))
  const bomb = Buffer.concat([Buffer.from('1 0 obj<</Type/ObjStm>>stream\n'), packed, Buffer.from('\nendstream\n')])
  for (const costly of [
    Buffer.from('stream\n'.repeat(1_000_000)),
    Buffer.from('/ObjStm stream\n'.repeat(500_000)),
    Buffer.concat(Array.from({ length: 50 }, () => bomb)),
  ])
    expect(await look(around(costly))).toContain('has no page')
})
