import { beforeAll, describe, expect, test } from 'vitest'
import type { TestApi } from '#test/support/portal.ts'
import { makeQuoteWorld, type QuoteWorld } from '#test/support/quotes.ts'

let w: QuoteWorld
let finance: TestApi
let other: TestApi
let half: string
let tenth: string
let n = 0

beforeAll(async () => {
  w = await makeQuoteWorld()
  const money = ['ROLE_STAFF', 'ROLE_FINANCE', 'ROLE_BILLING_ADMIN']
  finance = w.sellers.as(await w.sellers.user({ roles: money }))
  other = w.sellers.as(await w.sellers.user({ roles: money }))
  const [settings] = (await finance.get('/api/financial/quote_settings')).body['hydra:member']
  const said = await finance.put(settings['@id'], { discountLimitPercent: 25, discountLimitAmount: 2000 })
  if (said.status !== 200) throw new Error(said.text)
  half = await w.make('/api/financial/coupons', { name: 'Half', percentOff: 50, duration: 'forever' })
  tenth = await w.make('/api/financial/coupons', { name: 'Tenth', percentOff: 10, duration: 'forever' })
})

const APPROVALS = '/api/financial/discount_approvals'
const draft = async (more: Record<string, unknown> = {}) =>
  w.draft({ sendEmail: false, plans: [{ plan: w.plan }], coupon: half, customer: await customer(), ...more })
const customer = () => w.make('/api/financial/customers', { email: `d${process.pid}.${++n}@acme.example` })
const send = (of: { '@id': string }, api = w.api) => api.post(`${of['@id']}/send`, {})
const ask = (of: { '@id': string }, api = w.api) =>
  api.post(`${of['@id']}/ask-approval`, { reason: 'They take three sites' })
const waiting = async (of: { id: number }) =>
  (await w.api.get(`${APPROVALS}?quote=${of.id}&state=waiting`)).body['hydra:member'][0]
const approve = (of: { '@id': string }, api = finance) => api.post(`${of['@id']}/approve`, {})

interface Entry {
  readonly kind: string
  readonly words: string
  readonly path: string
}
const inboxOf = async (api: TestApi): Promise<readonly Entry[]> =>
  (await api.get('/api/portal/notices/inbox')).body['hydra:member'] ?? []
const SUMMARY = '/api/portal/notices/summary'

