import { beforeAll, expect, test } from 'vitest'
import { extractResponseText } from '#test/pdf/words.ts'
import type { TestApi } from '#test/support/portal.ts'
import { makeQuoteWorld, type QuoteWorld } from '#test/support/quotes.ts'
import { makePicture, makeUploadForm } from '#test/support/uploads.ts'

let w: QuoteWorld
let boss: TestApi
beforeAll(async () => {
  w = await makeQuoteWorld()
  boss = w.sellers.as(await w.sellers.user({ roles: ['ROLE_CLIENT_ADMIN', 'ROLE_SAFETY_AUTHOR'] }))
})

const OURS = {
  address1: '14 Wharf Street',
  city: 'Leeds',
  postcode: 'LS1 1AA',
  regcompno: '01234567',
  vatNumber: 'GB 123 4567 82',
  registeredIn: 'scotland',
  registeredOffice: '2 Quay Street, Leith, EH6 6AA',
  contacttel: '01632 960960',
  contactemail: 'hello@seller.example',
}
const describeUs = async (change: Record<string, unknown>) => {
  const answer = await boss.put(`/api/portal/clients/${w.person.clientId}`, change)
  expect([answer.status, answer.text]).toEqual([200, expect.anything()])
}
const seen = async (token: string) => (await w.portal.anonymous.get(`/api/financial/acceptances/${token}`)).body
const pdfAt = (token: string) => w.portal.anonymous.get(`/api/financial/acceptances/${token}/pdf`)

test("a sent quote shows the seller's details as they were when it was sent, on screen and in print", async () => {
  await describeUs(OURS)
  const { token, quote } = await w.sent()
  const supplier = {
    name: 'The seller',
    address: '14 Wharf Street, Leeds, LS1 1AA',
    companyNumber: '01234567',
    registeredIn: 'Scotland',
    registeredOffice: '2 Quay Street, Leith, EH6 6AA',
    vatNumber: 'GB 123 4567 82',
    telephone: '01632 960960',
    email: 'hello@seller.example',
  }
  expect((await seen(token)).paper.supplier).toEqual(supplier)
  const words = await extractResponseText(await pdfAt(token))
  for (const said of [
    '14 Wharf Street, Leeds, LS1 1AA',
    'Registered in Scotland',
    'Company number 01234567',
    'Registered office: 2 Quay Street, Leith, EH6 6AA',
    'VAT number GB 123 4567 82',
  ])
    expect(words).toContain(said)

  await describeUs({ address1: '1 New Road' })
  expect((await seen(token)).paper.supplier).toEqual(supplier)
  expect((await w.api.get(quote['@id'])).body.supplier).toEqual(supplier)
  // A draft has the seller's details at the time of saving; the request can't set them.
  const draft = await w.draft({ plans: [{ plan: w.plan }], supplier: { name: 'Another user' } })
  expect((await w.api.get(draft['@id'])).body.supplier).toMatchObject({ address: '1 New Road, Leeds, LS1 1AA' })
})

test("a quote's PDF states both the first and the recurring payments including VAT", async () => {
  const { token } = await w.sent()
  const words = await extractResponseText(await pdfAt(token))
  expect(words).toContain('First payment including VAT')
  expect(words).toContain('Then every month, including VAT')
})

test("the seller's logo is accessible only with a quote's link", async () => {
  const { token } = await w.sent()
  const logoAt = (link: string) => w.portal.anonymous.get(`/api/financial/acceptances/${link}/logo`)
  expect([(await seen(token)).logo, (await logoAt(token)).status]).toEqual([null, 404])
  const file = makeUploadForm(await makePicture(300, 100).png().toBuffer(), 'logo.png')
  const uploaded = await boss.send('POST', `/api/safety/uploads/${w.person.clientId}`, file)
  expect([uploaded.status, uploaded.text]).toEqual([201, expect.anything()])
  const head = await boss.post('/api/portal/letterheads', { logo: uploaded.body['@id'] })
  expect([head.status, head.text]).toEqual([201, expect.anything()])

  const { logo } = await seen(token)
  expect(logo).toBe(`/api/financial/acceptances/${token}/logo`)
  const shown = await w.portal.anonymous.get(logo)
  expect([shown.status, shown.headers['content-type']]).toEqual([200, 'image/webp'])
  const other = `${token.slice(0, -1)}${token.endsWith('x') ? 'y' : 'x'}`
  expect((await logoAt(other)).status).toBe(404)
})
