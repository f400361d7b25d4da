import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestPortal } from '#test/support/portal.ts'
import { makeQuoteWorld, type QuoteWorld } from '#test/support/quotes.ts'

const folder = mkdtempSync(join(tmpdir(), 'public-pdf-'))
afterAll(() => rmSync(folder, { recursive: true }))
let w: QuoteWorld
let portal: TestPortal
beforeAll(async () => {
  w = await makeQuoteWorld()
  portal = await w.portal.with({ DATA_DIR: folder })
})

const pdfAt = (token: string) => portal.anonymous.get(`/api/financial/acceptances/${token}/pdf`)
const statuses = async (asked: Promise<{ status: number }>[]) =>
  (await Promise.all(asked)).map((a) => a.status).sort((a, b) => a - b)

test("a quote's PDF is rendered once, cached and served to everybody who holds the quote's link", async () => {
  const { token } = await w.sent()
  const many = Array.from({ length: 12 }, () => pdfAt(token))
  const refused = (await Promise.all(many)).find((a) => a.status === 429)
  expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
  // Some requests are rejected; all the others get the same cached file.
  expect(new Set(await statuses(many))).toEqual(new Set([200, 429]))
  const kept = () => readdirSync(join(folder, 'files'), { recursive: true }).filter((f) => /quote-/.test(String(f)))
  expect(kept()).toHaveLength(1)
  // Further requests are served from the cache, so none of them are rejected.
  expect(await statuses(Array.from({ length: 12 }, () => pdfAt(token)))).toEqual(Array.from({ length: 12 }, () => 200))
  const signature = { name: 'Ann Carter', method: 'typed' }
  await portal.anonymous.post(`/api/financial/acceptances/${token}/accept`, { signature })
  expect((await pdfAt(token)).status).toBe(200)
  expect(kept()).toHaveLength(2)
})

test('a signature drawing with an empty stroke is accepted and printed', async () => {
  const { token } = await w.sent()
  const strokes = [
    [
      [0, 0],
      [1, 1],
    ],
    [],
  ]
  const signature = { name: 'Ann Carter', method: 'finger', strokes, width: 300, height: 100 }
  expect((await portal.anonymous.post(`/api/financial/acceptances/${token}/accept`, { signature })).status).toBe(200)
  expect((await pdfAt(token)).status).toBe(200)
})

test('at most two PDFs are rendered concurrently for the quote links of one client', async () => {
  const tokens: string[] = []
  while (tokens.length < 6) tokens.push((await w.sent()).token)
  const [first, second, ...others] = await statuses(tokens.map(pdfAt))
  expect([first, second, others.at(-1)]).toEqual([200, 200, 429])
})

test("a quote can't be read, accepted or declined through its link once the seller's account is retired", async () => {
  const { quote, token } = await w.sent()
  const at = `/api/financial/acceptances/${token}`
  const retire = (retired: boolean) =>
    w.sql('UPDATE client SET retired = $2 WHERE id = $1', [w.person.clientId, retired])
  await retire(true)
  const { anonymous } = portal
  const answers = [
    await anonymous.get(at),
    await pdfAt(token),
    await anonymous.post(`${at}/accept`, { signature: { name: 'Ann Carter', method: 'typed' } }),
    await anonymous.post(`${at}/decline`, {}),
  ]
  await retire(false)
  expect(answers.map((a) => a.status)).toEqual([410, 410, 410, 410])
  expect((await w.api.get(quote['@id'])).body.state).toBe('open')
})
