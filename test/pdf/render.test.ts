import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { renderPdf } from '#server/pdf/render.ts'
import type { PdfRenderJob } from '#server/pdf/worker.ts'
import { closeAllPools, WorkerPool } from '#server/processes/pool.ts'
import { measureFilledShare, renderPages } from './pages.ts'
import { largeRisk, makeGradientPicture, sampleDocumentFrame } from './samples.ts'

const template = (name: string) => fileURLToPath(new URL(`./templates/${name}.typ`, import.meta.url))
const data = JSON.stringify({ title: 'A title', lang: 'en-GB' })

afterAll(closeAllPools)

describe('input that renderPdf refuses', () => {
  const job = { template: template('plain'), data: {}, title: 'A title' }
  test.each([
    ['a document without a title', { ...job, title: ' ' }, /plain\.typ: the document has no title/],
    ['a template that does not exist', { ...job, template: '/nowhere/some.typ' }, /some\.typ: /],
    ['a relative template path', { ...job, template: 'plain.typ' }, /absolute path/],
    ['a missing value', { ...job, template: template('wants-more') }, /wants-more\.typ: .*"more"/],
    ['a picture in a template without alternative text', { ...job, template: template('no-alt') }, /alt/],
    [
      'a picture in the data without alternative text',
      { ...job, data: { p: { base64: makeGradientPicture(1) } } },
      /no alternative text/,
    ],
    ['a file that is not a picture', { ...job, data: { p: { base64: 'PHN2Zz4=', alt: 'x' } } }, /neither PNG/],
    [
      'more data than a document may contain',
      { ...job, data: { p: 'x'.repeat(49e6) } },
      /With its pictures, this PDF would be 49 MB/,
    ],
  ])('renderPdf refuses %s', async (_, wrong, reason) => {
    await expect(renderPdf(wrong)).rejects.toThrow(reason)
  })

  test('renderPdf accepts a layout that the compiler tags incorrectly, but omits the PDF/UA marker', async () => {
    const file = (await renderPdf({ ...job, template: template('tangled') })).toString('latin1')
    expect(file).toMatch(/\/StructTreeRoot \d+ 0 R/)
    expect(file).not.toContain('pdfuaid')
  })

  test('renderPdf renders the next PDF after a refusal', async () => {
    expect((await renderPdf(job)).toString('latin1', 0, 5)).toBe('%PDF-')
  })
})

describe('the PDF process', () => {
  let pool: WorkerPool<PdfRenderJob, Uint8Array>
  const make = (timeoutMs: number) => {
    const program = new URL('../../src/server/pdf/worker.ts', import.meta.url)
    const memory = 2 ** 30
    pool = new WorkerPool({
      program,
      workers: 1,
      each: 1,
      queue: 2,
      queueEach: 2,
      timeoutMs,
      idleMs: 20_000,
      keeps: memory,
      memory,
    })
    return pool
  }
  afterEach(() => pool.close())

  test('the PDF process is killed when it takes too long, and a new one takes over', async () => {
    make(300_000)
    const began = performance.now()
    await pool.ask({ template: template('plain'), data })
    // Time that this machine takes for one PDF, including the start of a process, with some reserve.
    const seconds = 2 + Math.ceil((performance.now() - began) / 250)
    await pool.close()
    make(seconds * 1000)
    const slow = pool.ask({ template: template('endless'), data })
    const next = pool.ask({ template: template('plain'), data })
    await expect(slow).rejects.toThrow(`longer than ${seconds} seconds`)
    expect((await next).length).toBeGreaterThan(1000)
  })

  test('the PDF process does not block the main thread', async () => {
    make(20_000)
    let turns = 0
    let done = false
    const turn = () => {
      turns++
      if (!done) setImmediate(turn)
    }
    turn()
    const template = fileURLToPath(new URL('../../src/server/pdf/paper.typ', import.meta.url))
    const whole = {
      template: '/src/modules/safety/risk/risk-assessment.typ',
      title: 'A title',
      lang: 'en-GB',
      furniture: { ...sampleDocumentFrame, brand: { name: 'x' } },
      body: { ...largeRisk, images: [] },
    }
    await pool.ask({ template, data: JSON.stringify(whole) })
    done = true
    expect(turns).toBeGreaterThan(100)
  })
})

test('a long address moves the text of a letter down instead of overlapping it, and a short address does not move the text', async () => {
  const filledShareFor = async (addressee: string) => {
    const letter = { addressee, called: 'Ann', subject: 'Offer', date: '2026-11-30', body: { html: '<p>Dear Ann</p>' } }
    const pdf = await renderPdf({
      template: new URL('../../src/modules/crm/letters/letter.typ', import.meta.url),
      title: 'Letter',
      data: { sender: { brand: { name: 'Brightside' }, client: { name: 'Brightside' } }, letters: [letter] },
    })
    const [page] = await renderPages(pdf, 36)
    return measureFilledShare(page!.image)
  }
  const short = await filledShareFor('Ann Field\n1 High Street\nLeeds\nLS1 1AA')
  const window = await filledShareFor('Ann Field\nAcme Ltd\n1 High Street\nHeadingley\nLeeds\nWest Yorkshire\nLS1 1AA')
  const long = await filledShareFor(
    `Ann Field\n${'The Old Woollen Mill, Back Lane behind the Church '.repeat(12)}\nLS1 1AA`,
  )
  expect(window).toBe(short)
  expect(long).toBeGreaterThan(short + 0.03)
})
