import { afterAll, expect, test } from 'vitest'
import { type PackPart, renderPack } from '#server/pdf/pack.ts'
import { closePools } from '#server/processes/own-pools.ts'
import { pagesOf } from './pages.ts'
import { furniture, picture, risk, talk } from './samples.ts'

afterAll(closePools)

const template = (path: string) => new URL(`../../src/rooms/${path}`, import.meta.url)
const parts: PackPart[] = [
  { template: template('safety/risk/risk-assessment.typ'), furniture, body: risk },
  { template: template('safety/talks/toolbox-talk.typ'), furniture: talk.furniture, body: talk.body },
  {
    template: template('safety/risk/risk-assessment.typ'),
    furniture: { ...furniture, number: 'RA-0099', title: 'Scaffold' },
    body: risk,
  },
]
const cover = {
  title: 'Everything for Harbour View',
  client: 'Brightside Roofing Ltd',
  author: 'Ada',
  on: '2026-11-22T09:00:00Z',
  files: [
    { name: 'yard.png', checksum: 'abcdef0123456789', printed: true },
    { name: 'data.csv', checksum: '0123456789abcdef', printed: false },
  ],
  images: [{ base64: picture(3), alt: 'The yard', caption: 'The yard' }],
}

test('a pack says in its contents on which page each document begins, and counts its pages through', async () => {
  const pdf = await renderPack(cover, parts, 1)
  const file = pdf.toString('latin1')
  expect(file).toContain('<pdfuaid:part>1</pdfuaid:part>')
  const pages = (await pagesOf(pdf)).map((p) => p.text.replace(/\s+/g, ' '))
  expect(pages.map((text) => /Page (\d+) of (\d+)/.exec(text)?.slice(1).map(Number))).toEqual(
    pages.map((_, i) => [i + 1, pages.length]),
  )
  for (const { furniture: f } of parts) {
    const line = new RegExp(`${f.number} ${f.title} ${f.revision} .*? (\\d+) (?=\\w+-|Files)`).exec(pages[0] ?? '')
    const begins = pages.findIndex(
      (text, i) => i > 0 && text.includes(f.title) && text.includes(`Document number ${f.number}`),
    )
    expect([f.number, Number(line?.[1])]).toEqual([f.number, begins + 1])
  }
  // A bookmark for each, with its sections below it.
  expect(file.match(/\/Title \(RA-0099 Scaffold\)/g)).toHaveLength(1)
  expect(pages[0]).toContain('data.csv 01234567 Kept in the portal')
  expect(pages.at(-1)).toContain('The yard')
})
