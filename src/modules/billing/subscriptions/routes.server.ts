import { z } from 'zod'
import { problem } from '#kernel/errors.ts'
import { packStateFromStatus, statusForPackState } from '#kernel/packs.ts'
import { createSystemActor } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import { appStatus, packProduct } from '#modules/portal/packs/app-status.ts'
import { matchingRowsCondition } from '#server/data/matching-rows.ts'
import { BoundValues, prepareSql } from '#server/data/values.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { guard } from '#server/engine/guard.ts'
import { eventHandler } from '#server/engine/handler.ts'
import { feature } from '#server/engine/module.ts'
import { type Route, type RouteContext, RouteResponse } from '#server/engine/route.ts'
import type { BatchStepResult, RejectedItem } from '#server/engine/schedule.ts'
import { schedule } from '#server/engine/schedule.ts'
import type { Context, Engine, RecordReader } from '#server/engine/types.ts'
import { subListRoute } from '#server/http/list-route.ts'
import { defineBatchJob, resumeBatchJob, startBatchJob, stopBatchJob } from '#server/jobs/batch-job-control.ts'
import { billingApplication, plan, product } from '../catalogue/plan.ts'
import { customer } from '../customers/customer.ts'
import { describeBillingInterval } from '../lines/payment-words.ts'
import { FINANCE_ROLES, INVOICING_PACK, SELLING_ROLES } from '../rights.ts'
import { subscriptionsChanged } from './events.ts'
import { priceNoticeEmail, priceNoticeRoutes } from './price-notice.server.ts'
import { RENEWABLE_STATUSES, renewableSubscriptionSql, renewCustomerSubscriptions } from './renewal.server.ts'
import { BILLING_RUN_KIND, billingRunRecord } from './run.ts'
import { cancelSubscriptionRoute, subscriptionBehaviour, subscriptionPreviewRoute } from './subscription.server.ts'
import {
  PER_MONTH_SQL,
  priceNotice,
  SUBSCRIPTION_SUMMARY_URL,
  type SubscriptionSummary,
  subscription,
  subscriptionChange,
  subscriptionItem,
} from './subscription.ts'
import { currentItems, type RecurringItem } from './timeline.ts'

/**
 * Returns a customer's client with two sets of pack codes: those that the client's subscriptions give access to now,
 * and those that they have ever given access to. Returns undefined if the customer isn't linked to a client.
 */
