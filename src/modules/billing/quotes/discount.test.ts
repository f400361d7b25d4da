import { beforeAll, describe, expect, test } from 'vitest'
import { extractResponseText } from '#test/pdf/words.ts'
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
  const said = await finance.put(settings['@id'], { discountLimitPercent: 25, discountLimitAmount: 20_000 })
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

describe("a quote's own discount", () => {
  const quoted = (values: Record<string, unknown>) =>
    w.api.post('/api/financial/quotes', { customer: w.customer, plans: [{ plan: w.plan }], ...values })

  test('a quote can have a discount without a coupon, for the first, some or every payment', async () => {
    const terms = async (values: Record<string, unknown>) => (await quoted(values)).body.couponTerms
    expect(await terms({ discountPercent: 10 })).toMatchObject({ percentOff: 10, amountOff: null, duration: 'once' })
    expect(await terms({ discountAmount: 4500, discountDuration: 'forever' })).toMatchObject({
      percentOff: null,
      amountOff: 4500,
      currency: 'GBP',
      duration: 'forever',
    })
    const three = { discountPercent: 12.5, discountDuration: 'periods', discountPeriods: 3 }
    expect(await terms(three)).toMatchObject({ duration: 'periods', durationPeriods: 3 })
    const made = (await quoted(three)).body
    expect((await w.api.patch(made['@id'], { discountDuration: 'forever' })).body).toMatchObject({
      discountPeriods: null,
      couponTerms: { duration: 'forever', durationPeriods: null },
    })
    expect((await quoted({ discountPercent: 10, discountPeriods: 3 })).body.discountPeriods).toBeNull()
    expect(await terms({ discountPercent: 0, discountAmount: null, coupon: tenth })).toMatchObject({ name: 'Tenth' })
    expect(await terms({ discountPercent: 0 })).toBeNull()
  })

  test.each([
    [
      { discountPercent: 10, discountAmount: 100 },
      'discountAmount: Enter the discount as a percentage or an amount, not both',
    ],
    [
      { discountPercent: 10, withCoupon: true },
      'discountPercent: This quote has a coupon. Remove the coupon, or leave the discount blank',
    ],
    [
      { discountAmount: 100, withCoupon: true },
      'discountAmount: This quote has a coupon. Remove the coupon, or leave the discount blank',
    ],
    [{ discountPercent: 10, discountDuration: 'periods' }, 'discountPeriods: Please enter the number of payments'],
    [
      { discountAmount: 4501 },
      'discountAmount: The discount can’t be more than £45.00, the price of the lines that it applies to',
    ],
    [
      { discountAmount: 4501, additionalItems: [{ description: 'Visit', unitAmount: 9900, discountable: false }] },
      'discountAmount: The discount can’t be more than £45.00, the price of the lines that it applies to',
    ],
    [{ discountPercent: 12.34567 }, 'discountPercent: The discount can have at most four decimal places.'],
    [{ discountPercent: 101 }, expect.stringContaining('discountPercent: ')],
    [{ discountDuration: 'sometimes' }, expect.stringContaining('discountDuration: ')],
    [
      { plans: [], additionalItems: [{ description: 'Visit', unitAmount: 1, discountPercent: 1.23456 }] },
      'additionalItems[0].discountPercent: The discount percentage can have at most four decimal places.',
    ],
    [
      { plans: [], additionalItems: [{ description: 'Visit', unitAmount: 1, discountPercent: -1 }] },
      expect.stringContaining('additionalItems[0].discountPercent: '),
    ],
  ])(
    'a quote with %j is refused, by whichever request it is saved',
    async ({ withCoupon, ...values }: Record<string, unknown>, why) => {
      const body = withCoupon ? { ...values, coupon: tenth } : values
      const refused = await quoted(body)
      expect([refused.status, refused.body['hydra:description']]).toEqual([422, why])
      const saved = (await quoted({})).body
      for (const again of [await w.api.put(saved['@id'], body), await w.api.patch(saved['@id'], body)])
        expect([again.status, again.body['hydra:description']]).toEqual([422, why])
    },
  )

  test('a discount that the lines no longer allow is refused when the lines change, or at the latest when the quote is sent', async () => {
    const saved = (await quoted({ plans: [{ plan: w.plan, quantity: 2 }], discountAmount: 9000 })).body
    for (const plans of [[{ plan: w.plan }], [{ plan: w.plan, quantity: 2, discountPercent: 1 }]])
      expect((await w.api.put(saved['@id'], { plans })).status).toBe(422)
    await w.api.put(saved['@id'], { plans: [] })
    expect((await w.api.put(saved['@id'], { plans: [{ plan: w.plan }] })).status).toBe(422)
    const coupon = await w.make('/api/financial/coupons', { name: 'Own', percentOff: 10 })
    const copied = (await quoted({ discountAmount: 4500 })).body
    const other = await w.make('/api/financial/customers', { email: `o${process.pid}@acme.example`, coupon })
    const copy = await w.api.post(`${copied['@id']}/copy`, { customer: other })
    expect([copy.status, copy.body.coupon, copy.body.discountAmount]).toEqual([200, null, 4500])
  })

  test("a sent quote's discount can't be changed, and its customer reads it on screen and in print", async () => {
    const plans = [{ plan: w.plan, quantity: 3, discountPercent: 2.5 }]
    const { quote, token } = await w.sent({ plans, discountPercent: 5, discountDuration: 'forever' })
    const { paper } = (await w.portal.anonymous.get(`/api/financial/acceptances/${token}`)).body
    expect(paper).toMatchObject({
      discountWords: '5% off every payment',
      totals: { subtotal: 13_163, lineDiscount: 337, discount: 658 },
      lines: [{ unitAmount: 4500, discountPercent: 2.5, amount: 13_163 }],
    })
    const words = await extractResponseText(await w.api.get(`${quote['@id']}/pdf`))
    for (const said of [
      '2.5%',
      'Before line discounts £135.00',
      'Line discounts −£3.37',
      'Subtotal £131.63',
      '5% off every payment −£6.58',
    ])
      expect(words).toContain(said)
    await expect(w.sql('UPDATE quote SET discount_percent = 6 WHERE id = $1', [quote.id])).rejects.toThrow(
      'as it was sent',
    )
    await expect(w.sql('UPDATE quote_line SET discount_percent = 6 WHERE quote_id = $1', [quote.id])).rejects.toThrow(
      'stand with it',
    )
    expect(await extractResponseText(await w.api.get(`${(await w.sent()).quote['@id']}/pdf`))).not.toContain('Discount')
  })
})

