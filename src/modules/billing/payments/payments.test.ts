import { beforeEach, describe, expect, test } from 'vitest'
import { moveClock } from '#server/engine/clock.ts'
import {
  createCustomer,
  expectBalanced,
  issueTestInvoice,
  loadLedgerEntries,
  saveTestCard,
} from '#test/support/payments.ts'
import { testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const MONEY = ['ROLE_STAFF', 'ROLE_FINANCE']
const { provider } = portal
const staff = provider.as(await provider.user({ roles: ['ROLE_STAFF'] }))
const money = provider.as(await provider.user({ roles: MONEY }))
const boss = provider.as(await provider.user({ roles: [...MONEY, 'ROLE_BILLING_ADMIN'] }))

const CHARGES = '/api/financial/charges'
const REFUNDS = '/api/financial/refunds'

/** Creates a customer with a test card and an invoice. `number` is the card number; `pence` is the invoice amount. */
async function owing(pence: number, number = '4242424242424242') {
  const customer = await createCustomer(staff)
  const card = await saveTestCard(portal, staff, customer, number)
  const invoice = await issueTestInvoice(money, customer, pence)
  const pay = (more: Record<string, unknown> = {}, headers = {}, api = staff) =>
    api.post(CHARGES, { customer, invoice: invoice['@id'], card, amount: pence, ...more }, headers)
  return { customer, card, invoice, pay }
}
const paid = async (pence: number, number?: string) => {
  const all = await owing(pence, number)
  const made = await all.pay()
  expect([made.status, made.body.state]).toEqual([201, 'succeeded'])
  return { ...all, charge: made.body as { '@id': string; id: number } }
}
const look = async (iri: string) => (await money.get(iri)).body
const later = async (days: number) => {
  await moveClock(portal.engine, days)
  await portal.runSchedule('test-gateway-events')
  await portal.drain()
}

describe('card payments', () => {
  test('a successful card payment settles the invoice and is posted with its fee', async () => {
    const { customer, invoice, pay } = await owing(12_000)
    const made = await pay({ amountDue: 12_000, metadata: { notes: 'By telephone', createdBy: 'somebody else' } })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      state: 'succeeded',
      method: 'card',
      amount: 12_000,
      refundable: 12_000,
      amountSettled: 12_000,
      gateway: 'test',
      fee: 200,
      metadata: { notes: 'By telephone' },
    })
    expect(made.body.metadata.createdBy).toBe(made.body.createdBy)
    expect(made.body.createdBy).not.toBe('somebody else')
    expect(made.body).not.toHaveProperty('key')
    expect(await look(invoice['@id'])).toMatchObject({ state: 'paid', amountDue: 0 })
    expect((await look(customer)).accountBalance).toBe(0)
    expect(await loadLedgerEntries(portal, 'Charge', made.body.id)).toEqual([
      ['charge', 'clearing', 12_000],
      ['charge', 'receivable', -12_000],
      ['fee', 'clearing', -200],
      ['fee', 'fees', 200],
    ])
    expect((await staff.get(`${invoice['@id']}/charges`)).body['hydra:member']).toMatchObject([{ id: made.body.id }])
  })

  test('a declined card payment states the reason, leaves the invoice open and can be retried', async () => {
    const { invoice, pay } = await owing(5000, '4000000000000341')
    const key = { 'idempotency-key': `declined-${Date.now()}` }
    const made = await pay({}, key)
    expect([made.status, made.body.code, made.body['hydra:description']]).toEqual([
      422,
      'payment_refused',
      'Your card was declined.',
    ])
    expect(await look(made.body.charge)).toMatchObject({
      state: 'failed',
      failure: 'Your card was declined.',
      hard: false,
    })
    expect((await look(invoice['@id'])).state).toBe('open')
    const again = await pay({}, key)
    expect([again.status, again.headers['idempotency-replayed']]).toEqual([422, undefined])
    expect(again.body.charge).not.toBe(made.body.charge)
  })

  test("a card's permanent decline is reported as permanent", async () => {
    const { pay } = await owing(5000, '4000000000009979')
    const made = await pay()
    expect(await look(made.body.charge)).toMatchObject({ state: 'failed', hard: true })
  })

  test('a payment submitted twice is charged once, with or without an idempotency key', async () => {
    const { customer, invoice, pay } = await owing(7000)
    const key = { 'idempotency-key': `twice-${Date.now()}` }
    const [first, second] = [await pay({}, key), await pay({}, key)]
    expect([first.status, second.status, second.headers['idempotency-replayed']]).toEqual([201, 201, 'true'])
    expect(second.body).toEqual(first.body)
    expect((await pay()).status).toBe(409)
    expect((await money.get(`${customer}/charges`)).body['hydra:totalItems']).toBe(1)
    const other = await owing(7000)
    const both = await Promise.all(Array.from({ length: 5 }, () => other.pay()))
    expect(both.map((a) => a.status).toSorted()).toEqual([201, 409, 409, 409, 409])
    expect((await look(invoice['@id'])).amountPaid).toBe(7000)
  })

  test.each([
    ['nothing', { amount: 0 }, 422],
    ['a negative amount', { amount: -1 }, 422],
    ['a fraction of a penny', { amount: 10.5 }, 400],
    ['an amount given as text', { amount: '100' }, 400],
    ['an amount above the maximum', { amount: 1e15 }, 422],
    ['a missing amount', { amount: null }, 422],
    ['an amount above the amount due', { amount: 5001 }, 422],
    ['an amount below the card minimum', { amount: 29 }, 422],
    ['an amount in another currency', { currency: 'EUR' }, 422],
    ['an amount in an unknown currency', { currency: 'XXX' }, 422],
    ['an outdated amount due', { amountDue: 4999 }, 409],
    ['an unknown invoice', { invoice: '/api/financial/invoices/999999999' }, 404],
    ['an unknown card', { card: '/api/financial/cards/999999999' }, 400],
    ['no card', { card: null }, 422],
    ['an unknown payment method', { method: 'cheque' }, 422],
  ])('a card payment request with %s is rejected', async (_, more, status) => {
    const { invoice, pay } = await owing(5000)
    expect((await pay(more)).status).toBe(status)
    expect((await money.get(`${invoice['@id']}/charges`)).body['hydra:totalItems']).toBe(0)
  })

  test('an invoice can be paid only with a card of its own customer', async () => {
    const [mine, other] = [await owing(5000), await owing(5000)]
    expect((await mine.pay({ card: other.card })).status).toBe(422)
    expect((await mine.pay({ invoice: other.invoice['@id'] })).status).toBe(422)
    await staff.post(`${mine.card}/detach`)
    expect((await mine.pay()).body.violations[0]).toMatchObject({ propertyPath: 'card' })
  })

  test("finance staff add a payment without an invoice to the customer's credit, and repeating it requires confirmation", async () => {
    const { customer, card, pay } = await owing(5000)
    const given = { customer, card, amount: 900 }
    expect((await staff.post(CHARGES, given)).status).toBe(403)
    const first = await money.post(CHARGES, given)
    expect([first.status, (await look(customer)).accountBalance]).toEqual([201, 4100])
    const twice = await money.post(CHARGES, given)
    expect([twice.status, twice.body.code, twice.body.existing]).toEqual([409, 'already_there', first.body['@id']])
    expect((await money.post(CHARGES, { ...given, keepBoth: true })).status).toBe(201)
    expect((await pay()).status).toBe(201)
  })

  test('an invoice is due again if its payment fails days later', async () => {
    const { customer, invoice, charge } = await paid(8000, '4000000000006009')
    await later(2)
    expect(await look(charge['@id'])).toMatchObject({
      state: 'failed',
      failure: expect.stringContaining('insufficient funds'),
    })
    expect(await look(invoice['@id'])).toMatchObject({ state: 'open', amountDue: 8000 })
    expect((await look(customer)).accountBalance).toBe(8000)
    expect((await money.post(`${charge['@id']}/refund`, { amount: 1, reason: 'x' })).status).toBe(409)
    await expectBalanced(portal, customer)
    await moveClock(portal.engine, 0)
  })

  test.each([
    ['4000000000000259', 'succeeded', 'won', 0, 0],
    ['4000000000002685', 'disputed', 'lost', 6000, 2000],
  ])(
    'a payment with card %s is disputed, and the outcome of the dispute is applied',
    async (number, state, dispute, owed, disputeFee) => {
      const { customer, invoice, charge } = await paid(6000, number)
      await later(2)
      expect(await look(charge['@id'])).toMatchObject({
        state: 'disputed',
        dispute: 'open',
        amountDisputed: 6000,
        refundable: 0,
        disputeFee: 2000,
      })
      expect((await look(invoice['@id'])).amountDue).toBe(6000)
      await later(20)
      expect(await look(charge['@id'])).toMatchObject({ state, dispute, disputeFee })
      const fees = (await loadLedgerEntries(portal, 'Charge', charge.id)).filter(([, account]) => account === 'fees')
      const back = disputeFee ? [] : [['disputeFeeBack', -2000]]
      expect(fees.map(([kind, , pence]) => [kind, pence])).toEqual([['disputeFee', 2000], ...back, ['fee', 110]])
      expect([(await look(invoice['@id'])).amountDue, (await look(customer)).accountBalance]).toEqual([owed, owed])
      await expectBalanced(portal, customer)
      await moveClock(portal.engine, 0)
    },
  )
})

