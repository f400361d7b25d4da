import { afterAll, expect, test } from 'vitest'
import { createPackSizeLimit, renderPackDocuments } from '#server/pdf/pack.ts'
import { closeAllPools } from '#server/processes/pool.ts'
import { largePackParts, samplePackCover, samplePackParts } from './papers.ts'
import { extractPageTexts } from './words.ts'

afterAll(closeAllPools)

test('a pack that is too large for one file is refused with an error message, before all its documents are read', () => {
  const [part] = samplePackParts
  const refused = (body: object) => {
    const take = createPackSizeLimit()
    const one = { ...part!, body }
    take(one)
    return () => take(one)
  }
  expect(refused({ note: 'x'.repeat(300_000) })).not.toThrow()
  expect(refused({ note: 'x'.repeat(500_000) })).toThrow('These documents are too large to print while you wait.')
  expect(refused({ images: [{ base64: 'x'.repeat(21e6) }] })).toThrow('The pictures of these documents are too large')
})

test('the table of contents of a pack lists the first page of each document, and all pages are numbered continuously', async () => {
  const pdf = await renderPackDocuments(samplePackCover, samplePackParts, 1)
  const file = pdf.toString('latin1')
  expect(file).toContain('<pdfuaid:part>1</pdfuaid:part>')
  const pages = await extractPageTexts(pdf)
  expect(pages.map((text) => /Page (\d+) of (\d+)/.exec(text)?.slice(1).map(Number))).toEqual(
    pages.map((_, i) => [i + 1, pages.length]),
  )
  for (const { furniture: f } of samplePackParts) {
    const line = new RegExp(`${f.number} ${f.title} ${f.revision} .*? (\\d+) (?=\\w+-|Files)`).exec(pages[0] ?? '')
    const begins = pages.findIndex(
      (text, i) => i > 0 && text.includes(f.title) && text.includes(`Document number ${f.number}`),
    )
    expect([f.number, Number(line?.[1])]).toEqual([f.number, begins + 1])
  }
  // Each document has a bookmark, with bookmarks for its sections below it.
  expect(file.match(/\/Title \(RA-0099 Scaffold\)/g)).toHaveLength(1)
  expect(pages[0]).toContain('data.csv 01234567 Stored in the portal')
  expect(pages.at(-1)).toContain('The yard')
})

test('a pack for a large job has at least sixty pages, numbered continuously', async () => {
  const pages = await extractPageTexts(await renderPackDocuments(samplePackCover, largePackParts, 1))
  expect(pages.length).toBeGreaterThanOrEqual(60)
  expect(pages.at(-1)).toContain(`Page ${pages.length} of ${pages.length}`)
})
