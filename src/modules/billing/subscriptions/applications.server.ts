import { packStateFromStatus, statusForPackState } from '#kernel/packs.ts'
import { systemActor } from '#kernel/roles.ts'
import { appStatus, packProduct } from '#modules/portal/packs/app-status.ts'
import { eventHandler } from '#server/engine/handler.ts'
import type { Engine, Reader } from '#server/engine/types.ts'
import { billingApplication } from '../catalogue/product.ts'
import { customer } from '../customers/customer.ts'
import { subscriptionsChanged } from './events.ts'
import { subscription } from './subscription.ts'

/** Packs opened by a customer's subscriptions, now and earlier, by code, for their client. */
async function opened(
  c: Reader,
  id: number,
): Promise<{ client: number; open: Set<string>; all: Set<string> } | undefined> {
  const buyer = await c.get(customer, id)
  if (!buyer?.client) return undefined
  const theirs = await c.find(customer, { client: buyer.client })
  const rows = await c.find(subscription, { customer: theirs.map((one) => one.id) })
  const isOpen = (row: (typeof rows)[number]) =>
    row.lapsedOn === null && row.status !== 'cancelled' && row.status !== 'paused'
  const products = (of: typeof rows, current: boolean) =>
    of.flatMap((row) =>
      row.items.flatMap((item) => (item.product !== null && (!current || item.until === null) ? [item.product] : [])),
    )
  const codes = async (ids: number[]) =>
    new Set(
      ids.length
        ? (await c.find(billingApplication, { product: ids, retired: false })).flatMap(({ code }) => code || [])
        : [],
    )
  return {
    client: buyer.client,
    open: await codes(products(rows.filter(isOpen), true)),
    all: await codes(products(rows, false)),
  }
}

/**
 * Sets a client's applications from their subscriptions: current ones are active, former ones read-only with export.
 * Applications never subscribed to keep their manual setting.
 */
async function openApplications(engine: Engine, clientId: number, id: number): Promise<void> {
  const found = await engine.readIn(clientId, 'look up the applications of a customer’s subscriptions', (c) =>
    opened(c, id),
  )
  if (!found?.all.size) return
  const { client, open, all } = found
  const why = { actor: systemActor(client, 'open the applications of a subscription'), requestId: 'subscriptions' }
  await engine.inTenant(client, why, async (c) => {
    for (const product of await c.find(packProduct, { code: [...all] })) {
      const [has] = await c.lockAll(appStatus, { product: product.id })
      const state = open.has(product.code) ? 'active' : 'lapsed'
      const was = has ? packStateFromStatus(has) : 'none'
      if (was === state || (was === 'none' && state === 'lapsed')) continue
      if (has) await c.change(appStatus, has, { ...statusForPackState(state) })
      else await c.create(appStatus, { product: product.id })
    }
    return () => undefined
  })
}

export const applicationAccessHandler = eventHandler(subscriptionsChanged, {
  name: 'subscription.applications',
  queue: 'events',
  send: ({ engine, clientId }, { customer: id }) => openApplications(engine, clientId, id),
})
