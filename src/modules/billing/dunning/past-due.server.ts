import { londonDate, ukDay } from '#kernel/time.ts'
import { schedule } from '#server/engine/schedule.ts'
import type { Context } from '#server/engine/types.ts'
import { type SubscriptionChangeKind, subscriptionChange } from '../subscriptions/change.ts'
import { subscriptionsChanged } from '../subscriptions/events.ts'
import type { SubscriptionRow, SubscriptionValues } from '../subscriptions/facts.server.ts'
import { RENEWING_STATUSES } from '../subscriptions/renewal.server.ts'
import { subscription } from '../subscriptions/subscription.ts'
import { loadDunningRules } from './settings.server.ts'

/** Due date of a subscription's oldest unpaid invoice, and the last day before its modules become read-only. */
interface Overdue {
  readonly due: string
  readonly until: string
}

/** For reopened invoices, days are counted from the reopening; nothing is restricted before a promised date. */
const OVERDUE = `SELECT x.subscription_id AS id, min(d.due)::text AS due, min(greatest(d.due + $3::int, d.paused_until))::text AS until
  FROM subscription_change x JOIN invoice i ON i.client_id = x.client_id AND i.id = x.invoice_id
  CROSS JOIN LATERAL (SELECT greatest(i.due_on, u.due_on) AS due, u.paused_until
    FROM (SELECT 1) one LEFT JOIN dunning u ON u.client_id = i.client_id AND u.invoice_id = i.id) d
  WHERE x.client_id = $1 AND d.due < $2::date AND i.state IN ('open', 'uncollectible') AND ($4::bigint[] IS NULL OR x.subscription_id = ANY ($4))
  GROUP BY x.subscription_id`

/**
 * Updates subscriptions from their payments: unpaid ones become past due, then lapsed; paid ones are restored. All, or
 * those given.
 */
export async function updatePastDue(c: Context, ids?: readonly number[]): Promise<void> {
  const { lapseDays } = await loadDunningRules(c)
  await c.work.flush()
  const rows = await c.work.tx.rows<Overdue & { readonly id: string }>(OVERDUE, [
    c.clientId,
    londonDate(c.now).toString(),
    lapseDays,
    ids ?? null,
  ])
  const overdue = new Map(rows.map(({ id, ...since }) => [Number(id), since]))
  const late = [...overdue.keys()]
  const found = late.length ? await c.lockAll(subscription, { id: late, status: [...RENEWING_STATUSES] }) : []
  const paid = await c.lockAll(subscription, { status: 'past_due', ...(ids ? { id: [...ids] } : {}) })
  for (const row of [...found, ...paid.filter(({ id }) => !overdue.has(id))]) await follow(c, row, overdue.get(row.id))
}

export const pastDueDaily = schedule({
  name: 'subscriptions-past-due',
  every: { daily: '06:30' },
  perClient: (c) => updatePastDue(c),
})

async function follow(c: Context, row: SubscriptionRow, overdue: Overdue | undefined): Promise<void> {
  const day = londonDate(c.now).toString()
  if (!overdue) {
    if (row.pastDueOn !== null)
      await move(
        c,
        row,
        'recovered',
        { status: 'active', pastDueOn: null, lapsedOn: null, ...goesOnFrom(row, day) },
        'Paid and active again.',
      )
    return
  }
  const lapses = day > overdue.until && row.lapsedOn === null
  const was = `An invoice was due on ${ukDay(overdue.due)}`
  if (row.pastDueOn === null)
    await move(
      c,
      row,
      'pastDue',
      { status: 'past_due', pastDueOn: day, ...(lapses ? { lapsedOn: day } : {}) },
      `${was}.`,
    )
  else if (lapses) await move(c, row, 'lapsed', { lapsedOn: day }, `${was}: its modules are read-only.`)
}

/** A subscription that had lapsed at its renewal starts a new period today: read-only time is not charged. */
const goesOnFrom = (row: SubscriptionRow, day: string): SubscriptionValues =>
  row.lapsedOn !== null && row.renewsOn < day && !row.cancelAtPeriodEnd ? { anchor: day, renewsOn: day } : {}

async function move(
  c: Context,
  row: SubscriptionRow,
  kind: SubscriptionChangeKind,
  set: SubscriptionValues,
  description: string,
): Promise<void> {
  const right = c.withoutPermissionCheck('update a subscription from its payments')
  const day = londonDate(c.now).toString()
  await right.create(subscriptionChange, { subscription: row.id, kind, day, description, lines: [] })
  await right.set(subscription, row, set, kind)
  await c.emit(subscriptionsChanged, { customer: row.customer })
}