describe('discounts above the limit', () => {
  test('a discount request is notified to every approver at once, counts as an open task, and its decision is notified to the requester', async () => {
    const made = await draft()
    const path = `/invoice/quote/view/${made.id}`
    const waitingFor = async (api: TestApi) => (await api.get(SUMMARY)).body.waiting
    const before = await waitingFor(finance)
    await ask(made)
    for (const api of [finance, other])
      expect(await inboxOf(api)).toContainEqual(
        expect.objectContaining({
          kind: 'discount.waiting',
          words: expect.stringContaining(`£22.50 off ${made.reference}`),
          path: '/invoice/approvals',
        }),
      )
    expect((await inboxOf(w.api)).filter(({ kind }) => kind === 'discount.waiting')).toEqual([])
    expect((await waitingFor(finance)).Finance).toBe((before.Finance ?? 0) + 1)
    await approve(await waiting(made))
    expect(await inboxOf(w.api)).toContainEqual(
      expect.objectContaining({ kind: 'discount.decided', words: `Discount on ${made.reference} approved`, path }),
    )
    expect((await waitingFor(finance)).Finance ?? 0).toBe(before.Finance ?? 0)
  })

  test('the preview of a quote states whether its discount needs approval, is waiting, and was declined', async () => {
    const made = await draft()
    const approval = async () => (await w.api.get(`${made['@id']}/preview`)).body.approval
    expect(await approval()).toMatchObject({ state: 'needed', limitPercent: 25, limitAmount: 2000 })
    await ask(made)
    const one = await waiting(made)
    expect(await approval()).toMatchObject({ state: 'waiting', request: one['@id'], since: one.createdAt })
    await finance.post(`${one['@id']}/reject`, { reason: 'Too much' })
    expect(await approval()).toMatchObject({ state: 'rejected', answer: 'Too much' })
    expect((await w.api.get(`${(await draft({ coupon: null }))['@id']}/preview`)).body.approval).toBeNull()
  })

  test('a quote with a discount above the limit can be sent once another member of finance staff has approved it', async () => {
    const made = await draft()
    const refused = await send(made)
    expect([refused.status, refused.body.code]).toEqual([409, 'approval_needed'])
    expect(refused.body.detail).toContain('The discount of £22.50 is above the limit')
    expect((await w.api.get(made['@id'])).body.state).toBe('draft')
    expect((await ask(made)).status).toBe(200)
    expect((await ask(made)).status).toBe(409)
    const one = await waiting(made)
    expect(one).toMatchObject({
      subtotal: 4500,
      discount: 2250,
      couponWords: '50% off every payment',
      reason: 'They take three sites',
    })
    expect((await send(made)).body.detail).toContain('waiting for approval')
    expect((await approve(one, w.api)).status).toBe(403)
    const all = await Promise.all([approve(one), approve(one, other)])
    expect(all.map((a) => a.status).toSorted()).toEqual([200, 409])
    expect((await send(made)).status).toBe(200)
  })

  test("a discount can't be approved by the author of the quote or by the requester", async () => {
    const own = (
      await finance.post('/api/financial/quotes', {
        customer: await customer(),
        sendEmail: false,
        plans: [{ plan: w.plan }],
        coupon: half,
      })
    ).body
    expect((await ask(own)).status).toBe(200)
    // The author can't approve the discount, although the author is in finance and another user requested the approval.
    expect((await approve(await waiting(own))).status).toBe(403)
    const mine = await draft()
    await ask(mine, finance)
    expect((await approve(await waiting(mine))).status).toBe(403)
    expect((await approve(await waiting(mine), other)).status).toBe(200)
  })

  test('any change to a quote whose discount was approved, by PUT or PATCH, requires a new approval', async () => {
    const changes: readonly [string, Record<string, unknown>][] = [
      ['put', { plans: [{ plan: w.plan, quantity: 2 }] }],
      [
        'patch',
        {
          plans: [
            { plan: w.plan, quantity: 1 },
            { plan: w.plan, quantity: 5 },
          ],
        },
      ],
      ['put', { additionalItems: [{ description: 'Details', quantity: 1, unitAmount: 100 }] }],
    ]
    for (const [verb, body] of changes) {
      const made = await draft()
      await ask(made)
      await approve(await waiting(made))
      const changed = verb === 'put' ? await w.api.put(made['@id'], body) : await w.api.patch(made['@id'], body)
      expect(changed.status).toBe(200)
      expect([(await send(made)).body.code, body]).toEqual(['approval_needed', body])
      // A new request withdraws the earlier one. If the change is undone, the earlier approval applies again.
      await ask(made)
      await w.api.put(made['@id'], { plans: [{ plan: w.plan }], additionalItems: [] })
      expect((await send(made)).status).toBe(200)
    }
  })

  test('a discount requires approval only if it exceeds the limit as a percentage or as an amount', async () => {
    expect((await send(await draft({ coupon: tenth }))).status).toBe(200)
    // A 10% discount, which here is more than £20.
    const great = await draft({ coupon: tenth, plans: [{ plan: w.plan, quantity: 5 }] })
    expect((await send(great)).body.code).toBe('approval_needed')
    expect((await ask(await draft({ coupon: null }))).status).toBe(409)
  })

  test('a declined discount request shows the reason, and a pending one can be withdrawn by its author', async () => {
    const made = await draft()
    await ask(made)
    const one = await waiting(made)
    expect((await finance.post(`${one['@id']}/reject`, {})).status).toBe(422)
    expect((await finance.post(`${one['@id']}/reject`, { reason: 'Too much' })).status).toBe(200)
    expect((await send(made)).body.detail).toContain('was declined: Too much')
    await ask(made)
    const again = await waiting(made)
    expect((await finance.post(`${again['@id']}/withdraw`, {})).status).toBe(403)
    expect((await w.api.post(`${again['@id']}/withdraw`, {})).status).toBe(200)
    expect((await approve(again)).status).toBe(409)
  })

  test("discount approval can't be bypassed by telephone acceptance, by a revision or by SQL", async () => {
    const made = await draft()
    expect((await w.api.post(`${made['@id']}/accept-by-phone`, { name: 'Ann' })).status).toBe(409)
    expect(
      (await w.api.put(made['@id'], { state: 'open', status: '/api/financial/quote_statuses/2' })).body.state,
    ).toBe('draft')
    await expect(
      w.sql('UPDATE quote SET status_id = 2, sent_at = portal_now() WHERE id = $1', [made.id]),
    ).rejects.toThrow('goes out once it is approved')
    await ask(made)
    const one = await waiting(made)
    await expect(
      w.sql("UPDATE discount_approval SET state = 'approved', decided_by = created_by WHERE id = $1", [one.id]),
    ).rejects.toThrow('discount_approval')
    await expect(w.sql('UPDATE discount_approval SET discount = 1 WHERE id = $1', [one.id])).rejects.toThrow(
      'decided once',
    )
    await approve(one)
    expect((await send(made)).status).toBe(200)
    const revision = (await w.api.post(`${made['@id']}/revise`, {})).body
    expect((await send(revision)).body.code).toBe('approval_needed')
    const copy = (await w.api.post(`${made['@id']}/copy`, {})).body
    expect((await send(copy)).body.code).toBe('approval_needed')
    expect((await w.api.post(`${made['@id']}/accept-by-phone`, { name: 'Ann' })).status).toBe(200)
  })

  test("other clients' discount approvals are not accessible", async () => {
    const made = await draft()
    await ask(made)
    const one = await waiting(made)
    expect((await w.otherStaff.get(one['@id'])).status).toBe(404)
    expect((await w.outsider.get(APPROVALS)).status).toBe(403)
    expect((await w.otherStaff.post(`${made['@id']}/ask-approval`, { reason: 'x' })).status).toBe(404)
  })
})
