import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { moveClock } from '#server/engine/clock.ts'
import { verifyClientEvidence } from '#server/evidence/verify.ts'
import { startMailServer } from '#test/e2e/support/letters.ts'
import { workingDayAhead } from '#test/support/days.ts'
import { createCustomer, expectBalanced, issueTestInvoice } from '#test/support/payments.ts'
import { type TestApi, type TestPortal, testPortal } from '#test/support/portal.ts'
import { startFakeStripe } from '#test/support/stripe.ts'
import { findLedgerInconsistencies } from '../ledger/command.server.ts'

const portal = await testPortal()
const post = await startMailServer()
let stripe: Awaited<ReturnType<typeof startFakeStripe>>
let other: TestPortal
let there: TestApi
beforeAll(async () => {
  stripe = await startFakeStripe()
  other = await portal.with({ ...stripe.settings, SMTP_URL: post.address, PUBLIC_URL: 'https://portal.example' })
  there = other.provider.as(await other.provider.user({ roles: ['ROLE_STAFF', 'ROLE_FINANCE'] }))
  await sql("UPDATE payment_settings SET debit_name = 'PROVIDER LTD' WHERE client_id = 0")
  return async () => {
    await stripe.close()
    await post.close()
  }
})
afterEach(async () => {
  stripe.mend()
  await moveClock(portal.engine, 0)
})
afterAll(() => moveClock(portal.engine, 0))

const sql = (text: string) => portal.db.tx('system', (tx) => tx.rows(text))
const FORM = { holder: 'Payer Ltd', sortCode: '10-88-00', accountNumber: '00012345', authorised: true }

/** Delivers Stripe's events about these objects, in the given order. */
const deliver = async (
  ids: readonly string[],
  order: (raws: string[]) => string[] = (raws) => raws,
  at: TestPortal = other,
) => {
  const raws = stripe.events().flatMap(({ raw }) => (ids.some((id) => raw.includes(id)) ? raw : []))
  for (const raw of order(raws))
    expect(
      (await at.anonymous.send('POST', '/api/financial/webhooks/stripe', { headers: stripe.sign(raw), body: raw }))
        .status,
    ).toBe(200)
  await at.drain()
}
const morning = async (days: number, at: TestPortal = other) => {
  await moveClock(at.engine, workingDayAhead(days))
  await sql("DELETE FROM schedule_client WHERE name = 'dunning'")
  await at.runSchedule('dunning')
  await at.drain()
}

