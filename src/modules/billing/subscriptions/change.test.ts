import { beforeAll, describe, expect, test } from 'vitest'
import { raiseMoneyLimit } from '#test/support/invoices.ts'
import { createSubscriptionSteps, makeSalesWorld, type SalesWorld } from '#test/support/sales.ts'

let w: SalesWorld
beforeAll(async () => {
  w = await makeSalesWorld()
  await raiseMoneyLimit(w)
})

const today = () => Temporal.Now.plainDateISO('Europe/London')

const { begun, preview, change, read, charged } = createSubscriptionSteps(() => w)

describe('subscription changes', () => {
  test('a subscription change is previewed line by line and applied as previewed', async () => {
    const one = await begun()
    const talks = await w.plan2({ name: 'Talks', amount: 2000 })
    const { body } = await preview(one, { way: 'add', plan: talks, quantity: 3 }, w.api)
    const whole = `${today().toLocaleString('en-GB')} to`
    expect(body).toMatchObject({
      net: 6000,
      tax: 1200,
      gross: 7200,
      invoiced: 7200,
      credited: 0,
      sentence: 'Talks × 3 added.',
    })
    expect(body.lines).toEqual([
      { sentence: expect.stringContaining(`Talks × 3: full period, ${whole}`), net: 6000, tax: 1200 },
    ])
    const done = await w.api.post(`${one['@id']}/change`, { way: 'add', plan: talks, quantity: 3, token: body.token })
    expect([done.status, done.body.amount, done.body.items.length]).toEqual([200, 15_000, 2])
    const [last] = await w.all(`/api/financial/subscription_changes?subscription=${one.id}`)
    expect(last).toMatchObject({ kind: 'add', net: 6000, invoice: { state: 'open', total: 7200 }, lines: body.lines })
  })

  test('a subscription change is rejected if its amount or the subscription has changed since the preview', async () => {
    const one = await begun()
    const talks = await w.plan2({ name: 'Dearer talks', amount: 2000 })
    const asked = { way: 'add', plan: talks }
    const { token } = (await preview(one, asked)).body
    await w.finance.put(talks, { amount: 2001 })
    const refused = await w.finance.post(`${one['@id']}/change`, { ...asked, token })
    expect([refused.status, refused.body.code]).toEqual([409, 'preview_outdated'])
    const more = (await preview(one, { ...asked, quantity: 2 })).body
    expect((await w.finance.post(`${one['@id']}/change`, { ...asked, token: more.token })).status).toBe(409)
    const seen = (await preview(one, asked)).body
    await change(one, { way: 'quantity', item: one.items[0]['@id'], quantity: 9 })
    expect((await w.finance.post(`${one['@id']}/change`, { ...asked, token: seen.token })).body.code).toBe(
      'preview_outdated',
    )
    expect((await w.finance.post(`${one['@id']}/change`, asked)).status).toBe(422)
  })

  test('of two simultaneous subscription changes with the same preview, only one is applied', async () => {
    const one = await begun()
    const asked = { way: 'quantity', item: one.items[0]['@id'], quantity: 5 }
    const { token } = (await preview(one, asked)).body
    const both = await Promise.all([1, 2].map(() => w.finance.post(`${one['@id']}/change`, { ...asked, token })))
    expect(both.map((a) => a.status).sort()).toEqual([200, 409])
    expect(await charged(one)).toBe(4500 * 5)
  })

  test('reducing a subscription creates a credit note and requires the finance role', async () => {
    const one = await begun()
    const asked = { way: 'quantity', item: one.items[0]['@id'], quantity: 1, credit: true }
    const seen = (await preview(one, asked, w.api)).body
    expect(seen).toMatchObject({ net: -4500, needsFinance: true, credited: 10_800, invoiced: 5400, unused: 5400 })
    expect((await w.api.post(`${one['@id']}/change`, { ...asked, token: seen.token })).status).toBe(403)
    expect((await change(one, asked)).status).toBe(200)
    expect(await charged(one)).toBe(4500)
    const [last] = await w.all(`/api/financial/subscription_changes?subscription=${one.id}`)
    expect(last.creditNotes).toMatch(/^CN-\d+$/)
  })

  test('any series of subscription changes undone on the same day costs nothing', async () => {
    const coupon = await w.make('/api/financial/coupons', { name: 'Ten', percentOff: 10, duration: 'forever' })
    const one = await begun({ coupon })
    const other = await w.plan2({ name: 'Users', amount: 3333 })
    const item = async (name: string) =>
      (await read(one)).items.find(
        (i: { description: string; until: string | null }) => i.description === name && i.until === null,
      )['@id']
    const steps = [
      async () => ({ way: 'add', plan: other, quantity: 7 }),
      async () => ({ way: 'quantity', item: await item('Safety pack'), quantity: 3, credit: true }),
      async () => ({ way: 'remove', item: await item('Users'), credit: true }),
      async () => ({ way: 'swap', item: await item('Safety pack'), plan: other, quantity: 2, credit: true }),
      async () => ({ way: 'pause' }),
      async () => ({ way: 'resume' }),
      async () => ({ way: 'swap', item: await item('Users'), plan: w.plan, quantity: 2 }),
    ]
    const came: number[] = []
    for (const step of steps) {
      const done = await change(one, await step())
      expect([done.status, done.text]).toEqual([200, expect.anything()])
      came.push(await charged(one))
    }
    const off = (pence: number) => pence - Math.round(pence / 10)
    expect(came).toEqual([9000 + 23_331, 13_500 + 23_331, 13_500, 6666, 0, 6666, 9000].map(off))
    const items = (await read(one)).items
    expect(
      items.map((i: { description: string; quantity: number; until: unknown }) => [i.description, i.quantity, i.until]),
    ).toEqual([['Safety pack', 2, null]])
  })

  test("a line's discount stays with its item when the quantity changes, and ends when the plan is switched", async () => {
    const plan = await w.plan2({ name: 'Rebated', amount: 2499 })
    const other = await w.plan2({ name: 'At list price', amount: 2499 })
    const one = await begun({ plans: [{ plan, quantity: 3, discountPercent: 12.5 }] })
    expect([one.amount, one.items[0].discountPercent, await charged(one)]).toEqual([6560, 12.5, 6560])
    const item = async () => (await read(one)).items.find((i: { until: string | null }) => i.until === null)
    expect((await change(one, { way: 'quantity', item: one.items[0]['@id'], quantity: 5 })).status).toBe(200)
    // 5 × £24.99 × 87.5% = £109.33.
    expect([(await read(one)).amount, (await item()).discountPercent, await charged(one)]).toEqual([
      10_933, 12.5, 10_933,
    ])
    const { body } = await preview(one, {
      way: 'quantity',
      item: (await item())['@id'],
      quantity: 1,
      when: 'nextPeriod',
    })
    expect([body.perPeriod, body.perNextPeriod]).toEqual([10_933, 2187])
    await change(one, { way: 'pause' })
    await change(one, { way: 'resume' })
    expect([(await item()).discountPercent, await charged(one)]).toEqual([12.5, 10_933])
    await change(one, { way: 'swap', item: (await item())['@id'], plan: other })
    expect([(await read(one)).amount, (await item()).discountPercent, await charged(one)]).toEqual([
      12_495,
      null,
      12_495,
    ])
  })

  test('an impossible subscription change is rejected with the reason', async () => {
    const one = await begun()
    const item = one.items[0]['@id']
    const yearly = await w.plan2({ name: 'By the year', amount: 100, interval: 'year' })
    const euros = await w.plan2({ name: 'In euros', amount: 100, currency: 'EUR' })
    const gone = await w.plan2({ name: 'Gone', amount: 100, retired: true })
    const why = async (body: Record<string, unknown>) => {
      const { status, body: answer } = await preview(one, body)
      return [status, answer['hydra:description']]
    }
    expect(await why({ way: 'add', plan: yearly })).toEqual([
      422,
      expect.stringContaining('“By the year” is billed every year, but this subscription is billed every month.'),
    ])
    expect(await why({ way: 'add', plan: euros })).toEqual([
      422,
      'plan: “In euros” is in EUR, but this subscription is in GBP',
    ])
    expect(await why({ way: 'add', plan: gone })).toEqual([422, expect.stringContaining('no longer sold')])
    expect(await why({ way: 'add', plan: w.plan })).toEqual([422, expect.stringContaining('is already included')])
    expect(await why({ way: 'remove', item })).toEqual([
      422,
      expect.stringContaining('Cancel the subscription instead'),
    ])
    expect(await why({ way: 'quantity', item, quantity: 2 })).toEqual([
      422,
      'quantity: This is the current quantity. Enter a different quantity',
    ])
    for (const quantity of [0, -1, 1.5, 1e15])
      expect((await preview(one, { way: 'quantity', item, quantity })).status).toBeGreaterThanOrEqual(400)
    const other = await begun()
    expect(await why({ way: 'quantity', item: other.items[0]['@id'], quantity: 5 })).toEqual([
      422,
      expect.stringContaining('one of the current items'),
    ])
    expect(await why({ way: 'resume' })).toEqual([409, 'This subscription is not paused.'])
    expect(await why({ way: 'keep' })).toEqual([409, expect.stringContaining('not set to end')])
    expect((await w.otherStaff.post(`${one['@id']}/preview`, { way: 'pause' })).status).toBe(404)
    expect((await w.outsider.post(`${one['@id']}/preview`, { way: 'pause' })).status).toBe(403)
  })
})

