import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type TimeBudget, WorkerPool } from '#server/processes/pool.ts'
import { makeAnimatedGif, makeAnimatedWebp, makeBlackPng, makeJpegOfScans, makePngHeader } from '#test/support/bombs.ts'
import { makePicture } from '#test/support/uploads.ts'
import { createDisplayVersions, PICTURE_POOL_OPTIONS } from './display-versions.ts'
import type { PictureJob, PictureJobResult } from './worker.ts'

const folder = mkdtempSync(join(tmpdir(), 'pictures-test-'))
const keep = (name: string, bytes: Buffer) => writeFileSync(join(folder, name), bytes)

beforeAll(async () => {
  keep('small.png', await makePicture(40, 20).png().toBuffer())
  // This picture needs 199 MB when decoded, which is within the limit, and is slow to decode.
  keep('great.png', await makeBlackPng({ width: 8100, height: 8200 }))
})
afterAll(() => rmSync(folder, { recursive: true }))

let pool: WorkerPool<PictureJob, PictureJobResult>
const open = (more: Partial<typeof PICTURE_POOL_OPTIONS> = {}) => {
  pool = new WorkerPool({ ...PICTURE_POOL_OPTIONS, ...more })
}
afterEach(() => pool.close())

const show = (name: string, clientId = 1, emailBudget?: TimeBudget) =>
  createDisplayVersions({ path: join(folder, name), name, clientId, emailBudget }, pool)

const refused = (sentence: string | RegExp, code: string) => ({
  status: 422,
  violations: [
    {
      propertyPath: 'file',
      message: typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
      code,
    },
  ],
})

describe('pictures that would need more than 200 MB when decoded', () => {
  test.each<[string, () => Promise<Buffer> | Buffer, string]>([
    [
      'wide.png',
      () => makePngHeader({ width: 10_000, height: 10_000 }),
      '10,000 × 10,000 pixels: decoded, it would need 300 MB',
    ],
    [
      'deep.png',
      () => makePngHeader({ width: 6000, height: 6000, bits: 16 }),
      '6,000 × 6,000 pixels: decoded, it would need 216 MB',
    ],
    [
      'moving.gif',
      () => makeAnimatedGif({ width: 1000, height: 1000 }, 500),
      '500 frames of 1,000 × 1,000 pixels: decoded, it would need 1,500 MB',
    ],
    [
      'moving.webp',
      () => makeAnimatedWebp({ width: 1000, height: 1000 }, 500),
      '500 frames of 1,000 × 1,000 pixels: decoded, it would need 2,000 MB',
    ],
  ])(
    'a picture that would need more than 200 MB when decoded is rejected after reading only its header: %s',
    async (name, make, size) => {
      open()
      keep(name, await make())
      const sentence = `"${name}" is ${size}, and the maximum is 200 MB. Please save the picture in a smaller size and upload it again.`
      await expect(show(name)).rejects.toMatchObject(refused(sentence, 'too_much_to_open'))
    },
  )
})

test('a picture just below the limit for decoded pictures is accepted', async () => {
  open()
  const shown = await show('great.png')
  expect([shown.width, shown.height]).toEqual([8100, 8200])
  expect(await sharp(shown.view).metadata()).toMatchObject({ format: 'jpeg', width: 2529, height: 2560 })
})

describe('pictures beyond the time or memory limit', () => {
  test('a picture that takes too long to decode is rejected without affecting the next one', async () => {
    open({ timeoutMs: 1 })
    await expect(show('great.png')).rejects.toMatchObject(refused(/takes too long to open/, 'too_much_to_open'))
    await pool.close()
    open()
    expect((await show('small.png')).width).toBe(40)
  })

  test('a picture that takes too much memory to decode is rejected without affecting the next one', async () => {
    // A WebP is decoded in one piece. It therefore needs more memory than the limit, which is far above the memory of a
    // freshly started process.
    keep('great.webp', await sharp(join(folder, 'great.png')).webp({ effort: 0, quality: 1 }).toBuffer())
    open({ memory: 190 * 2 ** 20 })
    await expect(show('great.webp')).rejects.toMatchObject(refused(/takes too much memory/, 'too_much_to_open'))
    expect((await show('small.png')).width).toBe(40)
  })
})

