import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { readActorByUsername } from '#server/auth/read-actor.ts'
import type { DemoDataPart } from '#server/engine/initial-data.ts'
import type { Engine } from '#server/engine/types.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { card } from '../cards/card.ts'
import { refundCharge } from './refund.server.ts'
import { takePayment } from './take-payment.server.ts'

/** Advance payments, in pence, from demo customers who have a card. */
const PAID = [46_800, 93_600]

/** Card payments. One has a partial refund; another has a refund that awaits approval. */
const demoPayments: DemoDataPart = {
  name: 'payments',
  needs: ['cards'],
  tell: async (engine) => {
    const cards = await seedAsUser(engine, { clientId: PROVIDER_CLIENT_ID }, (c) =>
      c.find(card, { retired: false, gateway: 'test' }),
    )
    for (const [i, { id, customer }] of cards.entries())
      await pay(engine, { card: id, customer, amount: PAID[i % PAID.length] ?? 0 })
  },
}

async function pay(engine: Engine, of: { readonly card: number; readonly customer: number; readonly amount: number }) {
  const by = async (username: string) => {
    const change = { actor: await readActorByUsername(engine.db, PROVIDER_CLIENT_ID, username), requestId: 'demo' }
    return { engine, ...change, change, finish: change }
  }
  const paid = await takePayment(await by('manager'), {
    ...of,
    invoice: null,
    method: 'card',
    currency: null,
    amountDue: null,
    reference: '',
    receivedAt: null,
    notes: 'Paid by telephone',
    keepBoth: false,
  })
  const isLarge = of.amount > 50_000
  await refundCharge(await by('manager'), {
    charge: paid.id,
    amount: isLarge ? 60_000 : 4680,
    reason: isLarge ? 'The second site is not opening after all' : 'One month too many charged',
    notes: '',
    amountRefunded: 0,
  })
}

export const seeds = [demoPayments]
