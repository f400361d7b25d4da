import { problem } from '#kernel/errors.ts'
import type { RecordOf, RowOf } from '#kernel/resource.ts'
import { type Actor, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { serialiseWrittenRecord } from '#server/engine/field-access.ts'
import type { Context, Engine, WriteRequest } from '#server/engine/types.ts'
import { customer } from '../customers/customer.ts'
import { type CardSavingChoice, card } from './card.ts'
import {
  type CardEntryMethod,
  type CardEntryPurpose,
  type GatewayCard,
  GatewayError,
  type PaymentGateway,
} from './payment-gateway.server.ts'
import { createTestGateway } from './test-gateway.server.ts'

const gateways = new WeakMap<Engine, PaymentGateway>()

/**
 * Returns the configured payment service: Stripe if its keys are set, or the built-in test gateway in a demo or test
 * installation. Otherwise throws 409, because a live portal must never take cards without moving money.
 */
export async function getPaymentGateway(engine: Engine): Promise<PaymentGateway> {
  const known = gateways.get(engine) ?? (await open(engine))
  if (!known) throw problem.conflict(NO_GATEWAY_MESSAGE, 'no_gateway')
  gateways.set(engine, known)
  return known
}

const NO_GATEWAY_MESSAGE =
  'No payment service is configured, so cards can’t be accepted. Ask an administrator to set STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY.'

async function open(engine: Engine): Promise<PaymentGateway | undefined> {
  if (engine.config.stripe) return (await import('./stripe.server.ts')).createStripeGateway(engine.config.stripe)
  return (await isTrial(engine)) ? createTestGateway(engine.db) : undefined
}

/** Returns whether this is a demo or test installation. Only these have a clock that can be moved. */
const isTrial = async (engine: Engine): Promise<boolean> =>
  (await engine.db.tx('system', (tx) => tx.rows('SELECT 1 FROM clock'))).length > 0

export interface CardWriteContext {
  readonly engine: Engine
  readonly actor: Actor
  readonly requestId: string
  /** Write request for the transaction that makes the requested change. */
  readonly change: WriteRequest
}
/** Creates a write request for transactions that only prepare or clean up. */
const beside = ({ actor, requestId }: CardWriteContext): WriteRequest => ({ actor, requestId })

/** Starts card entry for a customer. Returns how the browser enters the card, either to save it or to pay with it. */
export async function startCardEntry(
  asked: CardWriteContext,
  customerId: number,
  purpose: CardEntryPurpose = 'keep',
): Promise<CardEntryMethod> {
  const gateway = await getPaymentGateway(asked.engine)
  return gateway.setUpCard(await getOrCreateGatewayCustomerId(asked, customerId), purpose)
}

/** Saves an entered card. A card that is sent twice is saved once. */
export async function addCard(
  asked: CardWriteContext,
  customerId: number,
  token: string,
  kept: CardSavingChoice = 'yes',
): Promise<RecordOf<typeof card>> {
  const gateway = await getPaymentGateway(asked.engine)
  const held = await gateway.attach(await getOrCreateGatewayCustomerId(asked, customerId), token)
  return keepCard(asked, { change: asked.change, customerId, gateway: gateway.name, kept }, held)
}

/**
 * Detaches a card at the gateway. The record is retired instead of deleted, because past payments refer to it. Throws
 * 409 while a payment with the card is in progress. `evenIfLost` allows this even if the gateway no longer has the
 * card.
 */
export async function detachCard(
  asked: CardWriteContext,
  id: number,
  { evenIfLost = false } = {},
): Promise<RecordOf<typeof card>> {
  const { engine, actor } = asked
  const seen = await engine.one(card, actor, id)
  if (seen.retired) return seen
  if (await readUnseen(asked, (c) => isPaying(c, id)))
    throw problem.conflict(
      'A payment with this card is in progress. Wait until the payment has finished, then remove the card.',
      'in_use',
    )
  const kept = await readUnseen(asked, (c) => c.get(card, id))
  const gateway = await getPaymentGateway(engine)
  // If the card belongs to a gateway that is no longer in use, only our record can be retired.
  if (kept && kept.gateway === gateway.name)
    await gateway.detach(kept.gatewayId).catch((e: unknown) => {
      if (!(evenIfLost && e instanceof GatewayError && e.status === 422)) throw e
    })
  return engine.inTenant(actor.clientId, asked.change, async (c) => {
    const done = await retireCard(c, await c.lock(card, id))
    return () => serialiseWrittenRecord(card, actor, done)
  })
}

/**
 * Returns whether a payment with the card is in progress. Queries the table directly, because the payment code depends
 * on the card code.
 */
async function isPaying(c: Context, id: number): Promise<boolean> {
  const found = await c.work.tx.rows(
    "SELECT 1 FROM charge WHERE client_id = $1 AND card_id = $2 AND state = 'pending' LIMIT 1",
    [c.clientId, id],
  )
  return found.length > 0
}

/** Retires a card. If the card was the default, the latest remaining card becomes the default. */
async function retireCard(c: Context, row: RowOf<typeof card>) {
  const done = await c.set(card, row, { retired: true, default: false }, 'detach')
  if (!row.default) return done
  // Saved before the next default is set, because a customer must never have two default cards.
  await done.saved()
  const next = (await c.lockAll(card, { customer: row.customer, retired: false, kept: 'yes' })).findLast(
    ({ id }) => id !== row.id,
  )
  if (next) await c.set(card, next, { default: true }, 'update')
  return done
}

/**
 * Synchronises our cards with the gateway. Retires cards that the gateway no longer has, unless a payment with the card
 * is in progress, and adds those we don't have yet.
 */
export async function syncCustomerCards(asked: CardWriteContext, customerId: number): Promise<void> {
  const { engine, actor } = asked
  const gateway = await getPaymentGateway(engine)
  const held = await gateway.cards(await getOrCreateGatewayCustomerId(asked, customerId))
  const known = await engine.inTenant(actor.clientId, beside(asked), async (c) => {
    const ours = await c.lockAll(card, { customer: customerId, gateway: gateway.name, retired: false })
    for (const row of ours)
      if (!held.some((h) => h.id === row.gatewayId) && !(await isPaying(c, row.id))) await retireCard(c, row)
    return () => ours.map((row) => row.gatewayId)
  })
  const to = { change: beside(asked), customerId, gateway: gateway.name, kept: 'yes' } as const
  for (const h of held) if (!known.includes(h.id)) await keepCard(asked, to, h)
}

interface Keeping {
  readonly change: WriteRequest
  readonly customerId: number
  readonly gateway: string
  readonly kept: CardSavingChoice
}

/**
 * Creates our record of the card. If the card is already recorded but was not saved, updates its saving choice. A
 * customer's first saved card becomes the default.
 */
async function keepCard(
  { engine, actor }: CardWriteContext,
  { change, customerId, gateway, kept }: Keeping,
  held: GatewayCard,
): Promise<RecordOf<typeof card>> {
  return engine.inTenant(actor.clientId, change, async (c) => {
    await c.lock(customer, customerId)
    const ours = await c.find(card, { customer: customerId, gateway, retired: false })
    const same = ours.find((row) => row.gatewayId === held.id)
    const isFirst = kept === 'yes' && !ours.some((row) => row.kept === 'yes')
    if (same) {
      if (same.kept !== 'yes') await c.set(card, same, { kept, default: isFirst }, 'update')
      return () => engine.one(card, actor, same.id)
    }
    const { id: gatewayId, ...shown } = held
    const made = await c.withoutPermissionCheck('save a card held by the payment service').create(card, {
      customer: customerId,
      gateway,
      gatewayId,
      ...shown,
      expiresOn: lastDayOf(held),
      kept,
      default: isFirst,
    })
    return () => serialiseWrittenRecord(card, actor, made)
  })
}

/** Returns the last day of the expiry month, up to which a card is valid. */
const lastDayOf = ({ expYear, expMonth }: GatewayCard): string =>
  Temporal.PlainDate.from({ year: expYear, month: expMonth, day: 31 }, { overflow: 'constrain' }).toString()

/**
 * Returns the customer's ID at the gateway. On first use, creates the customer there. Throws 404 if the actor can't
 * access the customer, and 409 if the customer is retired or the client can't take card payments.
 */
export async function getOrCreateGatewayCustomerId(asked: CardWriteContext, id: number): Promise<string> {
  const { engine, actor } = asked
  const seen = await engine.one(customer, actor, id)
  if (seen.retired) throw problem.conflict('This customer is retired. Restore the customer before adding cards.')
  const unseen = await readUnseen(asked, (c) => c.get(customer, id))
  if (!(await canClientAcceptCards(engine, actor.clientId)))
    throw problem.conflict(
      'Card payments are not available here. Customers pay by bank transfer, and payments are recorded manually.',
      'no_gateway',
    )
  const gateway = await getPaymentGateway(engine)
  const known = unseen?.gatewayRefs[gateway.name]
  if (known) return known
  const made = await gateway.customer({
    id,
    key: unseen?.gatewayKey ?? '',
    email: seen.email,
    name: seen.companyName ?? seen.contactName ?? seen.email,
  })
  await engine.inTenant(actor.clientId, beside(asked), async (c) => {
    const row = await c.lock(customer, id)
    await c.set(customer, row, { gatewayRefs: { ...row.gatewayRefs, [gateway.name]: made } }, 'update')
    return () => undefined
  })
  return made
}

/**
 * Returns whether this client may take card payments. The payment service belongs to the provider, so another client's
 * money would go to the provider.
 */
export async function canClientAcceptCards({ db }: Pick<Engine, 'db'>, clientId: number): Promise<boolean> {
  if (clientId === PROVIDER_CLIENT_ID) return true
  const [rules] = await db.tx({ clientId }, (tx) =>
    tx.rows<{ takes: boolean }>('SELECT takes_cards AS takes FROM payment_settings WHERE client_id = $1', [clientId]),
  )
  return rules?.takes === true
}

/** Reads fields that are hidden from the actor, on a record that the actor can access. */
const readUnseen = <T>(asked: CardWriteContext, read: (c: Context) => Promise<T>): Promise<T> =>
  asked.engine.inTenant(asked.actor.clientId, beside(asked), async (c) => {
    const found = await read(c)
    return () => found
  })

/**
 * Clears the current default card. Saves the change immediately, because a customer must never have two default cards.
 */
async function leaveDefault(c: Context, customerId: number): Promise<void> {
  const [former] = await c.lockAll(card, { customer: customerId, default: true, retired: false })
  if (former) await (await c.set(card, former, { default: false }, 'update')).saved()
}

/** Saves a card entered for one payment and makes it the default. Leaves a retired or already saved card unchanged. */
export async function saveOneOffCardAsDefault(c: Context, id: number): Promise<void> {
  const row = await c.lock(card, id)
  if (row.retired || row.kept === 'yes') return
  await leaveDefault(c, row.customer)
  await c.set(card, row, { kept: 'yes', default: true }, 'keep')
}

export const cardBehaviour = behaviour(card, {
  actions: {
    makeDefault: async (c) => {
      const { row } = c
      if (row.retired) throw problem.conflict('This card was removed. Choose a saved card.')
      if (row.kept !== 'yes') throw problem.conflict('This card was entered for one payment and is not saved.')
      if (row.default) return {}
      await leaveDefault(c, row.customer)
      return { set: { default: true } }
    },
  },
})
