import { expect, test } from 'vitest'
import { makeQuoteWorld } from '#test/support/quotes.ts'

const w = await makeQuoteWorld()
const person = async () =>
  w.sellers.as(await w.sellers.user({ roles: ['ROLE_STAFF', 'ROLE_FINANCE', 'ROLE_BILLING_ADMIN'] }))
const [finance, other] = [await person(), await person()]
const [settings] = (await finance.get('/api/financial/quote_settings')).body['hydra:member']
await finance.put(settings['@id'], { discountLimitPercent: 25, discountLimitAmount: 20_000 })

const draft = (more: Record<string, unknown> = {}) => w.draft({ sendEmail: false, plans: [{ plan: w.plan }], ...more })
const send = (of: { '@id': string }) => w.api.post(`${of['@id']}/send`, {})
const ask = (of: { '@id': string }) => w.api.post(`${of['@id']}/ask-approval`, { reason: 'They take three sites' })
const waiting = async (of: { id: number }) =>
  (await w.api.get(`/api/financial/discount_approvals?quote=${of.id}&state=waiting`)).body['hydra:member'][0]
const approve = (of: { '@id': string }, api = finance) => api.post(`${of['@id']}/approve`, {})

test("a discount can't be approved by anyone who entered it in a colleague’s quote, or in a copy or revision of the quote", async () => {
  const made = await draft()
  expect((await finance.patch(made['@id'], { discountPercent: 50, discountDuration: 'forever' })).status).toBe(200)
  const copy = (await w.api.post(`${made['@id']}/copy`, {})).body
  for (const one of [made, copy]) {
    await ask(one)
    expect((await approve(await waiting(one))).status).toBe(403)
    expect((await approve(await waiting(one), other)).status).toBe(200)
    expect((await send(one)).status).toBe(200)
  }
  const revised = (await w.api.post(`${made['@id']}/revise`, {})).body
  await w.api.patch(revised['@id'], { plans: [{ plan: w.plan, quantity: 3 }] })
  await ask(revised)
  expect((await approve(await waiting(revised))).status).toBe(403)
  const late = await draft({ discountPercent: 50, discountDuration: 'forever' })
  await ask(late)
  await approve(await waiting(late))
  await finance.put(late['@id'], { plans: [{ plan: w.plan, quantity: 2 }] })
  await finance.put(late['@id'], { plans: [{ plan: w.plan }] })
  expect((await send(late)).body.code).toBe('approval_needed')
})