async function opened(
  c: RecordReader,
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
      (current ? currentItems(row.items, row.renewsOn) : row.items).flatMap(({ product }) => product ?? []),
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
 * Sets a client's applications according to the client's subscriptions. Current applications are active; former ones
 * are read-only and can be exported. Applications that the client never subscribed to keep their manual setting.
 */
async function openApplications(engine: Engine, clientId: number, id: number): Promise<void> {
  const found = await engine.readIn(clientId, 'look up the applications included in a customer’s subscriptions', (c) =>
    opened(c, id),
  )
  if (!found?.all.size) return
  const { client, open, all } = found
  const why = {
    actor: createSystemActor(client, 'update access to the applications included in a subscription'),
    requestId: 'subscriptions',
  }
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

const applicationAccessHandler = eventHandler(subscriptionsChanged, {
  name: 'subscription.applications',
  queue: 'events',
  send: ({ engine, clientId }, { customer: id }) => openApplications(engine, clientId, id),
})

/** Number of customers per step. They are written together, but are few enough not to delay other work. */
const PORTION = 10

/** SQL condition for subscriptions whose next period has started, for a client and a day. */
const DUE_SUBSCRIPTIONS_SQL = `t.client_id = $1 AND t.renews_on <= $2::date AND ${renewableSubscriptionSql('t')}`

const customersDue = (engine: Engine, clientId: number, day: string, after: number): Promise<{ id: number }[]> =>
  engine.db.tx('system', (tx) =>
    tx.rows(
      `SELECT DISTINCT t.customer_id AS id FROM subscription t WHERE ${DUE_SUBSCRIPTIONS_SQL} AND t.customer_id > $3 ORDER BY 1 LIMIT ${PORTION}`,
      [clientId, day, after],
    ),
  )

/**
 * Invoices due periods, customer by customer. After a stop or crash, the run resumes after the last customer processed.
 * A new run processes only what is still due.
 */
const billingRun = defineBatchJob({
  kind: BILLING_RUN_KIND,
  title: 'Billing run',
  queue: 'bulk',
  oneAtATime: true,
  input: z.object({ day: z.string() }),
  cursor: z.int(),
  screen: '/crm/billing-run',
  begin: async ({ work, clientId }, run) => {
    const [row] = await work.tx.rows<{ n: number }>(
      `SELECT count(DISTINCT t.customer_id)::int AS n FROM subscription t WHERE ${DUE_SUBSCRIPTIONS_SQL}`,
      [clientId, run.input.day],
    )
    return row?.n ?? 0
  },
  steps: async function* (engine, run, from) {
    for (let last = from ?? 0; ; ) {
      const customers = await customersDue(engine, run.clientId, run.input.day, last)
      const end = customers.at(-1)
      if (!end) return
      yield { cursor: end.id, execute: (c) => take(c, customers) }
      last = end.id
    }
  },
})

/**
 * Invoices all customers of a step together. If a customer is rejected, each customer is invoiced separately, so that
 * only the rejected one is left out.
 */
async function take(c: Context, customers: readonly { id: number }[]): Promise<BatchStepResult> {
  // Customers are locked before the number sequence, as when an invoice is issued manually. Otherwise the two could
  // deadlock.
  const ids = customers.map(({ id }) => id)
  await c.lockAll(subscription, { customer: ids, status: [...RENEWABLE_STATUSES] })
  await c.lockAll(customer, { id: ids })
  const tried = await c.attempt(() => renewCustomerSubscriptions(c, ids))
  if (!('value' in tried)) return takeOneByOne(c, customers)
  return { done: customers.length, refused: [], tally: { periods: tried.value } }
}

async function takeOneByOne(c: Context, customers: readonly { id: number }[]): Promise<BatchStepResult> {
  const refused: RejectedItem[] = []
  let periods = 0
  for (const { id } of customers) {
    const tried = await c.attempt(() => renewCustomerSubscriptions(c, [id]))
    if ('value' in tried) periods += tried.value
    else {
      const who = await c.get(customer, id)
      refused.push({
        line: id,
        about: who?.companyName ?? who?.email ?? '',
        reason: tried.refused.message,
        code: tried.refused.code,
      })
    }
  }
  return { done: customers.length - refused.length, refused, tally: { periods } }
}

const renewDaily = schedule({
  name: 'subscriptions-renew',
  every: { daily: '00:30' },
  perClient: async (c) => {
    const day = londonDate(c.now).toString()
    const [due] = await c.work.tx.rows(`SELECT 1 FROM subscription t WHERE ${DUE_SUBSCRIPTIONS_SQL} LIMIT 1`, [
      c.clientId,
      day,
    ])
    if (due) await c.attempt(() => startBatchJob(c, billingRun, { day }))
  },
})

const subscriptionHandlers = [applicationAccessHandler]
const subscriptionSchedules = [renewDaily]

const billingRunBehaviour = behaviour(billingRunRecord, {
  actions: {
    stop: async (c) => {
      await stopBatchJob(c, c.row.id)
      return {}
    },
    resume: async (c) => {
      await resumeBatchJob(c, billingRun, c.row.id)
      return {}
    },
  },
})

/** Returns the monthly amounts of the subscriptions that match a list's query, one row for each currency. */
async function summariseSubscriptions({ engine, me, query }: RouteContext): Promise<SubscriptionSummary[]> {
  const v = new BoundValues()
  const where = matchingRowsCondition(subscription, me, query, engine.extraFilters(subscription, query), v)
  if (!where) return []
  const sum = (condition: string) => `coalesce(sum(${PER_MONTH_SQL}) FILTER (WHERE ${condition}), 0)`
  const rows = await engine.db.read.arrays(
    prepareSql(`SELECT t.currency, count(*), ${sum("t.status NOT IN ('paused', 'cancelled')")}, ${sum("t.status = 'paused'")},
      ${sum("t.status = 'cancelled'")} FROM subscription t WHERE ${where.join(' AND ')} GROUP BY t.currency ORDER BY t.currency`),
    v.list,
  )
  return rows.map(([currency, count, running, paused, cancelled]) => ({
    currency: currency as SubscriptionSummary['currency'],
    count: Number(count),
    running: Number(running),
    paused: Number(paused),
    cancelled: Number(cancelled),
  }))
}

const subscriptionRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: SUBSCRIPTION_SUMMARY_URL,
    title: 'Get the amounts per month of the subscriptions that match a list’s filters, by currency',
    allow: SELLING_ROLES,
    filters: subscription,
    handle: async (c) => ({
      '@id': SUBSCRIPTION_SUMMARY_URL,
      '@type': 'SubscriptionSummary',
      totals: await summariseSubscriptions(c),
    }),
  },
  subListRoute({
    path: `${customer.url}/{id}/subscriptions`,
    title: 'List a customer’s subscriptions, newest first',
    of: customer,
    r: subscription,
    where: (id) => `t.customer_id = ${id}`,
    allow: SELLING_ROLES,
  }),
  subscriptionPreviewRoute,
  cancelSubscriptionRoute,
  ...priceNoticeRoutes,
  {
    method: 'GET',
    path: `${billingRunRecord.url}/due`,
    title: 'Preview what a billing run would invoice today',
    allow: SELLING_ROLES,
    handle: async ({ engine, me, now }) => {
      const day = londonDate(now).toString()
      const [due] = await engine.db.tx('system', (tx) =>
        tx.rows<{ customers: number; subscriptions: number; ending: number }>(
          `SELECT count(DISTINCT t.customer_id)::int AS customers, count(*)::int AS subscriptions,
             (count(*) FILTER (WHERE t.cancel_at_period_end))::int AS ending FROM subscription t WHERE ${DUE_SUBSCRIPTIONS_SQL}`,
          [me.clientId, day],
        ),
      )
      return { day, customers: due?.customers ?? 0, subscriptions: due?.subscriptions ?? 0, ending: due?.ending ?? 0 }
    },
  },
  {
    method: 'POST',
    path: billingRunRecord.url,
    title: 'Start a billing run',
    allow: FINANCE_ROLES,
    refuses: [409],
    handle: (c) =>
      c.engine.inTenant(c.me.clientId, c.change(), async (unit) => {
        const id = await startBatchJob(unit, billingRun, { day: londonDate(c.now).toString() })
        return async () => {
          const made = await c.engine.one(billingRunRecord, c.me, id)
          return new RouteResponse(202, made, { location: made['@id'] })
        }
      }),
  },
]

