import { problem } from '#kernel/errors.ts'
import type { Actor } from '#kernel/roles.ts'
import { behaviour } from '#server/behaviour.ts'
import type { Sent } from '#server/data/plan.ts'
import { type Change, type Engine, present } from '#server/engine.ts'
import { customer } from '../customers/customer.ts'
import { card } from './card.ts'
import type { GatewayCard } from './gateway.server.ts'
import { paymentGateway } from './payments.server.ts'

interface Asked {
  readonly engine: Engine
  readonly actor: Actor
  readonly requestId: string
  /** What the transaction comes with that does what was asked. */
  readonly change: Change
}
/** What a transaction comes with that prepares or only tidies. */
const beside = ({ actor, requestId }: Asked): Change => ({ actor, requestId })

/** How the browser may enter a card for this customer. */
export async function setUpCard(asked: Asked, customerId: number): Promise<Sent> {
  const gateway = await paymentGateway(asked.engine)
  return { ...(await gateway.setUpCard(await gatewayRef(asked, customerId))) }
}

/** Keeps a card that was entered. The same card sent twice is one card. */
export async function addCard(asked: Asked, customerId: number, token: string): Promise<Sent> {
  const gateway = await paymentGateway(asked.engine)
  const held = await gateway.attach(await gatewayRef(asked, customerId), token)
  return store(asked, asked.change, customerId, gateway.name, held)
}

/** Asks the gateway to forget a card; it is kept here, retired, for what was paid with it. */
export async function detachCard(asked: Asked, id: number): Promise<Sent> {
  const { engine, actor } = asked
  const seen = await engine.one(card, actor, id)
  if (seen.retired) return seen
  const [kept] = await engine.db.tx({ clientId: actor.clientId }, (tx) =>
    tx.rows<{ gateway: string; gateway_id: string }>(
      'SELECT gateway, gateway_id FROM card WHERE client_id = $1 AND id = $2',
      [actor.clientId, id],
    ),
  )
  const gateway = await paymentGateway(engine)
  // A card of a gateway that is no longer used can only be let go of here.
  if (kept && kept.gateway === gateway.name) await gateway.detach(kept.gateway_id)
  return engine.inTenant(actor.clientId, asked.change, async ({ work }) => {
    await work.tx.rows('SELECT 1 FROM card WHERE client_id = $1 AND id = $2 FOR UPDATE', [work.clientId, id])
    const done = work.update(
      card,
      { id, clientId: work.clientId, retired: false },
      { retired: true, isDefault: false },
      'detach',
    )
    return () => present(card, actor, done)
  })
}

/** Brings our list up to what the gateway has: cards that are gone there are retired, others are added. */
export async function refreshCards(asked: Asked, customerId: number): Promise<void> {
  const { engine, actor } = asked
  const gateway = await paymentGateway(engine)
  const held = await gateway.cards(await gatewayRef(asked, customerId))
  await engine.inTenant(actor.clientId, beside(asked), async ({ work }) => {
    const ours = await work.tx.rows<{ id: number; gateway_id: string }>(
      'SELECT id, gateway_id FROM card WHERE client_id = $1 AND customer_id = $2 AND gateway = $3 AND NOT retired FOR UPDATE',
      [work.clientId, customerId, gateway.name],
    )
    for (const gone of ours.filter((o) => !held.some((h) => h.id === o.gateway_id)))
      work.update(
        card,
        { id: gone.id, clientId: work.clientId, retired: false },
        { retired: true, isDefault: false },
        'detach',
      )
    return () => undefined
  })
  for (const h of held) await store(asked, beside(asked), customerId, gateway.name, h)
}

async function store(
  { engine, actor }: Asked,
  change: Change,
  customerId: number,
  gateway: string,
  held: GatewayCard,
): Promise<Sent> {
  return engine.inTenant(actor.clientId, change, async ({ work }) => {
    await work.tx.rows('SELECT 1 FROM customer WHERE client_id = $1 AND id = $2 FOR UPDATE', [
      work.clientId,
      customerId,
    ])
    const ours = await work.tx.rows<{ id: number; gateway_id: string }>(
      'SELECT id, gateway_id FROM card WHERE client_id = $1 AND customer_id = $2 AND gateway = $3 AND NOT retired',
      [work.clientId, customerId, gateway],
    )
    const same = ours.find((o) => o.gateway_id === held.id)
    if (same) return () => engine.one(card, actor, same.id)
    const { id: gatewayId, ...shown } = held
    const made = work.create(card, { customer: customerId, gateway, gatewayId, ...shown, isDefault: !ours.length })
    return () => present(card, actor, made)
  })
}

/** What the gateway calls the customer; they are made known to it when first asked. Throws 404 for one beyond the actor's reach. */
async function gatewayRef(asked: Asked, id: number): Promise<string> {
  const { engine, actor } = asked
  const seen = await engine.one(customer, actor, id)
  if (seen.retired) throw problem.conflict('This customer is retired. Bring the customer back before adding cards.')
  const gateway = await paymentGateway(engine)
  const [row] = await engine.db.tx({ clientId: actor.clientId }, (tx) =>
    tx.rows<{ refs: Record<string, string> }>(
      'SELECT gateway_refs AS refs FROM customer WHERE client_id = $1 AND id = $2',
      [actor.clientId, id],
    ),
  )
  const known = row?.refs[gateway.name]
  if (known) return known
  const made = await gateway.customer({
    id,
    email: String(seen.email),
    name: String(seen.companyName ?? seen.contactName ?? seen.email),
  })
  await engine.inTenant(actor.clientId, beside(asked), async ({ work }) => {
    work.update(customer, { id, clientId: work.clientId }, { gatewayRefs: { ...row?.refs, [gateway.name]: made } })
    return () => undefined
  })
  return made
}

export const cardBehaviour = behaviour(card, {
  actions: {
    makeDefault: async ({ row, work }) => {
      if (row.retired) throw problem.conflict('This card was removed. Choose one that is kept.')
      if (row.isDefault) return {}
      const [former] = await work.tx.rows<{ id: number }>(
        'SELECT id FROM card WHERE client_id = $1 AND customer_id = $2 AND is_default AND NOT retired FOR UPDATE',
        [work.clientId, row.customer],
      )
      if (former) {
        work.update(card, { id: former.id, clientId: work.clientId, isDefault: true }, { isDefault: false })
        await work.flush()
      }
      return { set: { isDefault: true } }
    },
  },
})
