import { PROVIDER } from '#kernel/roles.ts'
import { actorByUsername } from '#server/auth/read-actor.ts'
import type { DemoPart } from '#server/engine/initial-data.ts'
import type { Engine } from '#server/engine/types.ts'
import { seedAs } from '#server/seed/seed-as.ts'
import { customer } from '../customers/customer.ts'
import { addCard, setUpCard } from './card.server.ts'
import { tokenizeTestCard } from './test-gateway.server.ts'

const NUMBERS = ['4242 4242 4242 4242', '5555 5555 5555 4444']
const EXPIRY = '12/31'

/** Enters cards for the first customers, on the test gateway only. */
const cardsPart: DemoPart = {
  name: 'cards',
  needs: ['customers'],
  tell: async (engine) => {
    const customers = await seedAs(engine, { clientId: PROVIDER }, (c) => c.find(customer, {}))
    for (const [i, number] of NUMBERS.entries()) {
      const holder = customers[i]
      if (holder) await enterDemoCard(engine, holder.id, number)
    }
  },
}

export async function enterDemoCard(engine: Engine, customerId: number, number: string): Promise<void> {
  const actor = await actorByUsername(engine.db, PROVIDER, 'staff')
  const change = { actor, requestId: 'demo' }
  const asked = { engine, ...change, change }
  const page = await setUpCard(asked, customerId)
  if (page.gateway !== 'test') return
  const session = page.url.split('/').at(-1) ?? ''
  const { token } = await tokenizeTestCard(engine.db, session, { number, expiry: EXPIRY, cvc: '123' })
  await addCard(asked, customerId, token)
}

export const seeds = [cardsPart]