describe('discounts above the limit', () => {
  test('a discount request is sent to every approver at once and counts as an open task, and the requester is notified of the decision', async () => {
    const made = await draft()
    const path = `/invoice/quote/view/${made.id}`
    const waitingFor = async (api: TestApi) => (await api.get(SUMMARY)).body.waiting
    const before = await waitingFor(finance)
    await ask(made)
    for (const api of [finance, other])
      expect(await inboxOf(api)).toContainEqual(
        expect.objectContaining({
          kind: 'discount.waiting',
          words: expect.stringContaining(`£270.00 off ${made.reference}`),
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

  test("a quote's preview shows whether its discount needs approval, is waiting for it or was declined", async () => {
    const made = await draft()
    const approval = async () => (await w.api.get(`${made['@id']}/preview`)).body.approval
    expect(await approval()).toMatchObject({ state: 'needed', limitPercent: 25, limitAmount: 20_000, discount: 27_000 })
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
    expect(refused.body.detail).toContain('The discount of £270.00 in the first year is above the limit')
    expect((await w.api.get(made['@id'])).body.state).toBe('draft')
    expect((await ask(made)).status).toBe(200)
    expect((await ask(made)).status).toBe(409)
    const one = await waiting(made)
    expect(one).toMatchObject({
      subtotal: 54_000,
      discount: 27_000,
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
    // A 10% discount, which here is £270 a year.
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

  test("line discounts and the quote's own discount count towards the limit, whichever request contains them", async () => {
    const plain = () => draft({ coupon: null })
    const line = { plan: w.plan, discountPercent: 26 }
    const ways: readonly (() => Promise<{ '@id': string; id: number }>)[] = [
      () => draft({ coupon: null, plans: [line] }),
      async () => (await w.api.put((await plain())['@id'], { plans: [line] })).body,
      async () => (await w.api.patch((await plain())['@id'], { plans: [line] })).body,
      async () => (await w.api.put((await plain())['@id'], { discountPercent: 26 })).body,
      async () => (await w.api.patch((await plain())['@id'], { discountAmount: 1126 })).body,
      // 20% off the quote after 8% off the line is 26.4% in total, although each is within the limit.
      () => draft({ coupon: null, plans: [{ plan: w.plan, discountPercent: 8 }], discountPercent: 20 }),
      () => draft({ coupon: tenth, plans: [{ plan: w.plan, discountPercent: 20 }] }),
      // £200.01 is a small percentage of the whole quote.
      () =>
        draft({
          coupon: null,
          additionalItems: [{ description: 'Visit', unitAmount: 1_000_000, discountPercent: 2.001 }],
        }),
    ]
    for (const [n, way] of ways.entries()) {
      const made = await way()
      const refused = await send(made)
      expect([n, refused.status, refused.body.code]).toEqual([n, 409, 'approval_needed'])
    }
    const within = await draft({ coupon: null, plans: [{ plan: w.plan, discountPercent: 25 }] })
    expect((await send(within)).status).toBe(200)
    const above = await draft({ coupon: null, plans: [line] })
    await ask(above)
    const one = await waiting(above)
    expect(one).toMatchObject({ subtotal: 54_000, discount: 14_040, couponWords: '26% off 1 line' })
    await approve(one)
    expect((await send(above)).status).toBe(200)
    for (const action of ['revise', 'copy'])
      expect((await send((await w.api.post(`${above['@id']}/${action}`, {})).body)).body.code).toBe('approval_needed')
  })

  test('an approval does not cover an equal discount on another line or on the whole quote, or for more payments', async () => {
    const folders = { description: 'Folders', unitAmount: 4500 }
    const made = await draft({ coupon: null, additionalItems: [{ ...folders, discountPercent: 50 }] })
    await ask(made)
    await approve(await waiting(made))
    const own = await draft({ coupon: null, discountPercent: 50 })
    await ask(own)
    await approve(await waiting(own))
    await w.api.patch(own['@id'], { discountDuration: 'forever' })
    expect((await send(own)).body.code).toBe('approval_needed')
    await w.api.patch(own['@id'], { discountDuration: 'once' })
    expect((await send(own)).status).toBe(200)
    const moves: readonly Record<string, unknown>[] = [
      { plans: [{ plan: w.plan, discountPercent: 50 }], additionalItems: [folders] },
      { plans: [{ plan: w.plan }], additionalItems: [folders], discountAmount: 2250 },
    ]
    for (const move of moves) {
      const moved = await w.api.put(made['@id'], move)
      expect([moved.status, moved.body.totals.gross]).toEqual([200, made.totals.gross])
      expect([(await send(made)).body.code, move]).toEqual(['approval_needed', move])
    }
    const unapproved = await draft({ coupon: null, plans: [{ plan: w.plan, discountPercent: 26 }] })
    await expect(
      w.sql('UPDATE quote SET status_id = 2, sent_at = portal_now() WHERE id = $1', [unapproved.id]),
    ).rejects.toThrow('goes out once it is approved')
  })

  test('an approval does not cover the same discount on other items or for another customer', async () => {
    const item = (description: string) => ({ description, quantity: 1, unitAmount: 100_000 })
    const made = await draft({ additionalItems: [item('Site visits')] })
    await ask(made)
    expect((await approve(await waiting(made))).status).toBe(200)
    const put = (body: Record<string, unknown>) => w.api.put(made['@id'], body)
    expect((await put({ additionalItems: [item('Gold bars')] })).status).toBe(200)
    expect((await send(made)).body.code).toBe('approval_needed')
    await put({ additionalItems: [item('Site visits')], customer: await customer() })
    expect((await send(made)).body.code).toBe('approval_needed')
    await put({ customer: made.customer['@id'] })
    expect((await send(made)).status).toBe(200)
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
