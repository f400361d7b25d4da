import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createSystemActor } from '#kernel/roles.ts'
import { moveClock } from '#server/engine/clock.ts'
import type { TestPortal } from '#test/support/portal.ts'
import { makeSalesWorld, type SalesWorld } from '#test/support/sales.ts'
import { startFakeStripe } from '#test/support/stripe.ts'
import { addCard, startCardEntry } from '../cards/card.server.ts'

let w: SalesWorld
let stripe: Awaited<ReturnType<typeof startFakeStripe>>
let withStripe: TestPortal
beforeAll(async () => {
  w = await makeSalesWorld()
  stripe = await startFakeStripe()
  withStripe = await w.portal.with(stripe.settings)
})
afterEach(() => moveClock(w.portal.engine, 0))
afterAll(() => stripe.close())

/** Creates a customer with a card at Stripe and a subscription. */
async function subscriber(last4: string) {
  const customer = await w.buyer()
  const id = Number(customer.split('/').at(-1))
  const change = { actor: createSystemActor(w.person.clientId, 'a card is entered'), requestId: 'test' }
  const asked = { engine: withStripe.engine, ...change, change }
  const page = await startCardEntry(asked, id)
  if (page.gateway !== 'stripe') throw new Error('This is not Stripe')
  await addCard(asked, id, stripe.confirm(page.clientSecret, 'visa', last4))
  const { invoices } = await w.sold({ customer, plans: [{ plan: w.plan }] })
  await withStripe.drain()
  const at = invoices[0]['@id']
  return {
    plan: async () => (await w.api.get(`${at}/dunning`)).body,
    charges: async (): Promise<string[]> => (await w.all(`${at}/charges`)).map((c: { state: string }) => c.state),
  }
}

async function collect(day: number): Promise<void> {
  await moveClock(w.portal.engine, day)
  await w.sql("DELETE FROM schedule_client WHERE client_id = $1 AND name = 'dunning'", [w.person.clientId])
  await withStripe.runSchedule('dunning')
  await withStripe.drain()
}

test("a charge that fails because Stripe is down isn't counted as declined, and is retried once Stripe is available again", async () => {
  const one = await subscriber('4242')
  stripe.keepAway(/^POST \/v1\/payment_intents$/)
  await collect(14)
  expect(await one.charges()).toEqual(['failed'])
  expect((await one.plan()).steps).toEqual([])
  stripe.mend()
  await collect(14)
  expect(await one.charges()).toEqual(['succeeded', 'failed'])
  expect((await one.plan()).steps.map((s: { kind: string }) => s.kind)).toEqual(['charged'])
})

test('a card declined by Stripe is retried unless it was reported stolen', async () => {
  const [stolen, declined] = [await subscriber('9979'), await subscriber('0341')]
  for (const day of [15, 18]) await collect(day)
  expect([await stolen.charges(), await declined.charges()]).toEqual([['failed'], ['failed', 'failed']])
})

test("if Stripe's response to a charge is lost, the outcome is queried at Stripe and the charge is never repeated", async () => {
  const one = await subscriber('4242')
  // Loses many responses, because other customers due on that day are charged too.
  stripe.lose(/^POST \/v1\/payment_intents\/\w+\/confirm$/, 100)
  await collect(20)
  expect(await one.charges()).toEqual(['pending'])
  stripe.mend()
  // On the next day, the card is not charged again, because the outcome of the lost charge is checked first.
  await collect(21)
  expect(await one.charges()).toEqual(['pending'])
  await withStripe.runSchedule('payments-follow-up')
  await withStripe.drain()
  await collect(21)
  expect(await one.charges()).toEqual(['succeeded'])
})
