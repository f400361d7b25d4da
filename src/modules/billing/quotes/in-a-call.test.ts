import { beforeEach, describe, expect, test } from 'vitest'
import type { TestApi } from '#test/support/portal.ts'
import { makeQuoteWorld, type QuoteWorld } from '#test/support/quotes.ts'
import { SALES_FIGURES_URL } from '../sales-figures/figures.ts'

const CALLBACK = 31
const SKIPPED = 49
const QUOTE_SENT = 6

let w: QuoteWorld
let lead: string
beforeEach(async () => {
  w = await makeQuoteWorld()
  lead = `/api/crm/contacts/${w.contact}`
})

const hold = (as: TestApi = w.api) => as.post(`${lead}/lease`, {})
const send = async (values: Record<string, unknown> = {}, as: TestApi = w.api) => {
  const made = await w.draft({ plans: [{ plan: w.plan }], ...values })
  const { status, body } = await as.post(`${made['@id']}/send`, {})
  expect(status).toBe(200)
  return body
}
/** Returns the number of today's calls for each of the two sellers. */
const callsToday = () =>
  Promise.all(
    [w.api, w.sellers.as(w.colleague)].map(async (seller) => {
      const { body } = await seller.get(SALES_FIGURES_URL)
      return body.callsToday.reduce((n: number, one: { count: number }) => n + one.count, 0)
    }),
  )

describe('quotes sent during a call', () => {
  test.each([
    ['by e-mail', {}],
    ['as a link', { sendEmail: false }],
  ])('a quote sent %s during a call counts as a call by the caller', async (_, how) => {
    const { '@id': url } = (await w.api.get(lead)).body
    await w.api.put(url, { callbackDate: 1_700_000_000 })
    await hold()
    await send(how)
    expect(await callsToday()).toEqual([1, 0])
    const calls = (await w.api.get(`/api/crm/calls?contact=${w.contact}`)).body['hydra:member']
    expect(calls).toMatchObject([{ lastResult: { id: QUOTE_SENT }, user: { username: w.person.username } }])
    // The lead needs no further call now, because the promised quote has been sent.
    const after = (await w.api.get(lead)).body
    expect(after.callbackDate).toBeNull()
    expect(after.expiry * 1000).toBeGreaterThan(Date.now())
  })

  test("sending a quote during a call doesn't change a later callback", async () => {
    const then = Math.round(Date.now() / 1000) + 86_400
    await w.api.put(lead, { callbackDate: then })
    await hold()
    await send()
    expect((await w.api.get(lead)).body).toMatchObject({ callbackDate: then, expiry: null })
  })

  test('a quote does not count as a call if nobody, or another user, is calling the lead', async () => {
    await send()
    await hold(w.sellers.as(w.colleague))
    await send()
    expect(await callsToday()).toEqual([0, 0])
  })

  test("a quote sent during a call counts for the caller, not for the quote's owner", async () => {
    const colleague = w.sellers.as(w.colleague)
    await hold(colleague)
    await send({}, colleague)
    expect(await callsToday()).toEqual([0, 1])
  })

  test('several quotes and revisions sent in one call count as one call', async () => {
    await hold()
    const first = await send()
    const revised = (await w.api.post(`${first['@id']}/revise`, {})).body
    expect((await w.api.post(`${revised['@id']}/send`, {})).status).toBe(200)
    await w.api.post(`${revised['@id']}/remind`, {})
    await send()
    expect(await callsToday()).toEqual([1, 0])
  })

  test("a call's outcome and a quote sent after the outcome in the same call count as one call", async () => {
    await hold()
    await w.api.post(`${lead}/outcomes`, { result: CALLBACK })
    await hold()
    await send()
    expect(await callsToday()).toEqual([1, 0])
  })

  test('an outcome replaces the call counted for a quote, and undoing the outcome restores that call', async () => {
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

  test('a quote sent in another call an hour later counts as a second call', async () => {
    await hold()
    await send()
    await w.sql(`UPDATE note SET timestamp = timestamp - interval '61 minutes' WHERE contact_id = $1`, [w.contact])
    await hold()
    await send()
    const calls = (await w.api.get(`/api/crm/calls?contact=${w.contact}`)).body
    expect(calls['hydra:totalItems']).toBe(2)
  })
})
