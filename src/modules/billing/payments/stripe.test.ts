import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createCustomer, expectBalanced, issueTestInvoice, loadLedgerEntries } from '#test/support/payments.ts'
import { type TestApi, type TestPortal, testPortal } from '#test/support/portal.ts'
import { startFakeStripe } from '#test/support/stripe.ts'
import { findLedgerInconsistencies } from '../ledger/command.server.ts'
import { reconcileRefund } from './refund.server.ts'

const portal = await testPortal()
let stripe: Awaited<ReturnType<typeof startFakeStripe>>
let other: TestPortal
let money: TestApi
beforeAll(async () => {
  stripe = await startFakeStripe()
  other = await portal.with(stripe.settings)
  money = other.provider.as(await other.provider.user({ roles: ['ROLE_STAFF', 'ROLE_FINANCE'] }))
  await other.provider.user({ roles: ['ROLE_FINANCE'] })
  return () => stripe.close()
})
afterEach(() => {
  stripe.mend()
  stripe.slowRefunds(false)
})

const CHARGES = '/api/financial/charges'
async function owing(pence: number, last4 = '4242') {
  const customer = await createCustomer(money)
  const setUp = await money.post('/api/financial/cards/setup', { customer })
  const pm = stripe.confirm(setUp.body.clientSecret, 'visa', last4)
  const card = (await money.post('/api/financial/cards', { card: pm, customer })).body['@id'] as string
  const invoice = await issueTestInvoice(money, customer, pence)
  const pay = (headers = {}) =>
    money.post(CHARGES, { customer, invoice: invoice['@id'], card, amount: pence, amountDue: pence }, headers)
  return { customer, card, invoice, pay }
}
async function paid(pence: number) {
  const all = await owing(pence)
  const made = await all.pay()
  expect([made.status, made.body.state]).toEqual([201, 'succeeded'])
  return { ...all, charge: made.body as { '@id': string; id: number; gatewayRef: string } }
}
const look = async (iri: string) => (await money.get(iri)).body
const refund = (charge: { '@id': string }, amount: number, headers = {}) =>
  money.post(`${charge['@id']}/refund`, { amount, reason: 'Opted out' }, headers)
const intentsOf = (pence: number) => stripe.intents().filter((i) => i.amount === pence)
/** Backdates the last update by some minutes, so that the request is treated as abandoned. */
const leave = (table: 'charge' | 'refund', id: number) =>
  portal.db.tx('system', (tx) =>
    tx.rows(`UPDATE ${table} SET updated_at = updated_at - interval '10 minutes' WHERE id = $1`, [id]),
  )
const chargeIn = async (invoice: { '@id': string }) =>
  (await money.get(`${invoice['@id']}/charges`)).body['hydra:member'][0]

/** Backdates an invoice's pending payment, so that it is treated as abandoned, and reconciles it. */
async function followUp(invoice: { '@id': string }) {
  await leave('charge', (await chargeIn(invoice)).id)
  await other.runSchedule('payments-follow-up')
}