describe('cancelling subscriptions', () => {
  test('cancelling a subscription requires a reason, which is stored on it and in its history until the cancellation is withdrawn', async () => {
    const one = await begun()
    const asked = { way: 'cancelAtPeriodEnd' }
    const refused = async (more: Record<string, unknown>) => {
      const { token } = (await preview(one, asked)).body
      return (await w.api.post(`${one['@id']}/change`, { ...asked, ...more, token })).body['hydra:description']
    }
    expect(await refused({})).toBe('reason: Please choose the reason for cancelling')
    expect(await refused({ reason: 'other', notes: ' ' })).toBe('notes: Please describe the reason')
    const notes = 'Moves abroad'
    expect((await change(one, { ...asked, reason: 'other', notes }, w.api)).status).toBe(200)
    expect(await read(one)).toMatchObject({ cancelReason: 'other', cancelNotes: notes })
    await change(one, { way: 'keep' })
    expect(await read(one)).toMatchObject({ cancelReason: null, cancelNotes: '' })
    expect((await w.api.post(`${one['@id']}/cancel`, {})).status).toBe(422)
    expect((await w.api.post(`${one['@id']}/cancel`, { reason: 'merged' })).body.cancelReason).toBe('merged')
    const history = await w.all(`/api/financial/subscription_changes?subscription=${one.id}`)
    expect(history.map((c) => [c.kind, c.reason, c.notes])).toEqual([
      ['cancelNow', 'merged', ''],
      ['keep', null, ''],
      ['cancelAtPeriodEnd', 'other', notes],
      ['started', null, ''],
    ])
  })

  test('a reason that only the portal may give, or that is untrue, is refused by every way of cancelling', async () => {
    const one = await begun()
    const NOT_OVERDUE = 'reason: No invoice of this subscription is overdue. Please choose another reason'
    const change = async (way: string, reason: string) => {
      const { token } = (await preview(one, { way })).body
      return w.finance.post(`${one['@id']}/change`, { way, token, reason })
    }
    for (const [reason, sentence] of [
      ['notRecorded', 'reason: Please select one of the options'],
      ['unpaid', NOT_OVERDUE],
    ] as const)
      for (const answer of [
        await change('cancelNow', reason),
        await change('cancelAtPeriodEnd', reason),
        await w.finance.post(`${one['@id']}/cancel`, { reason }),
        await w.finance.delete(`${one['@id']}?reason=${reason}`),
      ])
        expect([answer.status, answer.body['hydra:description']]).toEqual([422, sentence])
    expect(await read(one)).toMatchObject({ status: 'active', cancelReason: null, cancelAtPeriodEnd: false })
    await w.sql("UPDATE subscription SET status = 'past_due', past_due_on = current_date WHERE id = $1", [one.id])
    expect((await w.finance.post(`${one['@id']}/cancel`, { reason: 'unpaid' })).status).toBe(200)
  })

  test('DELETE takes an optional reason: without one, it retains the known reason or records that none is known', async () => {
    const [one, two, three] = [await begun(), await begun(), await begun()]
    await w.api.delete(one['@id'])
    expect(await read(one)).toMatchObject({ cancelReason: 'notRecorded' })
    await w.api.delete(`${two['@id']}?reason=closed`)
    expect(await read(two)).toMatchObject({ cancelReason: 'closed' })
    await change(three, { way: 'cancelAtPeriodEnd', reason: 'service' })
    await w.api.delete(three['@id'])
    expect(await read(three)).toMatchObject({ cancelReason: 'service' })
    expect((await w.api.delete(`${(await begun())['@id']}?reason=bored`)).status).toBe(422)
  })

  test('DELETE cancels a subscription immediately and leaves it readable', async () => {
    const one = await begun()
    const before = await charged(one)
    expect((await w.otherStaff.delete(one['@id'])).status).toBe(404)
    expect((await w.outsider.delete(one['@id'])).status).toBe(403)
    const gone = await w.api.delete(one['@id'])
    expect([gone.status, gone.text]).toEqual([204, ''])
    expect(await read(one)).toMatchObject({ status: 'cancelled', endedOn: today().toString() })
    const again = await w.api.delete(one['@id'])
    expect([again.status, again.body.code]).toEqual([409, 'wrong_state'])
    expect(await charged(one)).toBe(before)
    expect((await preview(one, { way: 'pause' })).status).toBe(409)
  })

  test('cancelling a subscription immediately can include a credit for the remaining days', async () => {
    const one = await begun()
    const seen = (await preview(one, { way: 'cancelNow', credit: true })).body
    expect(seen).toMatchObject({ net: -9000, credited: 10_800, invoiced: 0 })
    expect((await change(one, { way: 'cancelNow', credit: true }, w.api)).status).toBe(403)
    expect((await change(one, { way: 'cancelNow', credit: true })).status).toBe(200)
    expect(await charged(one)).toBe(0)
  })

  test('a subscription cancelled at the end of its period continues until then, and the cancellation can be undone', async () => {
    const one = await begun()
    expect((await change(one, { way: 'cancelAtPeriodEnd' }, w.api)).body).toMatchObject({
      status: 'active',
      cancelAtPeriodEnd: true,
    })
    expect((await change(one, { way: 'keep' }, w.api)).body.cancelAtPeriodEnd).toBe(false)
  })

  test('the database rejects changes to a cancelled subscription', async () => {
    const one = await begun()
    await w.api.delete(one['@id'])
    const touch = (text: string) => w.sql(text, [one.id])
    await expect(touch('UPDATE subscription SET amount = 1 WHERE id = $1')).rejects.toThrow(/stands as it ended/)
    await expect(
      touch("UPDATE subscription SET status = 'active', cancelled_at = NULL, ended_on = NULL WHERE id = $1"),
    ).rejects.toThrow(/stands as it ended/)
    await expect(touch('DELETE FROM subscription WHERE id = $1')).rejects.toThrow(/stands as it ended/)
    const live = await begun()
    const items = (text: string) => w.sql(text, [live.id])
    await expect(items('UPDATE subscription_item SET amount = 1 WHERE subscription_id = $1')).rejects.toThrow(
      /what was charged/,
    )
    await expect(
      items('UPDATE subscription_item SET ends_on = first_day - 3 WHERE subscription_id = $1'),
    ).rejects.toThrow(/what was charged/)
    await items(
      'UPDATE subscription SET current_from = current_from + 3, anchor = anchor + 3, renews_on = renews_on + 3 WHERE id = $1',
    )
    await expect(items('DELETE FROM subscription_item WHERE subscription_id = $1')).rejects.toThrow(/what was charged/)
    await expect(items('UPDATE subscription_change SET net = 1 WHERE subscription_id = $1')).rejects.toThrow(
      /permission denied/,
    )
  })
})

