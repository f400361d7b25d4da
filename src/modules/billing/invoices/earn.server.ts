import type { Currency } from '#kernel/money.ts'
import { londonDate } from '#kernel/time.ts'
import { schedule } from '#server/engine/schedule.ts'
import type { Context } from '#server/engine/types.ts'
import { postTransaction } from '../ledger/post.server.ts'

/**
 * Earned income of each line by the end of a day, the SQL counterpart of `earnedAmount`: pro rata by days, rounded half
 * away from zero. All lines at once, as there are as many as subscriptions; totals are by product.
 */
const EARN = `WITH due AS (
    SELECT d.id, d.currency, d.product_id, d.net, d.earned,
      round(d.net::numeric * least(d.last_day - d.first_day + 1, $2::date - d.first_day + 1) / (d.last_day - d.first_day + 1))::bigint AS earned_now
    FROM deferred_income d WHERE d.client_id = $1 AND d.earned <> d.net AND d.first_day <= $2::date FOR UPDATE),
  changed AS (
    UPDATE deferred_income d SET earned = due.earned_now, earned_on = $2::date FROM due WHERE d.client_id = $1 AND d.id = due.id)
  SELECT currency, product_id AS product, sum(earned_now - earned)::bigint AS amount FROM due GROUP BY currency, product_id ORDER BY currency, product_id`

interface Earned {
  readonly currency: Currency
  readonly product: number | string | null
  readonly amount: number | string
}

/** Posts the deferred income earned through today: once per day and currency. */
async function earnDay(c: Context): Promise<void> {
  const day = londonDate(c.now)
  await c.work.flush()
  const rows = await c.work.tx.rows<Earned>(EARN, [c.clientId, day.toString()])
  const earned = rows.map((r) => ({
    ...r,
    product: r.product === null ? null : Number(r.product),
    amount: Number(r.amount),
  }))
  for (const [currency, parts] of Map.groupBy(earned, (r) => r.currency))
    await postTransaction(c, {
      kind: 'earned',
      day: day.toString(),
      description: 'Deferred income earned',
      currency,
      customer: null,
      source: { type: `Day ${currency}`, id: numberOf(day) },
      entries: parts.flatMap(({ product, amount }) => [
        { account: 'deferred' as const, amount, product },
        { account: 'sales' as const, amount: -amount, product },
      ]),
    })
}

/** `2026-02-28` → 20260228 */
const numberOf = ({ year, month, day }: Temporal.PlainDate) => year * 10_000 + month * 100 + day

export const earnDaily = schedule({
  name: 'invoices-earn',
  every: { daily: '00:30' },
  perClient: earnDay,
})