async function signed(pence: number, at = other) {
  const customer = await createCustomer(there)
  const invoice = await issueTestInvoice(there, customer, pence)
  await at.drain()
  const { url } = (await there.post(`${invoice['@id']}/pay-link`, {})).body
  const page = `/api/financial/payments/${String(url).split('/').at(-1)}`
  const sign = () => at.anonymous.post(`${page}/mandate`, FORM)
  const made = await sign()
  await at.drain()
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
  test("a mandate is signed at Stripe with the account, and becomes active with Stripe's event", async () => {
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

  test('a mandate that Stripe could not accept is refused, and can be signed again', async () => {
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

  test.each([
    ['before', true],
    ['after', false],
  ])('a refund that fails %s its payment is claimed back leaves the whole payment claimed', async (_, isSlow) => {
    const o = await processing(isSlow ? 8105 : 8106)
    const ref = o.charge.gatewayRef
    stripe.settleDebit(ref)
    await deliver([ref])
    stripe.slowRefunds(isSlow)
    for (const amount of [3000, 1000])
      expect((await there.post(`${o.charge['@id']}/refund`, { amount, reason: 'x' })).status).toBe(201)
    stripe.slowRefunds(false)
    stripe.dispute(ref, o.charge.amount, 'lost')
    await deliver([ref])
    expect((await o.charges())[0]).toMatchObject({ amountDisputed: o.charge.amount - 4000 })
    for (const one of stripe.refunds().filter((of) => of.payment_intent === ref)) {
      stripe.settleRefund(one.id, 'failed')
      await deliver([ref], (raws) => [...raws, ...raws])
    }
    expect((await o.charges())[0]).toMatchObject({
      state: 'disputed',
      amountDisputed: o.charge.amount,
      amountRefunded: 0,
      disputeReason: 'fraudulent',
    })
    expect((await there.get(o.invoice['@id'])).body).toMatchObject({ state: 'open', amountDue: o.charge.amount })
    await expectBalanced(portal, o.customer)
    expect(await findLedgerInconsistencies(portal.engine, 0)).toEqual([])
    expect((await verifyClientEvidence(portal.engine, 0)).findings).toEqual([])
  })

  test.each([
    ['paid by bank transfer', 'charges', { method: 'bank', amount: 8109, receivedAt: '2026-01-05T12:00:00Z' }],
    ['credited', 'credit_notes', { reason: 'x', to: 'balance' }],
    ['voided', 'void', { reason: 'x' }],
  ])(
    'money collected for an invoice that was %s in the meantime becomes the customer’s credit',
    async (_, path, body) => {
      const o = await processing(8109)
      const { customer, invoice } = { customer: o.customer, invoice: o.invoice['@id'] }
      const answer = await (path === 'void'
        ? there.post(`${invoice}/void`, body)
        : there.post(`/api/financial/${path}`, { customer, invoice, ...body }))
      expect([answer.status < 300, answer.text]).toEqual([true, expect.anything()])
      stripe.settleDebit(o.charge.gatewayRef)
      await deliver([o.charge.gatewayRef], (raws) => [...raws, ...raws])
      expect((await o.charges()).find(({ method }: { method: string }) => method === 'debit')).toMatchObject({
        state: 'succeeded',
        amountSettled: 0,
        refundable: 8109,
      })
      expect((await there.get(customer)).body.accountBalance).toBe(-8109)
      expect((await there.get(invoice)).body.amountDue).toBe(0)
      await morning(60)
      expect((await o.charges()).filter(({ method }: { method: string }) => method === 'debit')).toHaveLength(1)
      await expectBalanced(portal, customer)
    },
  )

  test('a Direct Debit that is cancelled while Stripe is setting it up is also cancelled at Stripe', async () => {
    const release = stripe.hold(/POST \/v1\/setup_intents$/)
    const signing = signed(8107)
    const find = () => sql("SELECT id FROM mandate WHERE state = 'pending' AND gateway_id IS NULL")
    while (!(await find()).length) await new Promise((resolve) => setTimeout(resolve, 20))
    const [{ id }] = (await find()) as [{ id: string }]
    expect((await there.post(`/api/financial/mandates/${id}/cancel`, {})).status).toBe(200)
    release()
    const o = await signing
    expect([o.made.status, o.made.body['hydra:description']]).toEqual([
      409,
      expect.stringContaining('has been cancelled in the meantime'),
    ])
    expect(await o.mandates()).toMatchObject([{ state: 'cancelled', reason: 'Cancelled by us.' }])
    expect(stripe.attached()).not.toContain(stripe.mandates().at(-1)?.payment_method)
    expect((await o.sign()).status).toBe(200)
  })

  test.each(['failed', 'bounced'])(
    'no payment is collected after a notice that %s, until a new one has been sent',
    async (state) => {
      const o = await signed(8108)
      stripe.moveMandate(o.held, 'active', 'accepted')
      await deliver([o.held])
      await morning(3)
      const notices = () =>
        sql(
          `SELECT recipient FROM message WHERE template = 'debit-notice' AND about = '${o.invoice['@id']}' ORDER BY id`,
        )
      await sql(
        `UPDATE message SET state = '${state}' WHERE template = 'debit-notice' AND about = '${o.invoice['@id']}'`,
      )
      await morning(4)
      await morning(22)
      expect(await o.charges()).toEqual([])
      expect(await notices()).toHaveLength(1)
      const { steps } = (await there.get(`${o.invoice['@id']}/dunning`)).body
      expect(steps.filter(({ kind }: { kind: string }) => kind === 'notSent')).toMatchObject([
        { description: expect.stringContaining('was not delivered') },
      ])
      await there.patch(o.customer, { email: `mended.${state}@c.example` })
      await morning(23)
      expect(await notices()).toHaveLength(2)
      await morning(50)
      expect(await o.charges()).toMatchObject([{ method: 'debit', state: 'pending' }])
    },
  )

  test('a portal without a mail server collects nothing, and sends notices once it has one', async () => {
    const silent = await portal.with(stripe.settings)
    const o = await signed(8109, silent)
    stripe.moveMandate(o.held, 'active', 'accepted')
    // The notice is due as soon as a mandate is signed on a working day.
    await deliver([o.held], undefined, silent)
    const notices = () =>
      sql(`SELECT state FROM message WHERE template = 'debit-notice' AND about = '${o.invoice['@id']}' ORDER BY id`)
    await morning(3, silent)
    await morning(22, silent)
    expect([await o.charges(), await notices()]).toEqual([[], []])
    expect((await there.get(`${o.invoice['@id']}/dunning`)).body.steps).toMatchObject([
      { kind: 'notSent', description: expect.stringContaining('this portal has no mail server') },
    ])
    await morning(23)
    expect(await notices()).toEqual([{ state: 'sent' }])
    await sql(`UPDATE message SET state = 'kept' WHERE template = 'debit-notice' AND about = '${o.invoice['@id']}'`)
    await morning(50)
    expect([await o.charges(), await notices()]).toEqual([[], [{ state: 'kept' }, { state: 'sent' }]])
    await morning(80)
    expect(await o.charges()).toMatchObject([{ method: 'debit', state: 'pending' }])
  })

  test('the daily query recovers the result of a lost event', async () => {
    const o = await processing(8104)
    stripe.settleDebit(o.charge.gatewayRef)
    await other.runSchedule('payments-follow-up')
    expect((await o.charges())[0].state).toBe('pending')
    await moveClock(other.engine, 24)
    await other.runSchedule('debits-follow-up')
    expect((await o.charges())[0].state).toBe('succeeded')
  })
})
