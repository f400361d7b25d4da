import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { moveClock } from '#server/engine/clock.ts'
import { makeSalesWorld, type SalesWorld } from '#test/support/sales.ts'
import { RENEWALS_URL, type RenewalTotal, type UpcomingRenewal } from './risk.ts'

let w: SalesWorld
beforeAll(async () => {
  w = await makeSalesWorld()
})
afterEach(() => moveClock(w.portal.engine, 0))

const sold = async (plan: Record<string, unknown>, quantity = 1) => {
  const customer = await w.buyer()
  const { subscriptions, invoices } = await w.sold({ customer, plans: [{ plan: await w.plan2(plan), quantity }] })
  return { customer, subscription: subscriptions[0], invoice: invoices[0] }
}
const read = async (query = '') =>
  (await w.api.get(`${RENEWALS_URL}${query}`)).body as { rows: UpcomingRenewal[]; sums: RenewalTotal[]; total: number }
const find = async (of: { '@id': string }) => (await read()).rows.find((row) => row['@id'] === of['@id'])
const cancelAtEnd = async (of: { '@id': string }) => {
  const body = { way: 'cancelAtPeriodEnd' }
  const { token } = (await w.finance.post(`${of['@id']}/preview`, body)).body
  expect((await w.finance.post(`${of['@id']}/change`, { ...body, reason: 'competitor', token })).status).toBe(200)
}

describe('the renewals report', () => {
  test('the renewals report lists subscriptions due within ninety days with their annual value', async () => {
    const monthly = await sold({ name: 'By the month', amount: 2000 }, 2)
    const yearly = await sold({ name: 'By the year', amount: 90_000, interval: 'year' })
    expect(await find(monthly.subscription)).toMatchObject({ yearly: 48_000, risk: 0, band: 'low', signs: [] })
    expect(await find(yearly.subscription)).toBeUndefined()
    await moveClock(w.portal.engine, 280)
    expect(await find(yearly.subscription)).toMatchObject({ yearly: 90_000, interval: 'year' })
  })

  test("a renewal's risk is the sum of the points for its warning signs, up to a hundred", async () => {
    const { customer, subscription } = await sold({ name: 'At risk', amount: 1000 })
    const id = Number(customer.split('/').at(-1))
    await cancelAtEnd(subscription)
    expect(await find(subscription)).toMatchObject({ risk: 50, band: 'high', signs: ['ends'] })
    const client = await w.portal.client({ company: 'Quiet Ltd' })
    await w.sql('UPDATE customer SET account_id = $2 WHERE id = $1', [id, client.id])
    expect(await find(subscription)).toMatchObject({ risk: 65, signs: ['ends', 'quiet'] })
    const person = await client.user({ roles: ['ROLE_CLIENT_ADMIN'] })
    await w.sql('UPDATE user_account SET last_login_at = portal_now() WHERE client_id = $1 AND id = $2', [
      client.id,
      person.id,
    ])
    expect(await find(subscription)).toMatchObject({ risk: 50, signs: ['ends'] })
    await w.sql(
      `INSERT INTO card (client_id, customer_id, brand, last4, exp_month, exp_year, gateway, gateway_id, is_default)
       SELECT client_id, id, 'visa', '4242', extract(month FROM portal_now())::int, extract(year FROM portal_now())::int, 'test', 'pm_test_' || id, true FROM customer WHERE id = $1`,
      [id],
    )
    // A card is valid until the end of its expiry month, so whether it is still valid for the next period depends on
    // today's date.
    const { renewsOn } = subscription
    const today = Temporal.Now.plainDateISO('Europe/London')
    const expires = today.with({ day: 1 }).add({ months: 1 }).toString() <= renewsOn
    expect((await find(subscription))?.signs).toEqual(expires ? ['ends', 'card'] : ['ends'])
    await w.sql('UPDATE card SET exp_year = exp_year - 1 WHERE customer_id = $1', [id])
    expect(await find(subscription)).toMatchObject({ risk: 65, signs: ['ends', 'card'] })
    await moveClock(w.portal.engine, 20)
    expect(await find(subscription)).toMatchObject({ risk: 90, signs: ['ends', 'overdue', 'card'] })
    await w.sql(
      `INSERT INTO charge (client_id, customer_id, card_id, method, amount, currency, state, gateway, failure)
       SELECT client_id, customer_id, id, 'card', 1200, 'GBP', 'failed', 'test', 'No' FROM card WHERE customer_id = $1`,
      [id],
    )
    expect(await find(subscription)).toMatchObject({ risk: 100, signs: ['ends', 'overdue', 'failed', 'card'] })
  })

  test('the renewals report can be sorted and exported, and its totals equal the sum of its rows', async () => {
    const small = await sold({ name: '=1+1', amount: 100 })
    const great = await sold({ name: 'Great', amount: 9_000_000 })
    await cancelAtEnd(small.subscription)
    const place = async (order: string) => {
      const { rows } = await read(`?order=${order}`)
      const at = (of: { '@id': string }) => rows.findIndex((row) => row['@id'] === of['@id'])
      return at(small.subscription) - at(great.subscription)
    }
    expect(await place('value')).toBeGreaterThan(0)
    expect(await place('risk')).toBeLessThan(0)
    const { sums, total } = await read()
    expect(sums.reduce((n, s) => n + s.subscriptions, 0)).toBe(total)
    const high = await read('?band=high')
    expect(high.rows.every((row) => row.risk >= 50)).toBe(true)
    expect(high.rows.reduce((n, row) => n + row.yearly, 0)).toBe(sums.find((s) => s.band === 'high')?.yearly)
    const file = await w.api.get(`${RENEWALS_URL}/export.csv?order=value`)
    expect(file.headers['content-type']).toContain('text/csv')
    expect(file.text.trim().split('\r\n')).toHaveLength(total + 1)
    expect(file.text.split('\r\n')[1]).toContain(',1080000.00,')
    for (const wrong of ['?order=alphabet', '?band=none', '?page=0', '?page=x'])
      expect((await w.api.get(`${RENEWALS_URL}${wrong}`)).status).toBe(400)
  })

  test("other clients' renewals are not accessible", async () => {
    const { subscription } = await sold({ name: 'Ours', amount: 1000 })
    const { body } = await w.otherStaff.get(RENEWALS_URL)
    expect(body.rows.some((row: UpcomingRenewal) => row['@id'] === subscription['@id'])).toBe(false)
    expect((await w.outsider.get(RENEWALS_URL)).status).toBe(403)
  })
})
