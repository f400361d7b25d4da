import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import type { DemoDataPart } from '#server/engine/initial-data.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { enterDemoCard } from '../cards/demo.server.ts'
import { invoice } from '../invoices/invoice.ts'
import { runDueDunningStep } from './collect.server.ts'

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

export const seeds = [dunningPart]