describe('bank payments', () => {
  test('a bank payment can be recorded only by finance staff, with the day it was received', async () => {
    const { customer, invoice, pay } = await owing(9000)
    const given = {
      method: 'bank',
      card: null,
      receivedAt: new Date(Date.now() - 60_000).toISOString(),
      reference: 'FT 123',
    }
    expect((await pay(given)).status).toBe(403)
    const made = await pay(given, {}, money)
    expect([made.status, made.body.state, made.body.gateway]).toEqual([201, 'succeeded', ''])
    expect(await look(invoice['@id'])).toMatchObject({ state: 'paid', amountDue: 0 })
    expect(await loadLedgerEntries(portal, 'Charge', made.body.id)).toEqual([
      ['payment', 'bank', 9000],
      ['payment', 'receivable', -9000],
    ])
    const back = await money.post(`${made.body['@id']}/refund`, { amount: 9000, reason: 'Paid twice' })
    expect([back.status, back.body.state]).toEqual([201, 'succeeded'])
    expect(await look(invoice['@id'])).toMatchObject({ state: 'open', amountDue: 9000 })
    await expectBalanced(portal, customer)
  })

  test('the excess of a bank payment over the amount due becomes customer credit', async () => {
    const { customer, invoice, pay } = await owing(1000)
    const made = await pay(
      { method: 'bank', amount: 1500, receivedAt: new Date(Date.now() - 1000).toISOString() },
      {},
      money,
    )
    expect([made.body.amountSettled, (await look(customer)).accountBalance]).toEqual([1000, -500])
    // The amount that was not applied to an invoice is refunded first.
    await money.post(`${made.body['@id']}/refund`, { amount: 500, reason: 'Too much' })
    expect((await look(invoice['@id'])).state).toBe('paid')
    await money.post(`${made.body['@id']}/refund`, { amount: 400, reason: 'Details' })
    expect((await look(invoice['@id'])).amountDue).toBe(400)
  })

  test.each([
    ['dated in the future', { receivedAt: '2999-01-01T00:00:00Z' }],
    ['without a date', { receivedAt: null }],
  ])('a bank payment %s is rejected', async (_, more) => {
    const { pay } = await owing(1000)
    expect((await pay({ method: 'bank', ...more }, {}, money)).status).toBe(422)
  })
})