describe('Stripe payments', () => {
  test("a payment is registered and then confirmed at Stripe, with the customer's ID", async () => {
    const { charge, invoice } = await paid(4321)
    const [intent] = intentsOf(4321)
    expect(intent).toMatchObject({
      status: 'succeeded',
      currency: 'gbp',
      metadata: { charge: String(charge.id), client: '0' },
    })
    expect(charge).toMatchObject({ gateway: 'stripe', gatewayRef: intent?.id, fee: 85 })
    expect((await look(invoice['@id'])).state).toBe('paid')
  })

  test.each([
    ['0341', 'Your card was declined.', false],
    ['9979', 'Your card was declined.', true],
    ['3155', expect.stringContaining('bank requires the cardholder to confirm'), false],
  ])('a card ending %s is declined by Stripe, and the reason is shown', async (last4, words, hard) => {
    const { pay, invoice } = await owing(2000, last4)
    const made = await pay()
    expect([made.status, made.body.code, made.body['hydra:description']]).toEqual([422, 'payment_refused', words])
    expect(await chargeIn(invoice)).toMatchObject({ state: 'failed', hard })
  })

  test('if Stripe is unavailable before a payment, nothing is charged and an error is shown', async () => {
    const { pay, invoice } = await owing(3001)
    stripe.keepAway(/POST \/v1\/payment_intents$/)
    const made = await pay()
    expect([made.status, made.body.code]).toEqual([502, 'gateway_failure'])
    expect(await chargeIn(invoice)).toMatchObject({ state: 'failed', gatewayRef: null })
    expect(intentsOf(3001)).toEqual([])
    stripe.mend()
    expect((await pay()).status).toBe(201)
  })

  test("if Stripe's response to registering a payment is lost, the payment fails and nothing is charged", async () => {
    const { pay, invoice } = await owing(3002)
    stripe.lose(/POST \/v1\/payment_intents$/)
    expect((await pay()).status).toBe(502)
    expect(intentsOf(3002)).toMatchObject([{ status: 'requires_confirmation' }])
    expect(await chargeIn(invoice)).toMatchObject({ state: 'failed' })
  })

  test.each([
    ['never reached Stripe', 'keepAway', 'failed', 'canceled'],
    ['reached Stripe but got no response', 'lose', 'succeeded', 'succeeded'],
  ] as const)(
    'the outcome of a confirmation that %s is queried at Stripe, never assumed',
    async (_, how, state, status) => {
      const pence = how === 'lose' ? 3003 : 3004
      const { pay, invoice, customer } = await owing(pence)
      stripe[how](/confirm$/)
      const key = { 'idempotency-key': `doubt-${pence}-${Date.now()}` }
      const made = await pay(key)
      expect([made.status, made.body.state]).toEqual([201, 'pending'])
      stripe.mend()
      // While the outcome is unknown, no second payment is taken, with or without the key.
      const again = await pay(key)
      expect([again.status, again.headers['idempotency-replayed']]).toEqual([201, 'true'])
      expect((await pay()).status).toBe(409)
      await other.runSchedule('payments-follow-up')
      expect((await look(made.body['@id'])).state).toBe('pending')
      await leave('charge', made.body.id)
      await other.runSchedule('payments-follow-up')
      expect((await look(made.body['@id'])).state).toBe(state)
      expect(intentsOf(pence)).toMatchObject([{ status }])
      expect((await look(invoice['@id'])).state).toBe(state === 'succeeded' ? 'paid' : 'open')
      await other.runSchedule('payments-follow-up')
      await expectBalanced(portal, customer)
    },
  )

  test("a payment remains pending and is reported as long as Stripe can't be queried about it", async () => {
    const { pay } = await owing(3005)
    stripe.lose(/confirm$/)
    const made = await pay()
    stripe.mend()
    await leave('charge', made.body.id)
    stripe.keepAway(/GET \/v1\/payment_intents/)
    await expect(other.runSchedule('payments-follow-up')).rejects.toThrow('could not be updated')
    expect((await look(made.body['@id'])).state).toBe('pending')
    stripe.mend()
    await other.runSchedule('payments-follow-up')
    expect((await look(made.body['@id'])).state).toBe('succeeded')
  })

  test("if the process dies before Stripe's reference is saved, nothing is charged", async () => {
    const { pay, invoice } = await owing(3006)
    const release = stripe.hold(/POST \/v1\/payment_intents$/)
    const slow = pay()
    await expect.poll(async () => (await chargeIn(invoice))?.state).toBe('pending')
    // State after the server was killed: the row exists, but no process handles the payment.
    await followUp(invoice)
    expect((await chargeIn(invoice)).state).toBe('failed')
    // The slow request finds the payment abandoned and confirms nothing.
    release()
    expect((await slow).status).toBe(502)
    expect(intentsOf(3006)).toMatchObject([{ status: 'canceled' }])
    expect((await look(invoice['@id'])).state).toBe('open')
  })

  test('a payment reconciled during its confirmation has the same final state in the portal and at Stripe', async () => {
    const { pay, invoice, customer } = await owing(3007)
    const release = stripe.hold(/confirm$/)
    const slow = pay()
    await expect.poll(async () => (await chargeIn(invoice))?.gatewayRef).toBeTruthy()
    await followUp(invoice)
    release()
    expect((await slow).status).toBe(422)
    expect(intentsOf(3007)).toMatchObject([{ status: 'canceled' }])
    expect((await chargeIn(invoice)).state).toBe('failed')
    await expectBalanced(portal, customer)
  })
})

