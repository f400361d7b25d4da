import { beforeAll, expect, test } from 'vitest'
import { makeQuoteWorld, type QuoteWorld } from '#test/support/quotes.ts'

let w: QuoteWorld
beforeAll(async () => {
  w = await makeQuoteWorld()
})

const signature = { name: 'Ann Carter', method: 'typed', strokes: [], width: 0, height: 0 }
const at = (token: string) => `/api/financial/acceptances/${token}`
const lead = async () => (await w.api.get(`/api/crm/contacts/${w.contact}`)).body
const next = async () => (await w.api.get('/api/crm/contacts/next')).body.next

test("a quote's history shows when it was sent, first opened, resent and signed", async () => {
  const { quote, token } = await w.sent({ plans: [{ plan: w.plan }] })
  const read = async () => (await w.api.get(quote['@id'])).body
  expect(await read()).toMatchObject({ openedAt: null, decidedAt: null })
  // A plain GET, such as from an e-mail scanner, is not treated as opening the page.
  await w.portal.anonymous.get(at(token))
  expect((await read()).openedAt).toBeNull()
  expect((await w.portal.anonymous.post(`${at(token)}/opened`, {})).status).toBe(200)
  const { openedAt, sentAt } = await read()
  expect(Date.parse(openedAt)).toBeGreaterThanOrEqual(Date.parse(sentAt))
  // Only the first opening is recorded.
  await w.portal.anonymous.post(`${at(token)}/opened`, {})
  expect((await read()).openedAt).toBe(openedAt)
  await w.api.post(`${quote['@id']}/remind`, {})
  await w.api.post(`${quote['@id']}/remind`, { again: true })
  expect((await read()).remindedAt).toHaveLength(2)
  expect((await w.portal.anonymous.post(`${at(token)}/accept`, { signature })).body).toMatchObject({
    state: 'accepted',
    emailTo: w.email,
  })
  expect((await read()).decidedAt).not.toBeNull()
  expect((await w.portal.anonymous.post(`${at('nothing')}/opened`, {})).status).toBe(404)
})

test('sending a quote marks its lead as quoted, and signing the quote removes the lead from the call list', async () => {
  await w.sql("UPDATE contact SET callback_date = now() - interval '1 day', won_at = NULL WHERE id = $1", [w.contact])
  await w.api.put(`/api/crm/contacts/${w.contact}`, { lastResult: '/api/crm/last_results/30' })
  const { token } = await w.sent({ plans: [{ plan: w.plan }] })
  expect(await lead()).toMatchObject({ category: 'QUOTE', lastResult: { text: 'Quote sent' }, wonAt: null })
  expect(await next()).toMatchObject({ id: w.contact })
  await w.api.post(`/api/crm/contacts/${w.contact}/lease`, { release: true })
  await w.portal.anonymous.post(`${at(token)}/accept`, { signature })
  const won = await lead()
  expect(won).toMatchObject({ callbackDate: null, expiry: null })
  expect(won.wonAt).not.toBeNull()
  expect(await next()).toBeNull()
})

test('a quote can be sent and signed while a colleague is working on the lead', async () => {
  await w.sql(
    "UPDATE contact SET won_at = NULL, lease_user_id = $2, lease_until = now() + interval '5 minutes' WHERE id = $1",
    [w.contact, w.colleague.id],
  )
  const { token } = await w.sent({ plans: [{ plan: w.plan }] })
  expect((await w.portal.anonymous.post(`${at(token)}/accept`, { signature })).status).toBe(200)
})

test('a quote signature with a single-point stroke or from a very tall signature pad can be printed', async () => {
  const { quote, token } = await w.sent({ plans: [{ plan: w.plan }] })
  const strokes = [
    [
      [0.1, 0.5],
      [0.9, 0.6],
    ],
    [],
    [[0.5, 0.5]],
  ]
  const odd = { ...signature, method: 'finger', strokes, width: 1, height: 10_000 }
  expect((await w.portal.anonymous.post(`${at(token)}/accept`, { signature: odd })).status).toBe(200)
  expect((await w.api.get(`${quote['@id']}/pdf`)).status).toBe(200)
})

test("a link can't be used to accept or decline a quote in its seller's name", async () => {
  const { quote, token } = await w.sent({ plans: [{ plan: w.plan }] })
  const { owner } = (await w.api.get(quote['@id'])).body
  for (const name of [owner.name, `${owner.name}.`, owner.username]) {
    for (const [path, body] of [
      ['accept', { signature: { ...signature, name } }],
      ['decline', { name, reason: 'Too dear' }],
    ] as const)
      expect([name, path, (await w.portal.anonymous.post(`${at(token)}/${path}`, body)).status]).toEqual([
        name,
        path,
        422,
      ])
  }
  expect((await w.api.get(quote['@id'])).body.state).toBe('open')
  const name = `${owner.name} (Acme Roofing Ltd)`
  const accepted = await w.portal.anonymous.post(`${at(token)}/accept`, { signature: { ...signature, name } })
  expect(accepted.body).toMatchObject({ state: 'accepted', decidedBy: name })
})
