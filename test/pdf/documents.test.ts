import { afterAll, describe, expect, test } from 'vitest'
import { closePools } from '#server/processes/own-pools.ts'
import { coshh } from './coshh-samples.ts'
import { scaffoldCheck, snagList } from './custom-form-samples.ts'
import { hardMethod, method } from './method-samples.ts'
import { compare, pagesOf } from './pages.ts'
import { answerPaper, assessmentPdf, coshhPaper, methodPaper, policyPaper, ramsPaper, talkPdf } from './papers.ts'
import { policy } from './policy-samples.ts'
import { rams } from './rams-samples.ts'
import { blank, empty, furniture, hard, large, ownBands, risk, talk } from './samples.ts'
import { textsOf, wordsOf } from './words.ts'

afterAll(closePools)

describe('appearance of documents', () => {
  const documents = {
    'risk-assessment': () => assessmentPdf(furniture, risk),
    'risk-assessment-empty': () => assessmentPdf({ ...furniture, state: 'replaced' }, empty),
    'risk-assessment-bands': () => assessmentPdf(furniture, ownBands),
    'risk-assessment-hard': () => assessmentPdf(hard.furniture, hard.body),
    'method-statement': () => methodPaper(method.furniture, method.body),
    'method-statement-hard': () => methodPaper(hard.furniture, hardMethod),
    'rams-pack': () => ramsPaper({ ...furniture, ...rams.furniture }, rams.body),
    'coshh-assessment': () => coshhPaper(coshh.furniture, coshh.body),
    policy: () => policyPaper(policy.furniture, policy.body),
    'custom-form': () => answerPaper(scaffoldCheck.furniture, scaffoldCheck.body),
    'custom-form-rows': () => answerPaper(snagList.furniture, snagList.body),
    'toolbox-talk': () => talkPdf(talk.furniture, talk.body),
  }
  test.each(Object.entries(documents))('%s looks as approved', async (name, make) => {
    expect(compare(name, await pagesOf(await make()))).toEqual([])
  })
})

describe('content of document PDFs', () => {
  test('a PDF has a title, a language, tags and the PDF/UA marker', async () => {
    const file = (await assessmentPdf(furniture, risk)).toString('latin1')
    expect(file).toContain('<pdfuaid:part>1</pdfuaid:part>')
    expect(file).toContain('RA-0042 Replacing roof sheets at Harbour View primary school')
    expect(file).toMatch(/\/MarkInfo\s*<<\s*\/Marked true/)
    expect(file).toMatch(/\/DisplayDocTitle true/)
    expect(file).toMatch(/\/Lang \(en-GB\)/)
    expect(file).toMatch(/\/StructTreeRoot \d+ 0 R/)
  })

  test('a PDF tags headings, tables, lists and pictures, with a description of each picture', async () => {
    const file = (await assessmentPdf(furniture, risk)).toString('latin1')
    const count = (pattern: RegExp) => file.match(pattern)?.length ?? 0
    const tags = (name: string) => count(new RegExp(`/S /${name}\\b`, 'g'))
    expect(tags('Title')).toBe(1)
    expect(tags('H1')).toBeGreaterThan(5)
    expect(tags('Table')).toBe(5)
    expect(tags('THead')).toBe(5)
    expect(tags('LI')).toBe(4)
    expect(tags('Figure')).toBe(
      risk.ppe.length + risk.images.length + furniture.signatures.filter((s) => s.strokes).length + 1,
    )
    expect(count(/\/Alt [(<]/g)).toBe(tags('Figure'))
    expect(file).toContain('/Alt (Signature of Owen Pritchard)')
    // The logo has a description on the first page, and is an artifact in the other page headers.
    expect(file).toContain('/Alt (Brick & Beam Construction Ltd)')
  })

  test('a PDF of the same data has the same bytes', async () => {
    expect(await assessmentPdf(furniture, risk)).toEqual(await assessmentPdf(furniture, risk))
  })

  test('a PDF contains typed text unchanged', async () => {
    // PDFium reports more line breaks than there are.
    const close = (s: string) => s.replace(/\s/g, '')
    const text = close(await wordsOf(await assessmentPdf(hard.furniture, hard.body)))
    expect(text).toContain(close('#sys.inputs *bold* $math$ <script> Removal'))
    expect(text).toContain(close('#let x = 1; *not bold* $x^2$ @ref <label> \\ `code`'))
    expect(text).toContain(close('#panic("brand") & Partners'))
    expect(text).toContain(close('#strong[Boots]'))
    // PDFium reverses the letters of a ligature, so these words have none.
    for (const word of ['שער', 'צפוני', 'الميناء', 'ارتداء', 'العمال', 'קסדה', '👷', '🔥']) expect(text).toContain(word)
  })

  test('a PDF of three hundred hazards has all of them in order, and a page number on each page', async () => {
    const pages = await textsOf(await assessmentPdf(furniture, large))
    const text = pages.join(' ')
    const found = [...text.matchAll(/, bay (\d+)/g)].map((m) => Number(m[1]))
    expect(found).toEqual(Array.from({ length: 300 }, (_, i) => i + 1))
    for (const [i, p] of pages.entries()) expect(p).toContain(`Page ${i + 1} of ${pages.length}`)
  })

  test('a PDF of a draft has a warning on every page and is PDF/UA too', async () => {
    const file = await assessmentPdf({ ...furniture, state: 'draft' }, large)
    expect(file.toString('latin1')).toContain('pdfuaid')
    for (const p of await textsOf(file)) expect(p).toContain('DRAFT – not for use')
  })

  test.each([
    ['complete', 'Complete, awaiting approval'],
    ['rejected', 'REJECTED'],
    ['retired', 'DELETED'],
    ['withdrawn', 'WITHDRAWN'],
  ] as const)('a PDF of a document that is %s says so on every page', async (state, words) => {
    for (const p of await textsOf(await talkPdf({ ...furniture, state }, talk.body))) expect(p).toContain(words)
  })

  test('a PDF states its language', async () => {
    const file = await talkPdf(talk.furniture, talk.body, 'cy')
    expect(file.toString('latin1')).toMatch(/\/Lang \(cy\)/)
  })

  test('a PDF of an almost empty document contains what there is', async () => {
    const about = { ...furniture, title: '-', author: '', signatures: [{ name: '', at: '', method: 'typed' as const }] }
    expect(await wordsOf(await assessmentPdf(about, blank))).toContain('Not yet rated')
    expect(await wordsOf(await talkPdf(about, { points: [] }))).toContain('no points yet')
  })

  test('a PDF shows times of the clock in London', async () => {
    const [, attendance] = await textsOf(await talkPdf(talk.furniture, talk.body))
    expect(attendance).toContain('28 July 2026, 07:46')
  })
})
