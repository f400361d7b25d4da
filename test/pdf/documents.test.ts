import { afterAll, describe, expect, test } from 'vitest'
import { type Furniture, renderDocument } from '#server/pdf/furniture.ts'
import { closePools } from '#server/processes/own-pools.ts'
import { compare, filledShare, pagesOf } from './pages.ts'
import { blank, empty, forty, furniture, hard, large, risk, talk } from './samples.ts'

const template = (path: string) => new URL(`../../src/rooms/${path}`, import.meta.url)
const assessment = (about: Furniture, body: object) =>
  renderDocument({ template: template('safety/risk/risk-assessment.typ'), furniture: about, body })
const sheet = (about: Furniture, body: object) =>
  renderDocument({ template: template('safety/talks/toolbox-talk.typ'), furniture: about, body })

afterAll(closePools)

describe('documents look as approved', () => {
  const documents = {
    'risk-assessment': () => assessment(furniture, risk),
    'risk-assessment-empty': () => assessment({ ...furniture, state: 'replaced' }, empty),
    'risk-assessment-hard': () => assessment(hard.furniture, hard.body),
    'toolbox-talk': () => sheet(talk.furniture, talk.body),
  }
  test.each(Object.entries(documents))('%s', async (name, make) => {
    expect(compare(name, await pagesOf(await make()))).toEqual([])
  })
})

describe('paper is not wasted', () => {
  const sheetOf = { ...talk, body: { ...talk.body, presented: undefined } }
  test.each([
    ['an assessment of forty hazards', 12, () => assessment(furniture, forty)],
    ['a talk', 1, () => sheet(sheetOf.furniture, sheetOf.body)],
    ['a presentation', 2, () => sheet(talk.furniture, talk.body)],
    ['an assessment that is hardly begun', 2, () => assessment(furniture, empty)],
  ])('%s takes at most %i pages, none but the last under a quarter full', async (_, most, make) => {
    const pages = await pagesOf(await make())
    expect(pages.length).toBeLessThanOrEqual(most)
    for (const page of pages.slice(0, -1)) expect(filledShare(page.image)).toBeGreaterThan(0.25)
  })
})

describe('a reader is told', () => {
  test('title, language, tags and that it is PDF/UA', async () => {
    const file = (await assessment(furniture, risk)).toString('latin1')
    expect(file).toContain('<pdfuaid:part>1</pdfuaid:part>')
    expect(file).toContain('RA-0042 Replacing roof sheets at Harbour View primary school')
    expect(file).toMatch(/\/MarkInfo\s*<<\s*\/Marked true/)
    expect(file).toMatch(/\/DisplayDocTitle true/)
    expect(file).toMatch(/\/Lang \(en-GB\)/)
    expect(file).toMatch(/\/StructTreeRoot \d+ 0 R/)
  })

  test('what is heading, table, list and picture, and what each picture shows', async () => {
    const file = (await assessment(furniture, risk)).toString('latin1')
    const count = (pattern: RegExp) => file.match(pattern)?.length ?? 0
    const tags = (name: string) => count(new RegExp(`/S /${name}\\b`, 'g'))
    expect(tags('Title')).toBe(1)
    expect(tags('H1')).toBeGreaterThan(5)
    expect(tags('Table')).toBe(5)
    expect(tags('THead')).toBe(5)
    expect(tags('LI')).toBe(4)
    expect(tags('Figure')).toBe(risk.ppe.length + risk.images.length + 2)
    expect(count(/\/Alt [(<]/g)).toBe(tags('Figure'))
    expect(file).toContain('/Alt (Signature of Owen Pritchard)')
  })

  test('the same of the same data', async () => {
    expect(await assessment(furniture, risk)).toEqual(await assessment(furniture, risk))
  })

  test('what people wrote, as they wrote it', async () => {
    const pages = await pagesOf(await assessment(hard.furniture, hard.body))
    // PDFium sees more line ends than there are.
    const close = (s: string) => s.replace(/\s/g, '')
    const text = close(pages.map((p) => p.text).join(''))
    expect(text).toContain(close('#sys.inputs *bold* $math$ <script> Removal'))
    expect(text).toContain(close('#let x = 1; *not bold* $x^2$ @ref <label> \\ `code`'))
    expect(text).toContain(close('#panic("brand") & Partners'))
    expect(text).toContain(close('#strong[Boots]'))
    // PDFium turns round what a ligature stands for, so these words have none.
    for (const word of ['שער', 'צפוני', 'الميناء', 'ارتداء', 'العمال', 'קסדה', '👷', '🔥']) expect(text).toContain(word)
  })

  test('every hazard of three hundred, in order, and the number of pages on each', async () => {
    const pages = await pagesOf(await assessment(furniture, large))
    const text = pages.map((p) => p.text.replace(/\s+/g, ' ')).join(' ')
    const found = [...text.matchAll(/, bay (\d+)/g)].map((m) => Number(m[1]))
    expect(found).toEqual(Array.from({ length: 300 }, (_, i) => i + 1))
    for (const [i, p] of pages.entries()) expect(p.text).toContain(`Page ${i + 1} of ${pages.length}`)
  })

  test('that it must not be used, on every page of a draft, and that is PDF/UA too', async () => {
    const file = await assessment({ ...furniture, state: 'draft' }, large)
    expect(file.toString('latin1')).toContain('pdfuaid')
    for (const p of await pagesOf(file)) expect(p.text).toContain('DRAFT – not for use')
  })

  test.each([
    ['complete', 'Complete, awaiting approval'],
    ['rejected', 'REJECTED'],
    ['retired', 'RETIRED'],
  ] as const)('that it is %s, on every page', async (state, words) => {
    for (const p of await pagesOf(await sheet({ ...furniture, state }, talk.body))) expect(p.text).toContain(words)
  })

  test('its language', async () => {
    const template = new URL('../../src/rooms/safety/talks/toolbox-talk.typ', import.meta.url)
    const file = await renderDocument({ template, ...talk, lang: 'cy' })
    expect(file.toString('latin1')).toMatch(/\/Lang \(cy\)/)
  })

  test('what is there, where hardly anything is', async () => {
    const about = { ...furniture, title: '-', author: '', signatures: [{ name: '', at: '', method: 'typed' as const }] }
    const pages = await pagesOf(await assessment(about, blank))
    expect(pages.map((p) => p.text).join(' ')).toContain('Not yet judged')
    expect((await pagesOf(await sheet(about, { points: [] })))[0]?.text).toContain('no points yet')
  })

  test('the time that clocks in London showed', async () => {
    const [, attendance] = await pagesOf(await sheet(talk.furniture, talk.body))
    expect(attendance?.text).toContain('28 July 2026, 07:46')
  })
})
