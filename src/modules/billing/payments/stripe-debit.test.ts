import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { moveClock } from '#server/engine/clock.ts'
import { createCustomer, expectBalanced, issueTestInvoice } from '#test/support/payments.ts'
import { type TestApi, type TestPortal, testPortal } from '#test/support/portal.ts'
import { startFakeStripe } from '#test/support/stripe.ts'

const portal = await testPortal()
let stripe: Awaited<ReturnType<typeof startFakeStripe>>
let other: TestPortal
let there: TestApi
beforeAll(async () => {
  stripe = await startFakeStripe()
  other = await portal.with(stripe.settings)
  there = other.provider.as(await other.provider.user({ roles: ['ROLE_STAFF', 'ROLE_FINANCE'] }))
  await sql("UPDATE payment_settings SET debit_name = 'PROVIDER LTD' WHERE client_id = 0")
  return () => stripe.close()
})
afterEach(async () => {
  stripe.mend()
  await moveClock(portal.engine, 0)
})
afterAll(() => moveClock(portal.engine, 0))

const sql = (text: string) => portal.db.tx('system', (tx) => tx.rows(text))
const FORM = { holder: 'Payer Ltd', sortCode: '10-88-00', accountNumber: '00012345', authorised: true }

/** Delivers Stripe's events about these objects, in the given order. */
const deliver = async (ids: readonly string[], order: (raws: string[]) => string[] = (raws) => raws) => {
  const raws = stripe.events().flatMap(({ raw }) => (ids.some((id) => raw.includes(id)) ? raw : []))
  for (const raw of order(raws))
    expect(
      (await other.anonymous.send('POST', '/api/financial/webhooks/stripe', { headers: stripe.sign(raw), body: raw }))
        .status,
    ).toBe(200)
  await other.drain()
}
const morning = async (days: number) => {
  await moveClock(other.engine, days)
  await sql("DELETE FROM schedule_client WHERE name = 'dunning'")
  await other.runSchedule('dunning')
  await other.drain()
}

async function signed(pence: number) {
  const customer = await createCustomer(there)
  const invoice = await issueTestInvoice(there, customer, pence)
  await other.drain()
  const { url } = (await there.post(`${invoice['@id']}/pay-link`, {})).body
  const page = `/api/financial/payments/${String(url).split('/').at(-1)}`
  const sign = () => other.anonymous.post(`${page}/mandate`, FORM)
  const made = await sign()
  await other.drain()
  const held = stripe.mandates().at(-1)
  const mandates = async () => (await there.get(`${customer}/mandates`)).body['hydra:member']
  const charges = async () => (await there.get(`${invoice['@id']}/charges`)).body['hydra:member']
  return { customer, invoice, sign, made, held: held?.id ?? '', mandates, charges }
}

/** An invoice whose collection Stripe is processing. */
async function processing(pence: number) {
  const o = await signed(pence)
  stripe.moveMandate(o.held, 'active', 'accepted')
  await deliver([o.held])
  // The notice is due on a working day.
  await morning(3)
  await morning(22)
  const [charge] = await o.charges()
  expect(charge).toMatchObject({ method: 'debit', state: 'pending', amount: pence, gateway: 'stripe' })
  return { ...o, charge }
}

describe('Direct Debits at Stripe', () => {
  test('a mandate is signed with the account at Stripe, and becomes active by its event', async () => {
    const o = await signed(8001)
    expect([o.made.status, o.made.body.mandate]).toEqual([
      200,
      expect.objectContaining({ last4: '2345', state: 'pending' }),
    ])
    expect(o.made.body.mandate.reference).toMatch(/^REF/)
    stripe.moveMandate(o.held, 'active', 'accepted')
    await deliver([o.held])
    expect(await o.mandates()).toMatchObject([{ state: 'active', gateway: 'stripe' }])
    expect((await o.sign()).status).toBe(409)
  })

  test('a mandate that Stripe could not take is refused, and can be signed again', async () => {
    stripe.keepAway(/POST \/v1\/setup_intents$/)
    const o = await signed(8002)
    expect(o.made.status).toBe(502)
    expect(await o.mandates()).toMatchObject([{ state: 'failed' }])
    stripe.mend()
    expect((await o.sign()).status).toBe(200)
  })

  test.each([
    ['revoked', 'account_closed', 'cancelled', 'The account has been closed.'],
    ['refused', null, 'failed', 'The bank gave no reason for ending the Direct Debit.'],
  ])('a mandate %s by the bank ends, whatever the order of events', async (network, why, state, reason) => {
    const o = await signed(8003)
    stripe.moveMandate(o.held, 'active', 'accepted')
    stripe.moveMandate(o.held, 'inactive', network, why)
    await deliver([o.held], (raws) => [...raws.toReversed(), ...raws])
    expect(await o.mandates()).toMatchObject([{ state, reason }])
  })

  test('a collection is pending until Stripe reports the money, and events can be repeated in any order', async () => {
    const o = await processing(8101)
    stripe.settleDebit(o.charge.gatewayRef)
    await deliver([o.charge.gatewayRef], (raws) => [...raws.toReversed(), ...raws])
    expect((await o.charges())[0]).toMatchObject({ state: 'succeeded', fee: 142 })
    expect((await there.get(o.invoice['@id'])).body.state).toBe('paid')
    await expectBalanced(portal, o.customer)
  })

  test.each([
    ['insufficient_funds', 'There was not enough money in the account.', 'active'],
    ['debit_not_authorized', 'The Direct Debit Instruction has been cancelled at the bank.', 'cancelled'],
  ])('a collection that fails with %s states the reason', async (code, failure, state) => {
    const o = await processing(8102)
    stripe.settleDebit(o.charge.gatewayRef, code)
    await deliver([o.charge.gatewayRef])
    expect((await o.charges())[0]).toMatchObject({ state: 'failed', failure })
    expect((await o.mandates())[0].state).toBe(state)
  })

  test('an indemnity claim is lost at once, and the invoice is due again', async () => {
    const o = await processing(8103)
    stripe.settleDebit(o.charge.gatewayRef)
    await deliver([o.charge.gatewayRef])
    stripe.dispute(o.charge.gatewayRef, 8103, 'lost')
    await deliver([o.charge.gatewayRef])
    expect((await o.charges())[0]).toMatchObject({ state: 'disputed', dispute: 'lost', amountDisputed: 8103 })
    expect((await there.get(o.invoice['@id'])).body).toMatchObject({ state: 'open', amountDue: 8103 })
    await expectBalanced(portal, o.customer)
  })

  test('a lost event is made up for by the daily query', async () => {
    const o = await processing(8104)
    stripe.settleDebit(o.charge.gatewayRef)
    await other.runSchedule('payments-follow-up')
    expect((await o.charges())[0].state).toBe('pending')
    await moveClock(other.engine, 24)
    await other.runSchedule('debits-follow-up')
    expect((await o.charges())[0].state).toBe('succeeded')
  })
})
