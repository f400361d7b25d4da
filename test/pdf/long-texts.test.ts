import { afterAll, expect, test } from 'vitest'
import type { FormSchema } from '#kernel/forms/schema.ts'
import { closeAllPools } from '#server/processes/pool.ts'
import { makeAnswerBody } from './custom-form-samples.ts'
import { renderAnswerPdf, renderTalkPdf } from './papers.ts'
import { sampleDocumentFrame, sampleTalk } from './samples.ts'
import { extractPageTexts } from './words.ts'

afterAll(closeAllPools)

/** Returns how often each page of a PDF contains a word. Text beyond the edge of a page counts too. */
async function countOnPages(pdf: Buffer, word: string): Promise<number[]> {
  const counts = (await extractPageTexts(pdf)).map((text) => text.split(word).length - 1)
  return counts.filter((count) => count > 0)
}

test.each([
  ['words', 'Checked ', 1500, 600],
  ['short lines', 'okay\n', 1000, 65],
  ['one row of Arabic letters', 'ب', 10_000, 4000],
  ['one row of Latin letters', 'W', 5000, 1500],
])('an answer of %s that is longer than a page continues on further pages', async (_, piece, count, mostOnPage) => {
  const field = { name: 'a', kind: 'longText', label: 'Findings' } as const
  const schema: FormSchema = { title: 'T', steps: [{ name: 's', title: 'S', groups: [{ fields: [field] }] }] }
  const body = makeAnswerBody(schema, { a: piece.repeat(count) })
  const pages = await countOnPages(await renderAnswerPdf({ ...sampleDocumentFrame, title: 'T' }, body), piece.trim())
  expect(pages.reduce((sum, n) => sum + n, 0)).toBe(count)
  expect(Math.max(...pages)).toBeLessThan(mostOnPage)
})

test('a point of a talk that is longer than a page continues on further pages', async () => {
  const points = [{ text: { html: `<p>${'Check the ladder. '.repeat(1000)}</p>` } }]
  const pages = await countOnPages(await renderTalkPdf(sampleTalk.furniture, { ...sampleTalk.body, points }), 'ladder')
  expect(pages.reduce((sum, n) => sum + n, 0)).toBe(1000)
  expect(Math.max(...pages)).toBeLessThan(400)
})