describe('Stripe refunds', () => {
  test('if the response to a refund is lost, the outcome is queried at Stripe and the refund is made only once', async () => {
    const { charge, customer } = await paid(6001)
    stripe.lose(/POST \/v1\/refunds$/)
    const key = { 'idempotency-key': `refund-${charge.id}` }
    const made = await refund(charge, 2000, key)
    expect([made.status, made.body.state]).toEqual([201, 'pending'])
    expect((await look(charge['@id'])).refundable).toBe(4001)
    stripe.mend()
    stripe.forgetKeys()
    expect((await refund(charge, 2000, key)).body['@id']).toBe(made.body['@id'])
    await leave('refund', made.body.id)
    await other.runSchedule('payments-follow-up')
    expect((await look(made.body['@id'])).state).toBe('succeeded')
    expect(stripe.refunds().filter((r) => r.payment_intent === charge.gatewayRef)).toHaveLength(1)
    await expectBalanced(portal, customer)
  })

  test('a refund that never reached Stripe is made once Stripe is available', async () => {
    const { charge } = await paid(6002)
    stripe.keepAway(/POST \/v1\/refunds$/)
    const made = await refund(charge, 2000)
    expect(made.body.state).toBe('pending')
    stripe.mend()
    await reconcileRefund(other.engine, 0, made.body.id)
    await reconcileRefund(other.engine, 0, made.body.id)
    expect((await look(made.body['@id'])).state).toBe('succeeded')
    expect(stripe.refunds().filter((r) => r.payment_intent === charge.gatewayRef)).toHaveLength(1)
  })

  test("a refund rejected by Stripe shows Stripe's message and reserves no amount", async () => {
    const { charge } = await paid(6003)
    stripe.refundThere(charge.gatewayRef, 6000)
    const made = await refund(charge, 2000)
    expect([made.status, made.body.code]).toEqual([422, 'payment_refused'])
    expect(made.body['hydra:description']).toContain('greater than unrefunded amount')
    expect(await look(made.body.refund)).toMatchObject({ state: 'failed' })
    expect((await look(charge['@id'])).refundable).toBe(6003)
  })
})