test('a decoder crash is reported as a damaged picture, and a new process decodes the next one', async () => {
  open()
  const astray = show('great.png')
  process.kill(pool.processes[0] as number, 'SIGSEGV')
  await expect(astray).rejects.toMatchObject(refused(/damaged or incomplete/, 'invalid'))
  expect((await show('small.png')).width).toBe(40)
})

test('if the decoding process is killed externally, the same picture can be uploaded again', async () => {
  open()
  const ended = show('great.png')
  process.kill(pool.processes[0] as number, 'SIGKILL')
  await expect(ended).rejects.toMatchObject({ status: 503, code: 'unavailable', headers: { 'retry-after': '5' } })
  expect((await show('great.png')).width).toBe(8100)
})

test('a slow picture delays only other pictures of the same client', async () => {
  open()
  const done: string[] = []
  const note = async (name: string, clientId: number, word: string) => {
    await show(name, clientId)
    done.push(word)
  }
  const slow = note('great.png', 1, 'slow')
  const [stopped] = pool.processes as [number]
  process.kill(stopped, 'SIGSTOP')
  const behind = note('small.png', 1, 'behind')
  await note('small.png', 2, 'other')
  await note('great.png', 3, 'third')
  expect(done).toEqual(['other', 'third'])
  process.kill(stopped, 'SIGCONT')
  await Promise.all([slow, behind])
  expect(done).toEqual(['other', 'third', 'slow', 'behind'])
})

describe('a JPEG with many scans', () => {
  test('a JPEG with more than 100 scans is rejected before it is decoded', async () => {
    open()
    keep('scans.jpg', makeJpegOfScans(2000))
    const began = performance.now()
    const sentence = '"scans.jpg" is a JPEG in 2,000 scans, and the maximum is 100.'
    await expect(show('scans.jpg')).rejects.toMatchObject(refused(new RegExp(sentence), 'too_much_to_open'))
    expect(performance.now() - began).toBeLessThan(PICTURE_POOL_OPTIONS.timeoutMs / 3)
  })

  test('progressive JPEGs are accepted, even if their metadata contain scan markers', async () => {
    open()
    const picture = makePicture(400, 300).withExif({ IFD0: { Copyright: '\u00ff\u00da'.repeat(500) } })
    keep('progressive.jpg', await picture.jpeg({ progressive: true }).toBuffer())
    keep('few.jpg', makeJpegOfScans(5))
    expect([(await show('progressive.jpg')).width, (await show('few.jpg')).width]).toEqual([400, 6000])
  })
})

describe('pictures in received e-mails', () => {
  test('a slow picture in an e-mail does not delay the uploads of the same client', async () => {
    open()
    const slow = show('great.png', 1, { leftMs: 20_000 })
    const [stopped] = pool.processes as [number]
    process.kill(stopped, 'SIGSTOP')
    const behind = show('small.png', 2, { leftMs: 20_000 })
    expect((await show('small.png', 1)).width).toBe(40)
    process.kill(stopped, 'SIGCONT')
    expect([(await slow).width, (await behind).width]).toEqual([8100, 40])
  })

  test('the pictures of an e-mail share one time limit', async () => {
    open()
    const budget = { leftMs: 20_000 }
    await show('small.png', 1, budget)
    expect(budget.leftMs).toBeLessThan(20_000)
    budget.leftMs = 1
    await expect(show('great.png', 1, budget)).rejects.toMatchObject(refused(/takes too long/, 'too_much_to_open'))
    const sentence = /was not opened, because the pictures of its e-mail take too long/
    await expect(show('small.png', 1, budget)).rejects.toMatchObject(refused(sentence, 'too_much_to_open'))
  })
})

test('picture uploads are rejected with a Retry-After header if the queue is full', async () => {
  open({ queueEach: 1 })
  const accepted = [show('small.png'), show('small.png')]
  await expect(show('small.png')).rejects.toMatchObject({ status: 429, headers: { 'retry-after': '5' } })
  expect(await Promise.all(accepted)).toHaveLength(2)
})

test('an SVG drawing with a PNG file name is rejected as a damaged picture', async () => {
  open()
  keep('drawing.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'))
  await expect(show('drawing.png')).rejects.toMatchObject(refused(/damaged or incomplete/, 'invalid'))
})
