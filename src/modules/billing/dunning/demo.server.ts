import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import { readActorByUsername } from '#server/auth/read-actor.ts'
import type { DemoDataPart } from '#server/engine/initial-data.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { card } from '../cards/card.ts'
import { enterDemoCard } from '../cards/demo.server.ts'
import { signMandate } from '../cards/mandate.server.ts'
import { TEST_ACCOUNTS, TEST_SORT_CODE } from '../cards/test-cards.ts'
import { invoice } from '../invoices/invoice.ts'
import { paymentSettings } from '../payments/charge.ts'
import { runDueDunningStep } from './collect.server.ts'
import { overdueInvoice } from './overdue.ts'

/** Test card that can be saved but is declined when charged. */
const DECLINED = '4000 0000 0000 0341'

/** Name on bank statements for Direct Debits. */
const NAME = 'STANCHION DEMO'

/** A subscription whose card was declined this morning and will be retried. */
const dunningPart: DemoDataPart = {
  name: 'a failed payment',
  needs: ['subscriptions', 'cards'],
  tell: async (engine) => {
    const today = londonDate(engine.clock.now()).toString()
    const [owed] = await seedAsUser(engine, { clientId: PROVIDER_CLIENT_ID }, (c) =>
      c.find(invoice, { state: 'open', origin: 'subscription', dueOn: today }),
    )
    if (!owed) return
    await enterDemoCard(engine, owed.customer, DECLINED)
    await runDueDunningStep(engine, PROVIDER_CLIENT_ID, owed.id)
  },
}

/** The invoice that is longest overdue, with a promise to pay in three days. */
const promisePart: DemoDataPart = {
  name: 'a promise to pay',
  needs: ['invoices', 'bank', 'a failed payment'],
  tell: async (engine) => {
    const today = londonDate(engine.clock.now())
    await seedAsUser(engine, { clientId: PROVIDER_CLIENT_ID, username: 'manager' }, async (c) => {
      const late = (await c.find(invoice, { state: 'open', subscriptionId: null }))
        .filter(({ dueOn }) => dueOn !== null && dueOn < today.toString())
        .toSorted((a, b) => (a.dueOn ?? '').localeCompare(b.dueOn ?? ''))
      if (late[0]) await c.act(overdueInvoice, 'promise', late[0].id, { on: today.add({ days: 3 }).toString() })
    })
  },
}

/** Offers Direct Debits, with an instruction signed by the customer of an invoice that is due later. */
const mandatePart: DemoDataPart = {
  name: 'a direct debit',
  needs: ['a promise to pay'],
  tell: async (engine) => {
    const today = londonDate(engine.clock.now()).toString()
    const manager = { clientId: PROVIDER_CLIENT_ID, username: 'manager' }
    const owed = await seedAsUser(engine, manager, async (c) => {
      for (const { id } of await c.find(paymentSettings, {})) await c.change(paymentSettings, id, { debitName: NAME })
      const withCard = new Set((await c.find(card, {})).map(({ customer }) => customer))
      return (await c.find(invoice, { state: 'open', currency: 'GBP' }))
        .filter(({ dueOn, customer }) => dueOn !== null && dueOn > today && !withCard.has(customer))
        .toSorted((a, b) => a.id - b.id)[0]
    })
    if (!owed) return
    const change = { actor: await readActorByUsername(engine.db, PROVIDER_CLIENT_ID, 'staff'), requestId: 'demo' }
    await signMandate(
      { engine, ...change, change },
      {
        customer: owed.customer,
        invoice: owed.id,
        company: owed.company,
        email: owed.buyer?.email ?? '',
        address: owed.buyer?.address ?? [],
        serviceName: NAME,
        acceptance: { address: '127.0.0.1', agent: 'Demo data' },
      },
      {
        holder: owed.company,
        sortCode: TEST_SORT_CODE,
        accountNumber: TEST_ACCOUNTS[0]?.number ?? '',
        authorised: true,
      },
    )
  },
}

export const seeds = [dunningPart, promisePart, mandatePart]
