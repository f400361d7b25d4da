import { londonDate, ukDay } from '#kernel/time.ts'
import { schedule } from '#server/engine/schedule.ts'
import type { Context } from '#server/engine/types.ts'
import { type ChangeKind, subscriptionChange } from '../subscriptions/change.ts'
import { subscriptionsMoved } from '../subscriptions/events.ts'
import type { SubscriptionRow, SubscriptionValues } from '../subscriptions/facts.server.ts'
import { GOING_ON } from '../subscriptions/renewal.server.ts'
import { subscription } from '../subscriptions/subscription.ts'
import { rulesOf } from './settings.server.ts'

/** Since when an invoice of a subscription is to be paid, and the last day on which what it opens can be changed. */
interface Overdue {
  readonly due: string
  readonly until: string
}

/** Of an invoice that was paid and opened again, days are counted from then; until a promised day nothing is taken away. */
const OVERDUE = `SELECT x.subscription_id AS id, min(d.due)::text AS due, min(greatest(d.due + $3::int, d.paused_until))::text AS until
  FROM subscription_change x JOIN invoice i ON i.client_id = x.client_id AND i.id = x.invoice_id
  CROSS JOIN LATERAL (SELECT greatest(i.due_on, u.due_on) AS due, u.paused_until
    FROM (SELECT 1) one LEFT JOIN dunning u ON u.client_id = i.client_id AND u.invoice_id = i.id) d
  WHERE x.client_id = $1 AND d.due < $2::date AND i.state IN ('open', 'uncollectible') AND ($4::bigint[] IS NULL OR x.subscription_id = ANY ($4))
  GROUP BY x.subscription_id`

/** Who has not paid in time is past due, and after some days has lapsed; who has paid goes on as before. Of all subscriptions, or of these. */
export async function followPayments(c: Context, ids?: readonly number[]): Promise<void> {
  const { lapseDays } = await rulesOf(c)
  await c.work.flush()
  const rows = await c.work.tx.rows<Overdue & { readonly id: string }>(OVERDUE, [
    c.clientId,
    londonDate(c.now).toString(),
    lapseDays,
    ids ?? null,
  ])
  const overdue = new Map(rows.map(({ id, ...since }) => [Number(id), since]))
  const late = [...overdue.keys()]
  const found = late.length ? await c.lockAll(subscription, { id: late, status: [...GOING_ON] }) : []
  const paid = await c.lockAll(subscription, { status: 'past_due', ...(ids ? { id: [...ids] } : {}) })
  for (const row of [...found, ...paid.filter(({ id }) => !overdue.has(id))]) await follow(c, row, overdue.get(row.id))
}

export const pastDueDaily = schedule({
  name: 'subscriptions-past-due',
  every: { daily: '06:30' },
  perClient: (c) => followPayments(c),
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
        'Paid, and goes on as before.',
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
  else if (lapses) await move(c, row, 'lapsed', { lapsedOn: day }, `${was}: what it opens can only be read.`)
}

/** What had lapsed when its next period came has that from today: until now it could only be read, and nothing is charged for that. */
const goesOnFrom = (row: SubscriptionRow, day: string): SubscriptionValues =>
  row.lapsedOn !== null && row.renewsOn < day && !row.cancelAtPeriodEnd ? { anchor: day, renewsOn: day } : {}

async function move(
  c: Context,
  row: SubscriptionRow,
  kind: ChangeKind,
  set: SubscriptionValues,
  description: string,
): Promise<void> {
  const right = c.withoutPermissionCheck('a subscription stands as it is paid')
  const day = londonDate(c.now).toString()
  await right.create(subscriptionChange, { subscription: row.id, kind, day, description, lines: [] })
  await right.set(subscription, row, set, kind)
  await c.emit(subscriptionsMoved, { customer: row.customer })
}