describe('trial subscriptions', () => {
  test('a trial subscription is changed and cancelled free of charge', async () => {
    const at = Math.floor(Date.now() / 1000) + 20 * 86_400
    const one = await begun({ billingCycleAnchor: at, prorate: false })
    expect(one.status).toBe('trialing')
    const item = one.items[0]['@id']
    expect((await preview(one, { way: 'quantity', item, quantity: 9 })).body).toMatchObject({ lines: [], gross: 0 })
    expect((await change(one, { way: 'quantity', item, quantity: 9 }, w.api)).body.amount).toBe(4500 * 9)
    expect((await w.api.delete(one['@id'])).status).toBe(204)
    expect(await charged(one)).toBe(0)
  })

  test('a subscription with a pro-rata start is not a trial and can be cancelled free of charge on its first day', async () => {
    const at = Math.floor(Date.now() / 1000) + 20 * 86_400
    const one = await begun({ billingCycleAnchor: at, prorate: true })
    expect(one.status).toBe('active')
    await w.api.delete(one['@id'])
    expect(await charged(one)).toBe(0)
  })
})

describe('customers with subscriptions', () => {
  test("a customer with a subscription that isn't cancelled can't be retired", async () => {
    const one = await begun({ billingCycleAnchor: Math.floor(Date.now() / 1000) + 20 * 86_400, prorate: false })
    const refused = await w.api.put(one.customer['@id'], { retired: true })
    expect([refused.status, refused.body['hydra:description']]).toEqual([
      409,
      'This customer has a subscription billed every month. Cancel that subscription first.',
    ])
    await w.api.delete(one['@id'])
    expect((await w.api.put(one.customer['@id'], { retired: true })).status).toBe(200)
  })
})

describe('subscription lists', () => {
  test("a customer's subscriptions can be listed but not created or changed directly", async () => {
    const one = await begun()
    const id = one.customer['@id'].split('/').at(-1)
    expect((await w.all(`/api/financial/customers/${id}/subscriptions`)).map((s) => s.id)).toEqual([one.id])
    expect((await w.all(`/api/financial/subscriptions?customer=${id}&status=active`)).map((s) => s.id)).toEqual([
      one.id,
    ])
    expect((await w.otherStaff.get(`/api/financial/customers/${id}/subscriptions`)).status).toBe(404)
    expect((await w.otherStaff.get(one['@id'])).status).toBe(404)
    expect((await w.outsider.get('/api/financial/subscriptions')).status).toBe(403)
    expect((await w.finance.post('/api/financial/subscriptions', {})).status).toBe(405)
    expect((await w.finance.put(one['@id'], { status: 'paused' })).status).toBe(405)
  })
})
