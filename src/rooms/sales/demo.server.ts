import { PROVIDER } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import { quote } from '#rooms/billing/quotes/quote.ts'
import type { DemoPart } from '#server/engine/world.ts'
import { tell } from '#server/world/story.ts'
import { commissionRate } from './commission/rate.ts'
import { countAccepted } from './counted/count.server.ts'

const PER_CENT = 8

/** What customers have accepted is counted, and earns commission. */
const salesPart: DemoPart = {
  name: 'sales',
  needs: ['quotes'],
  tell: async (engine) => {
    const from = londonDate(engine.clock.now()).subtract({ years: 1 }).toString()
    await tell(engine, { clientId: PROVIDER, username: 'manager' }, (c) =>
      c.create(commissionRate, { percent: PER_CENT, from }),
    )
    const accepted = await tell(engine, { clientId: PROVIDER }, (c) => c.find(quote, { state: 'accepted' }))
    for (const { id, decidedAt } of accepted) {
      if (decidedAt === null) continue
      await tell(engine, { clientId: PROVIDER, at: Temporal.Instant.from(decidedAt) }, async (c) =>
        countAccepted(c, await c.lock(quote, id), decidedAt),
      )
    }
  },
}

export const demo = [salesPart]