describe('Stripe webhooks', () => {
  const HOOK = '/api/financial/webhooks/stripe'
  const tell = (raw: string, sign = stripe.sign(raw)) =>
    other.anonymous.send('POST', HOOK, { headers: sign, body: raw })
  const eventsOf = (payment: string) => stripe.events().filter((e) => e.raw.includes(payment))
  /** Delivers the events in this order, then processes everything queued. */
  const tellAll = async (raws: readonly string[]) => {
    for (const raw of raws) expect((await tell(raw)).status).toBe(200)
    await other.drain()
  }

  test('a webhook is accepted only with a recent Stripe signature', async () => {
    const { charge } = await paid(7001)
    const raw = eventsOf(charge.gatewayRef)[0]?.raw ?? ''
    expect((await tell(raw, stripe.sign(raw, { secret: 'whsec_other' }))).status).toBe(403)
    expect((await tell(raw, stripe.sign(raw, { at: 1_700_000_000 }))).status).toBe(403)
    const ahead = Math.floor(Date.now() / 1000) + 6000
    expect((await tell(raw, stripe.sign(raw, { at: ahead }))).status).toBe(403)
    const nested = `{"id":"evt_nested","data":{"object":${'['.repeat(50_000)}${']'.repeat(50_000)}}}`
    expect((await tell(nested, stripe.sign(nested))).status).toBeLessThan(500)
    expect((await tell(raw.replace('pi_', 'pi_x'), stripe.sign(raw))).status).toBe(403)
    expect((await other.anonymous.post(HOOK, {})).status).toBe(403)
    expect((await portal.anonymous.send('POST', HOOK, { headers: stripe.sign(raw), body: raw })).status).toBe(404)
    // Whitespace matters, because the signature covers every byte.
    const spaced = `${raw} \n`
    expect((await tell(spaced, stripe.sign(spaced))).status).toBe(200)
  })

  test('webhooks have the same result in any order and when repeated', async () => {
    const { charge, customer, invoice } = await paid(7002)
    const id = stripe.dispute(charge.gatewayRef)
    stripe.decide(id, 'won')
    const told = eventsOf(charge.gatewayRef).map((e) => e.raw)
    await tellAll([...told.toReversed(), ...told])
    expect(await look(charge['@id'])).toMatchObject({ state: 'succeeded', dispute: 'won', disputeFee: 0 })
    expect((await look(invoice['@id'])).state).toBe('paid')
    const list = (await money.get('/api/financial/webhook_events?itemsPerPage=100')).body['hydra:member']
    const ours = list.filter((e: { charge: { id: number } | null }) => e.charge?.id === charge.id)
    expect(ours).toHaveLength(told.length)
    expect(new Set(ours.map((e: { state: string }) => e.state))).toEqual(new Set(['done']))
    await expectBalanced(portal, customer)
  })

  test("a disputed payment counts as unpaid and can't be refunded, and a lost dispute costs a fee", async () => {
    const { charge, customer, invoice } = await paid(7003)
    const id = stripe.dispute(charge.gatewayRef)
    await tellAll(eventsOf(charge.gatewayRef).map((e) => e.raw))
    expect(await look(charge['@id'])).toMatchObject({ state: 'disputed', dispute: 'open', disputeReason: 'fraudulent' })
    expect((await refund(charge, 1)).status).toBe(409)
    expect((await look(invoice['@id'])).amountDue).toBe(7003)
    stripe.decide(id, 'lost')
    await tellAll(eventsOf(charge.gatewayRef).map((e) => e.raw))
    expect(await look(charge['@id'])).toMatchObject({ dispute: 'lost', disputeFee: 2000 })
    expect((await look(customer)).accountBalance).toBe(7003)
    await expectBalanced(portal, customer)
  })

  test('an invoice is due again if its Stripe payment fails days later', async () => {
    const { charge, invoice } = await paid(7004)
    stripe.failLate(charge.gatewayRef)
    await tellAll(eventsOf(charge.gatewayRef).map((e) => e.raw))
    expect(await look(charge['@id'])).toMatchObject({ state: 'failed', failure: 'The bank returned the payment.' })
    expect((await look(invoice['@id'])).amountDue).toBe(7004)
  })

  test('a declined payment that is paid later settles its invoice once, is notified to finance staff, and can be refunded', async () => {
    const { pay, customer, invoice } = await owing(7008, '0341')
    expect((await pay()).status).toBe(422)
    const declined = await chargeIn(invoice)
    expect(declined.state).toBe('failed')
    const raws = () => eventsOf(declined.gatewayRef).map((e) => e.raw)
    stripe.payLate(declined.gatewayRef)
    await tellAll([...raws().toReversed(), ...raws()])
    const fee = Math.round(7008 * 0.015) + 20
    expect(await look(declined['@id'])).toMatchObject({
      state: 'succeeded',
      fee,
      amountSettled: 7008,
      refundable: 7008,
    })
    expect((await look(invoice['@id'])).state).toBe('paid')
    const moved = () => loadLedgerEntries(portal, 'Charge', declined.id)
    expect((await moved()).filter(([, account]) => account === 'clearing')).toEqual([
      ['charge', 'clearing', 7008],
      ['fee', 'clearing', -fee],
    ])
    const inbox = (await money.get('/api/portal/notices/inbox')).body['hydra:member'] as { words: string }[]
    expect(inbox.filter(({ words }) => words.startsWith(`Payment ${declined.id} of £70.08`))).toHaveLength(1)
    stripe.refundThere(declined.gatewayRef, 3000)
    await tellAll(raws())
    expect(await look(declined['@id'])).toMatchObject({ state: 'succeeded', amountRefunded: 3000 })
    expect((await look(invoice['@id'])).amountDue).toBe(3000)
    await expectBalanced(portal, customer)
    expect(await findLedgerInconsistencies(portal.engine, 0)).toEqual([])
  })

  test('a declined payment that is paid and refunded after its invoice was settled otherwise becomes the customer’s credit', async () => {
    const { pay, customer, invoice } = await owing(7009, '0341')
    await pay()
    const declined = await chargeIn(invoice)
    const receivedAt = new Date(Date.now() - 60_000).toISOString()
    await money.post(CHARGES, { customer, invoice: invoice['@id'], method: 'bank', amount: 7009, receivedAt })
    stripe.payLate(declined.gatewayRef)
    stripe.refundThere(declined.gatewayRef, 2000)
    await tellAll(eventsOf(declined.gatewayRef).map((e) => e.raw))
    expect(await look(declined['@id'])).toMatchObject({ state: 'succeeded', amountSettled: 0, amountRefunded: 2000 })
    expect([(await look(invoice['@id'])).amountDue, (await look(customer)).accountBalance]).toEqual([0, -5009])
    await expectBalanced(portal, customer)
  })

  test('a payment that the bank repeatedly reverses and pays is posted each time, but its fee only once', async () => {
    const { charge, customer, invoice } = await paid(7010)
    const tell = () => tellAll(eventsOf(charge.gatewayRef).map((e) => e.raw))
    for (const [step, state, due] of [
      [stripe.failLate, 'failed', 7010],
      [stripe.payLate, 'succeeded', 0],
      [stripe.failLate, 'failed', 7010],
      [stripe.payLate, 'succeeded', 0],
    ] as const) {
      step(charge.gatewayRef)
      await tell()
      expect([(await look(charge['@id'])).state, (await look(invoice['@id'])).amountDue]).toEqual([state, due])
      await expectBalanced(portal, customer)
      expect(await findLedgerInconsistencies(portal.engine, 0)).toEqual([])
    }
  })

  test('a refund made in Stripe’s dashboard has no author, and a pending refund above the remaining amount fails', async () => {
    const { charge, customer } = await paid(200_005)
    const waiting = await refund(charge, 150_000)
    expect(waiting.body.state).toBe('waiting')
    stripe.refundThere(charge.gatewayRef, 100_000)
    await tellAll(eventsOf(charge.gatewayRef).map((e) => e.raw))
    const refunds = (await money.get(`${charge['@id']}/refunds`)).body['hydra:member']
    expect(refunds).toMatchObject([
      { state: 'succeeded', amount: 100_000, createdBy: '', charge: { gateway: 'stripe' } },
      { state: 'failed', amount: 150_000 },
    ])
    expect(await look(charge['@id'])).toMatchObject({ amountRefunded: 100_000, refundable: 100_005 })
    await expectBalanced(portal, customer)
  })

  test('a pending refund fails if Stripe reports it as failed, and its amount can be refunded again', async () => {
    const { charge } = await paid(7006)
    stripe.slowRefunds(true)
    const made = await refund(charge, 7006)
    expect(made.body.state).toBe('pending')
    stripe.settleRefund(made.body.gatewayRef, 'failed')
    await tellAll(eventsOf(charge.gatewayRef).map((e) => e.raw))
    expect(await look(made.body['@id'])).toMatchObject({
      state: 'failed',
      failure: expect.stringContaining('lost or stolen card'),
    })
    expect((await look(charge['@id'])).refundable).toBe(7006)
  })

  test('unrelated webhooks are stored and ignored, and webhooks whose processing failed are reported and retried', async () => {
    const { charge } = await paid(7007)
    const foreign = JSON.stringify({
      id: `evt_f${Date.now()}`,
      type: 'payment_intent.succeeded',
      data: { object: { id: 'pi_foreign', object: 'payment_intent' } },
    })
    await tellAll([foreign])
    stripe.failLate(charge.gatewayRef)
    const raw = eventsOf(charge.gatewayRef).at(-1)?.raw ?? ''
    stripe.keepAway(/GET/, 100)
    await tell(raw)
    await other.drain()
    const all = (await money.get('/api/financial/webhook_events?itemsPerPage=100')).body['hydra:member']
    expect(all.find((e: { payment: string }) => e.payment === 'pi_foreign').state).toBe('ignored')
    const failed = all.find(
      (e: { payment: string; state: string }) => e.payment === charge.gatewayRef && e.state === 'failed',
    )
    expect(failed.error).toContain('The payment service is not available')
    stripe.mend()
    expect((await money.post(`${failed['@id']}/replay`)).body.state).toBe('received')
    await other.drain()
    expect((await look(failed['@id'])).state).toBe('done')
    expect((await look(charge['@id'])).state).toBe('failed')
    const staff = other.provider.as(await other.provider.user({ roles: ['ROLE_STAFF'] }))
    expect((await staff.get('/api/financial/webhook_events')).status).toBe(403)
  })
})
