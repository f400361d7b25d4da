import { PROVIDER } from '#kernel/roles.ts'
import { actorNamed } from '#server/auth/person.ts'
import type { Engine } from '#server/engine/types.ts'
import type { DemoPart } from '#server/engine/world.ts'
import { seedAs } from '#server/seed/story.ts'
import { card } from '../cards/card.ts'
import { refundCharge } from './refund.server.ts'
import { takePayment } from './take.server.ts'

/** Pence that each customer with a card has paid in advance. */
const PAID = [46_800, 93_600]

/** Those who have a card have paid by it; of one payment a part was refunded, of the other more is to be, once a second person has approved it. */
const paymentsPart: DemoPart = {
  name: 'payments',
  needs: ['cards'],
  tell: async (engine) => {
    const cards = await seedAs(engine, { clientId: PROVIDER }, (c) => c.find(card, { retired: false, gateway: 'test' }))
    for (const [i, { id, customer }] of cards.entries())
      await pay(engine, { card: id, customer, amount: PAID[i % PAID.length] ?? 0 })
  },
}

async function pay(engine: Engine, of: { readonly card: number; readonly customer: number; readonly amount: number }) {
  const by = async (username: string) => {
    const change = { actor: await actorNamed(engine.db, PROVIDER, username), requestId: 'demo' }
    return { engine, ...change, change, finish: change }
  }
  const paid = await takePayment(await by('staff'), {
    ...of,
    invoice: null,
    method: 'card',
    currency: null,
    amountDue: null,
    reference: '',
    receivedAt: null,
    notes: 'Paid on the telephone',
    keepBoth: false,
  })
  const isLarge = of.amount > 50_000
  await refundCharge(await by('manager'), {
    charge: paid.id,
    amount: isLarge ? 60_000 : 4680,
    reason: isLarge ? 'The second site is not opened after all' : 'One month too many',
    notes: '',
    amountRefunded: 0,
  })
}

export const seeds = [paymentsPart]