/** All statuses of subscriptions that have not been cancelled. */
const LIVE_STATUSES = ['trialing', 'active', 'past_due', 'paused'] as const

/**
 * Returns the number of live subscriptions that use a plan or product. The items with which a paused subscription will
 * resume also count.
 */
async function countUsers(c: Context, by: 'plan' | 'product', id: number): Promise<number> {
  const items = await c.find(subscriptionItem, by === 'plan' ? { plan: id } : { product: id })
  const found = await c.find(subscription, { id: items.map((one) => one.subscription), status: [...LIVE_STATUSES] })
  // An item that ends with the period continues if its removal is withdrawn.
  const live = found.filter(({ id: of, renewsOn }) =>
    items.some(({ subscription: s, until }) => s === of && (until === null || until >= renewsOn)),
  )
  const paused = await c.find(subscription, { status: 'paused' })
  const had = paused.filter(({ pausedItems }) => pausedItems?.some((item: RecurringItem) => item[by] === id))
  return new Set([...live, ...had].map((one) => one.id)).size
}

const assertNotSold =
  (by: 'plan' | 'product') =>
  async (c: Context, { id, name }: { readonly id: number; readonly name: string }): Promise<void> => {
    const users = await countUsers(c, by, id)
    if (users)
      throw problem.conflict(
        `“${name}” is used by ${users} ${users === 1 ? 'subscription' : 'subscriptions'}. First switch or remove the plan in each subscription. To stop selling the plan, take its product off sale.`,
        'in_use',
      )
  }

const liveOf = async (c: Context, customerId: number) =>
  (await c.find(subscription, { customer: customerId, status: [...LIVE_STATUSES] }))[0]

const subscriptionGuards = [
  guard(plan, { retire: assertNotSold('plan') }),
  guard(product, { retire: assertNotSold('product') }),
  guard(customer, {
    retire: async (c, { id }) => {
      const live = await liveOf(c, id)
      if (live)
        throw problem.conflict(
          `This customer has a subscription billed ${describeBillingInterval(live.interval, live.intervalCount)}. Cancel that subscription first.`,
        )
    },
    change: {
      currency: async (c, { id }) => {
        const live = await liveOf(c, id)
        if (live)
          throw problem.conflict(
            `This customer has a subscription in ${live.currency}. Cancel that subscription before you change the currency.`,
            'in_use',
          )
      },
    },
  }),
]

export const subscriptions = feature({
  pack: INVOICING_PACK,
  resources: [subscription, subscriptionItem, subscriptionChange, priceNotice, billingRunRecord],
  emails: [priceNoticeEmail],
  behaviours: [subscriptionBehaviour, billingRunBehaviour],
  guards: subscriptionGuards,
  routes: subscriptionRoutes,
  handlers: subscriptionHandlers,
  schedules: subscriptionSchedules,
  batchJobs: [billingRun],
  seeds: () => import('./demo.server.ts'),
})
