import { beforeEach, describe, expect, test } from 'vitest'
import type { Api } from '#test/support/portal.ts'
import { type QuoteWorld, quoteWorld } from '#test/support/quotes.ts'
import { SALES_FIGURES } from '../sales-figures/figures.ts'

const CALLBACK = 31
const SKIPPED = 49
const QUOTE_SENT = 6

let w: QuoteWorld
/** Where the world's lead is. */
let lead: string
beforeEach(async () => {
  w = await quoteWorld()
  lead = `/api/crm/contacts/${w.contact}`
})

const hold = (as: Api = w.api) => as.post(`${lead}/lease`, {})
const send = async (values: Record<string, unknown> = {}, as: Api = w.api) => {
  const made = await w.draft({ plans: [{ plan: w.plan }], ...values })
  const { status, body } = await as.post(`${made['@id']}/send`, {})
  expect(status).toBe(200)
  return body
}
/** How many calls each of the two sellers has made today. */
const callsToday = () =>
  Promise.all(
    [w.api, w.sellers.as(w.colleague)].map(async (seller) => {
      const { body } = await seller.get(SALES_FIGURES)
      return body.callsToday.reduce((n: number, one: { count: number }) => n + one.count, 0)
    }),
  )

describe('a quote that is sent to a lead in a call', () => {
  test.each([
    ['by e-mail', {}],
    ['as a link', { sendEmail: false }],
  ])('is the call of whoever speaks with it, sent %s', async (_, how) => {
    const { '@id': url } = (await w.api.get(lead)).body
    await w.api.put(url, { callbackDate: 1_700_000_000 })
    await hold()
    await send(how)
    expect(await callsToday()).toEqual([1, 0])
    const calls = (await w.api.get(`/api/crm/calls?contact=${w.contact}`)).body['hydra:member']
    expect(calls).toMatchObject([{ lastResult: { id: QUOTE_SENT }, user: { username: w.person.username } }])
    // What was promised is kept: nobody is sent to ring them again now.
    const after = (await w.api.get(lead)).body
    expect(after.callbackDate).toBeNull()
    expect(after.expiry * 1000).toBeGreaterThan(Date.now())
  })

  test('leaves a callback alone that is still to come', async () => {
    const then = Math.round(Date.now() / 1000) + 86_400
    await w.api.put(lead, { callbackDate: then })
    await hold()
    await send()
    expect((await w.api.get(lead)).body).toMatchObject({ callbackDate: then, expiry: null })
  })

  test('is none where nobody holds the lead, or somebody else does', async () => {
    await send()
    await hold(w.sellers.as(w.colleague))
    await send()
    expect(await callsToday()).toEqual([0, 0])
  })

  test('is that of the person who speaks, and not of the quote’s owner', async () => {
    const colleague = w.sellers.as(w.colleague)
    await hold(colleague)
    await send({}, colleague)
    expect(await callsToday()).toEqual([0, 1])
  })

  test('is one call, however many quotes and revisions go out in it', async () => {
    await hold()
    const first = await send()
    const revised = (await w.api.post(`${first['@id']}/revise`, {})).body
    expect((await w.api.post(`${revised['@id']}/send`, {})).status).toBe(200)
    await w.api.post(`${revised['@id']}/remind`, {})
    await send()
    expect(await callsToday()).toEqual([1, 0])
  })

  test('is one call with the outcome told before it or after it', async () => {
    await hold()
    await w.api.post(`${lead}/outcomes`, { result: CALLBACK })
    await hold()
    await send()
    expect(await callsToday()).toEqual([1, 0])
  })

  test('is told by the outcome after it, and again by itself where that is taken back; skipping tells of none', async () => {
    await hold()
    await send()
    await w.api.post(`${lead}/outcomes`, { result: SKIPPED })
    expect(await callsToday()).toEqual([1, 0])
    await hold()
    const { body } = await w.api.post(`${lead}/outcomes`, { result: CALLBACK })
    expect(await callsToday()).toEqual([1, 0])
    const calls = async () =>
      (await w.api.get(`/api/crm/calls?contact=${w.contact}&retired=false`)).body['hydra:member'].map(
        (n: { lastResult: { id: number } }) => n.lastResult.id,
      )
    expect(await calls()).toEqual([CALLBACK])
    expect((await w.api.post(`${lead}/undo`, { note: body.note.id })).status).toBe(200)
    expect(await calls()).toEqual([QUOTE_SENT])
    expect(await callsToday()).toEqual([1, 0])
  })

  test('is another call an hour later', async () => {
    await hold()
    await send()
    await w.sql(`UPDATE note SET timestamp = timestamp - interval '61 minutes' WHERE contact_id = $1`, [w.contact])
    await hold()
    await send()
    const calls = (await w.api.get(`/api/crm/calls?contact=${w.contact}`)).body
    expect(calls['hydra:totalItems']).toBe(2)
  })
})
