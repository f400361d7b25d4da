import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import type { DemoDataPart } from '#server/engine/initial-data.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { enterDemoCard } from '../cards/demo.server.ts'
import { invoice } from '../invoices/invoice.ts'
import { runDueDunningStep } from './collect.server.ts'
import { overdueInvoice } from './overdue.ts'

/** Test card that can be saved but is declined when charged. */
const DECLINED = '4000 0000 0000 0341'

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

export const seeds = [dunningPart, promisePart]
