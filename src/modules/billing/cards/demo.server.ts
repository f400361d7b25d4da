import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { readActorByUsername } from '#server/auth/read-actor.ts'
import type { DemoDataPart } from '#server/engine/initial-data.ts'
import type { Engine } from '#server/engine/types.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { customer } from '../customers/customer.ts'
import { addCard, startCardEntry } from './card.server.ts'
import { tokeniseTestCard } from './test-gateway.server.ts'

const NUMBERS = ['4242 4242 4242 4242', '5555 5555 5555 4444']
const EXPIRY = '12/31'

/** Adds cards to the first customers, on the test gateway only. */
const cardsPart: DemoDataPart = {
  name: 'cards',
  needs: ['customers'],
  tell: async (engine) => {
    const customers = await seedAsUser(engine, { clientId: PROVIDER_CLIENT_ID }, (c) => c.find(customer, {}))
    for (const [i, number] of NUMBERS.entries()) {
      const holder = customers[i]
      if (holder) await enterDemoCard(engine, holder.id, number)
    }
  },
}

export async function enterDemoCard(engine: Engine, customerId: number, number: string): Promise<void> {
  const actor = await readActorByUsername(engine.db, PROVIDER_CLIENT_ID, 'staff')
  const change = { actor, requestId: 'demo' }
  const asked = { engine, ...change, change }
  const page = await startCardEntry(asked, customerId)
  if (page.gateway !== 'test') return
  const session = page.url.split('/').at(-1) ?? ''
  const { token } = await tokeniseTestCard(engine.db, session, { number, expiry: EXPIRY, cvc: '123' })
  await addCard(asked, customerId, token)
}

export const seeds = [cardsPart]
