import { z } from 'zod'
import { londonDate } from '#kernel/time.ts'
import type { Refusal, StepResult } from '#server/engine/batch-job.ts'
import { schedule } from '#server/engine/schedule.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { startBatchJob } from '#server/jobs/batch-job-control.ts'
import { defineBatchJob } from '#server/jobs/define-batch-job.ts'
import { customer } from '../customers/customer.ts'
import { applicationAccessHandler } from './applications.server.ts'
import { RENEWING_STATUSES, renewableSql, renewCustomers } from './renewal.server.ts'
import { BILLING_RUN_KIND } from './run.ts'
import { subscription } from './subscription.ts'

/** Customers per step, written together: few enough not to delay other work. */
const PORTION = 10

/** SQL condition: subscriptions whose next period has started, for a client and a day. */
export const DUE_SUBSCRIPTIONS_SQL = `t.client_id = $1 AND t.renews_on <= $2::date AND ${renewableSql('t')}`

const customersDue = (engine: Engine, clientId: number, day: string, after: number): Promise<{ id: number }[]> =>
  engine.db.tx('system', (tx) =>
    tx.rows(
      `SELECT DISTINCT t.customer_id AS id FROM subscription t WHERE ${DUE_SUBSCRIPTIONS_SQL} AND t.customer_id > $3 ORDER BY 1 LIMIT ${PORTION}`,
      [clientId, day, after],
    ),
  )

/**
 * Invoices what is due, customer by customer. After a stop or crash it resumes after the last one; a new run finds only
 * the rest.
 */
export const billingRun = defineBatchJob({
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

/** All at once; if one is refused, each separately, so that only that one is left out. */
async function take(c: Context, customers: readonly { id: number }[]): Promise<StepResult> {
  // Lock order customer, then number sequence, as when issuing manually; otherwise the two could deadlock.
  const ids = customers.map(({ id }) => id)
  await c.lockAll(subscription, { customer: ids, status: [...RENEWING_STATUSES] })
  await c.lockAll(customer, { id: ids })
  const tried = await c.attempt(() => renewCustomers(c, ids))
  if (!('value' in tried)) return takeOneByOne(c, customers)
  return { done: customers.length, refused: [], tally: { periods: tried.value } }
}

async function takeOneByOne(c: Context, customers: readonly { id: number }[]): Promise<StepResult> {
  const refused: Refusal[] = []
  let periods = 0
  for (const { id } of customers) {
    const tried = await c.attempt(() => renewCustomers(c, [id]))
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

export const subscriptionHandlers = [applicationAccessHandler]
export const subscriptionSchedules = [renewDaily]
