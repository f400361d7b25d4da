import { beforeAll, expect, test } from 'vitest'
import type { TestApi } from '#test/support/portal.ts'
import { createSubscriptionSteps, makeSalesWorld, type SalesWorld } from '#test/support/sales.ts'

let w: SalesWorld
const { begun, preview, change, read } = createSubscriptionSteps(() => w)

const LIMIT_PENCE = 100_000
let approver: TestApi
beforeAll(async () => {
  w = await makeSalesWorld()
  approver = w.sellers.as(await w.sellers.user({ roles: ['ROLE_STAFF', 'ROLE_FINANCE'] }))
  const [settings] = await w.all('/api/financial/quote_settings')
  const limits = { discountLimitPercent: 25, discountLimitAmount: LIMIT_PENCE }
  const saved = await w.finance.put(settings['@id'], limits)
  if (saved.status !== 200) throw new Error(saved.text)
})
const APPROVALS = '/api/financial/discount_approvals'
const discounted = (discountPercent: number) =>
  begun({ plans: [{ plan: w.plan }], discountPercent, discountDuration: 'forever' })
const grow = (of: { items: { '@id': string }[] }, quantity: number, when = 'now') => ({
  way: 'quantity',
  item: of.items[0]?.['@id'],
  quantity,
  when,
})
const approveFor = async (one: { '@id': string; quote: { '@id': string } }, body: Record<string, unknown>) => {
  expect((await w.api.post(`${one['@id']}/ask-approval`, { ...body, reason: 'Three sites' })).status).toBe(200)
  const [request] = await w.all(`${APPROVALS}?quote=${one.quote['@id'].split('/').at(-1)}&state=waiting`)
  expect((await w.api.post(`${request['@id']}/approve`, {})).status).toBe(403)
  expect((await approver.post(`${request['@id']}/approve`, {})).status).toBe(200)
  return request
}

test('more seats, a dearer plan and an added plan need approval if their discount is above the limit', async () => {
  const dearer = await w.plan2({ name: 'Dearer pack', amount: 90_000 })
  const one = await discounted(25)
  const ways = [
    grow(one, 100),
    grow(one, 100, 'nextPeriod'),
    { way: 'swap', item: one.items[0]['@id'], plan: dearer },
    { way: 'add', plan: dearer, quantity: 2 },
  ]
  for (const body of ways)
    for (const api of [w.api, w.finance])
      expect([(await change(one, body, api)).body.code, body]).toEqual(['approval_needed', body])
  expect((await read(one)).items).toHaveLength(1)
  // 25% of 7 × £45 a month is £945 a year.
  expect((await preview(one, grow(one, 7))).body.approval).toBeNull()
  expect((await change(one, grow(one, 7), w.api)).status).toBe(200)
})

test('an approval covers exactly the approved items, and a reduction needs no approval', async () => {
  const one = await discounted(25)
  const body = grow(one, 100)
  expect((await preview(one, body)).body.approval).toMatchObject({ state: 'needed', discount: 1_350_000 })
  expect(await approveFor(one, body)).toMatchObject({
    discount: 1_350_000,
    couponWords: '25% off every payment for Safety pack × 100',
  })
  expect((await preview(one, body)).body.approval).toMatchObject({ state: 'approved' })
  expect((await change(one, grow(one, 101), w.api)).body.code).toBe('approval_needed')
  expect((await change(one, body, w.api)).status).toBe(200)
  const now = { items: [(await read(one)).items.find(({ until }: { until: string | null }) => until === null)] }
  expect((await change(one, grow(now, 60), w.api)).status).toBe(200)
  expect((await w.api.post(`${one['@id']}/ask-approval`, { ...grow(now, 1), reason: 'x' })).status).not.toBe(200)
})

test('free time before billing starts counts as a discount on added seats', async () => {
  const billingCycleAnchor = Math.floor(Date.now() / 1000) + 5 * 86_400
  const one = await begun({ plans: [{ plan: w.plan }], billingCycleAnchor, prorate: false })
  expect(one.status).toBe('trialing')
  expect((await change(one, grow(one, 100), w.api)).status).toBe(200)
  const many = grow({ items: (await read(one)).items }, 1000)
  expect((await preview(one, many)).body.approval).toMatchObject({ state: 'needed' })
  expect((await change(one, many, w.api)).body.code).toBe('approval_needed')
})