describe('refunds', () => {
  const refund = (charge: string, amount: unknown, more = {}, headers = {}) =>
    money.post(`${charge}/refund`, { amount, reason: 'Opted out', ...more } as Record<string, unknown>, headers)

  test('a refund is rejected once two earlier refunds have used up the payment', async () => {
    const { customer, charge, invoice } = await paid(10_000)
    const first = await refund(charge['@id'], 6000, { amountRefunded: 0, metadata: { notes: 'Type', createdBy: 'x' } })
    expect([first.status, first.body]).toMatchObject([
      201,
      { state: 'succeeded', amount: 6000, metadata: { notes: 'Type' } },
    ])
    expect(first.body.metadata.createdBy).toBe(first.body.createdBy)
    expect((await look(charge['@id'])).refundable).toBe(4000)
    const second = await money.post(REFUNDS, {
      charge: charge['@id'],
      amount: 4000,
      reason: 'The rest',
      amountRefunded: 6000,
    })
    expect(second.status).toBe(201)
    const third = await refund(charge['@id'], 1, { amountRefunded: 10_000 })
    expect([third.status, third.body.violations[0]]).toMatchObject([422, { propertyPath: 'amount', code: 'too_big' }])
    expect((await money.get(`${charge['@id']}/refunds`)).body['hydra:totalItems']).toBe(2)
    expect(await look(invoice['@id'])).toMatchObject({ state: 'open', amountDue: 10_000 })
    await expectBalanced(portal, customer)
  })

  test('a refund is rejected if the request states an outdated refunded amount', async () => {
    const { charge } = await paid(10_000)
    expect((await refund(charge['@id'], 3000, { amountRefunded: 0 })).status).toBe(201)
    const stale = await refund(charge['@id'], 3000, { amountRefunded: 0 })
    expect([stale.status, stale.body.code]).toEqual([409, 'refunded_meanwhile'])
    expect((await look(charge['@id'])).amountRefunded).toBe(3000)
  })

  test('ten simultaneous refunds never exceed the payment in total', async () => {
    const { charge, customer } = await paid(10_000)
    const all = await Promise.all(Array.from({ length: 10 }, () => refund(charge['@id'], 3000)))
    expect(all.map((a) => a.status).toSorted()).toEqual([201, 201, 201, ...Array.from({ length: 7 }, () => 422)])
    expect(await look(charge['@id'])).toMatchObject({ amountRefunded: 9000, refundable: 1000 })
    await expectBalanced(portal, customer)
  })

  test('ten simultaneous requests with one idempotency key create one refund', async () => {
    const { charge } = await paid(10_000)
    const key = { 'idempotency-key': `ten-${Date.now()}` }
    const all = await Promise.all(Array.from({ length: 10 }, () => refund(charge['@id'], 500, {}, key)))
    expect(all.every((a) => [201, 409].includes(a.status))).toBe(true)
    expect((await look(charge['@id'])).amountRefunded).toBe(500)
  })

  test.each([
    [0, 422],
    [-5, 422],
    [1.5, 400],
    ['100', 400],
    [1e15, 422],
    [null, 422],
    [10_001, 422],
  ])('refunds of %s are rejected', async (amount, status) => {
    const { charge } = await paid(10_000)
    expect((await refund(charge['@id'], amount)).status).toBe(status)
    expect((await look(charge['@id'])).refundable).toBe(10_000)
  })

  test('a refund requires an existing charge, a reason and the finance role', async () => {
    const { charge } = await paid(10_000)
    expect((await money.post(REFUNDS, { charge: `${CHARGES}/999999999`, amount: 1, reason: 'x' })).status).toBe(404)
    expect((await money.post(`${CHARGES}/999999999/refund`, { amount: 1, reason: 'x' })).status).toBe(404)
    expect((await money.post(`${CHARGES}/nonsense/refund`, { amount: 1, reason: 'x' })).status).toBe(404)
    expect((await money.post(`${charge['@id']}/refund`, { amount: 1 })).status).toBe(422)
    expect((await money.post(REFUNDS, { amount: 1, reason: 'x' })).status).toBe(422)
    expect((await staff.post(`${charge['@id']}/refund`, { amount: 1, reason: 'x' })).status).toBe(403)
    const client = await portal.client()
    const other = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN', 'ROLE_STAFF', 'ROLE_FINANCE'] }))
    expect((await other.get(charge['@id'])).status).toBe(404)
    expect((await other.post(`${charge['@id']}/refund`, { amount: 1, reason: 'x' })).status).toBe(404)
    expect((await other.post(REFUNDS, { charge: charge['@id'], amount: 1, reason: 'x' })).status).toBe(404)
  })

  test('a refund above the limit awaits approval, and its amount is reserved until then', async () => {
    const { charge } = await paid(200_000)
    const asked = await refund(charge['@id'], 150_000)
    expect([asked.status, asked.body.state]).toEqual([201, 'waiting'])
    expect(await look(charge['@id'])).toMatchObject({ amountRefunding: 150_000, refundable: 50_000 })
    expect((await money.post(`${asked.body['@id']}/approve`)).status).toBe(403)
    expect((await staff.post(`${asked.body['@id']}/approve`)).status).toBe(403)
    const approved = await boss.post(`${asked.body['@id']}/approve`)
    expect([approved.status, approved.body.state]).toEqual([200, 'pending'])
    await portal.drain()
    expect(await look(asked.body['@id'])).toMatchObject({ state: 'succeeded', amount: 150_000 })
    expect((await boss.post(`${asked.body['@id']}/approve`)).status).toBe(409)
    expect(await look(charge['@id'])).toMatchObject({ amountRefunded: 150_000, amountRefunding: 0 })
  })

  test('a declined or withdrawn refund releases the amount it reserved', async () => {
    const { charge } = await paid(200_000)
    const [one, two] = [await refund(charge['@id'], 100_000), await refund(charge['@id'], 90_000)]
    expect((await boss.post(`${one.body['@id']}/reject`, {})).status).toBe(422)
    const rejected = await boss.post(`${one.body['@id']}/reject`, { reason: 'They have used it.' })
    expect([rejected.body.state, rejected.body.failure]).toEqual([
      'failed',
      expect.stringContaining('They have used it.'),
    ])
    expect((await boss.post(`${two.body['@id']}/withdraw`)).status).toBe(403)
    expect((await money.post(`${two.body['@id']}/withdraw`)).body.state).toBe('failed')
    expect((await look(charge['@id'])).refundable).toBe(200_000)
  })

  test('a slow refund remains pending until the bank has responded', async () => {
    const { charge, invoice } = await paid(4000, '4000000000007726')
    const asked = await refund(charge['@id'], 4000)
    expect([asked.status, asked.body.state]).toEqual([201, 'pending'])
    expect(await look(charge['@id'])).toMatchObject({ amountRefunding: 4000, refundable: 0 })
    expect((await look(invoice['@id'])).state).toBe('paid')
    await later(2)
    expect((await look(asked.body['@id'])).state).toBe('succeeded')
    expect((await look(invoice['@id'])).state).toBe('open')
    await moveClock(portal.engine, 0)
  })

  test('a refund that fails later no longer counts towards the refunded amount', async () => {
    const { charge, customer, invoice } = await paid(4000, '4000000000005126')
    const asked = await refund(charge['@id'], 4000)
    expect(asked.body.state).toBe('succeeded')
    await later(2)
    expect(await look(asked.body['@id'])).toMatchObject({ state: 'failed', failure: 'The bank returned the refund.' })
    expect(await look(charge['@id'])).toMatchObject({ refundable: 4000, amountRefunded: 0 })
    expect((await look(invoice['@id'])).state).toBe('paid')
    await expectBalanced(portal, customer)
    await moveClock(portal.engine, 0)
  })
})
describe('payment constraints in the database', () => {
  let charge: { id: number }
  beforeEach(async () => {
    ;({ charge } = await paid(1000))
  })
  const run = (sql: string) => portal.db.tx('system', (tx) => tx.rows(sql.replaceAll(':charge', String(charge.id))))
  const FREE_CHARGE = `INSERT INTO charge (client_id, customer_id, method, amount, currency) SELECT client_id, customer_id, 'bank', 0, 'GBP' FROM charge WHERE id = :charge`
  const refundOf = (amount: number, state = 'pending') =>
    run(
      `INSERT INTO refund (client_id, charge_id, customer_id, amount, currency, state) SELECT client_id, id, customer_id, ${amount}, currency, '${state}' FROM charge WHERE id = :charge`,
    )
  test.each([
    ['refunds that exceed the charge', () => refundOf(1001)],
    ['a refund of zero', () => refundOf(0)],
    ['changing the amount of a charge', () => run('UPDATE charge SET amount = 2000 WHERE id = :charge')],
    ['setting a succeeded charge back to pending', () => run("UPDATE charge SET state = 'pending' WHERE id = :charge")],
    ['deleting a charge', () => run('DELETE FROM charge WHERE id = :charge')],
    ['an unknown charge state', () => run("UPDATE charge SET state = 'lost' WHERE id = :charge")],
    ['a charge of zero', () => run(FREE_CHARGE)],
  ])('the database rejects %s', async (_, ask) => {
    await expect(ask()).rejects.toThrow(/violates|stands|permission/)
  })
})
