import type { RowOf } from '#kernel/resource.ts'
import { londonDate } from '#kernel/time.ts'
import type { Context } from '#server/engine/types.ts'
import { LEAST_BY_CARD } from '../cards/gateway.server.ts'
import type { InvoiceRow } from '../invoices/lines.server.ts'
import { dunning } from './dunning.ts'
import { type Rules, type Standing, type Step, upcoming } from './plan.ts'
import { rulesOf } from './settings.server.ts'

export type DunningRow = RowOf<typeof dunning>

/** How the collecting of an open invoice stands, and what comes next. */
export interface Situation extends Standing {
  readonly invoice: number
  readonly dunning: number | null
  readonly card: number | null
  /** Something is being paid just now: nothing else is done until that is settled. */
  readonly underWay: boolean
  readonly hasLapsed: boolean
  readonly next: readonly Step[]
}

/** Days ahead that are looked at: reminders come before the due day. */
const AHEAD = 30

/** Open invoices that are due, or soon are, with all that decides what is done about them. */
const SITUATIONS = `SELECT i.id::int AS invoice, i.date::text AS "issuedOn", greatest(i.due_on, d.due_on)::text AS "dueOn", d.id::int AS dunning,
    EXISTS (SELECT FROM subscription_change x WHERE x.client_id = i.client_id AND x.invoice_id = i.id) AS "ofSubscription",
    EXISTS (SELECT FROM subscription_change x JOIN subscription s ON s.client_id = x.client_id AND s.id = x.subscription_id
      WHERE x.client_id = i.client_id AND x.invoice_id = i.id AND s.lapsed_on IS NOT NULL) AS "hasLapsed",
    EXISTS (SELECT FROM charge h WHERE h.client_id = i.client_id AND h.invoice_id = i.id AND h.state = 'pending') AS "underWay",
    CASE WHEN i.amount_due >= ${LEAST_BY_CARD} THEN k.id::int END AS card, (i.amount_due >= ${LEAST_BY_CARD} AND k.id IS NOT NULL) AS "hasCard",
    coalesce(d.failures, 0) AS failures, d.first_failed_on::text AS "firstFailedOn", d.charged_on::text AS "chargedOn",
    CASE WHEN d.due_on >= i.due_on THEN d.reminded END AS reminded, d.paused_until::text AS "pausedUntil"
  FROM invoice i JOIN customer u ON u.client_id = i.client_id AND u.id = i.customer_id
  LEFT JOIN dunning d ON d.client_id = i.client_id AND d.invoice_id = i.id
  LEFT JOIN card k ON k.client_id = i.client_id AND k.customer_id = i.customer_id AND k.is_default AND NOT k.retired AND k.gateway = $2 AND NOT u.retired
    AND NOT (d.hard IS TRUE AND d.card_id = k.id)
  WHERE i.client_id = $1 AND i.state = 'open' AND (d.state IS NULL OR d.state = 'collecting')`

/** What cards are charged through: one that is kept elsewhere can't be. */
const gatewayName = ({ engine }: Pick<Context, 'engine'>): string => (engine.config.stripe ? 'stripe' : 'test')

export const todayOf = ({ now }: Pick<Context, 'now'>): string => londonDate(now).toString()

type Found = Omit<Situation, 'next'>

const withNext = (rules: Rules, found: Found, today: string): Situation => ({
  ...found,
  next: upcoming(rules, found, today).filter(({ kind }) => kind !== 'lapse' || !found.hasLapsed),
})

/** How all stands that may have something done about it today. */
export async function situations(c: Context): Promise<Situation[]> {
  const today = todayOf(c)
  const rules = await rulesOf(c)
  await c.work.flush()
  const rows = await c.work.tx.rows<Found>(`${SITUATIONS} AND i.due_on <= $3::date + ${AHEAD} ORDER BY i.id`, [
    c.clientId,
    gatewayName(c),
    today,
  ])
  return rows.map((row) => withNext(rules, row, today))
}

/** How one invoice stands; `undefined` where nothing is collected of it. */
export async function situationOf(c: Context, { id }: Pick<InvoiceRow, 'id'>): Promise<Situation | undefined> {
  const rules = await rulesOf(c)
  await c.work.flush()
  const [row] = await c.work.tx.rows<Found>(`${SITUATIONS} AND i.id = $3`, [c.clientId, gatewayName(c), id])
  return row && withNext(rules, row, todayOf(c))
}

/** The next step that is done, as it is kept for lists. */
export function nextOf(situation: Situation | undefined) {
  const next = situation?.next.find(({ kind }) => kind !== 'lapse')
  return next && next.kind !== 'lapse' ? { nextOn: next.on, nextStep: next.kind } : { nextOn: null, nextStep: null }
}

/** The collecting of an invoice, kept from others; made where there is none yet. The invoice itself is locked before. */
export async function lockDunning(c: Context, owed: InvoiceRow): Promise<DunningRow> {
  const [known] = await c.lockAll(dunning, { invoice: owed.id })
  if (known) {
    // More time was given: it is counted, and reminded of, anew.
    if (owed.dueOn === null || owed.dueOn <= known.dueOn) return known
    await c.withoutPermissionCheck(WHY).set(dunning, known, { dueOn: owed.dueOn, reminded: null }, 'postpone')
    return c.withoutPermissionCheck(WHY).lock(dunning, known.id)
  }
  const made = await c.withoutPermissionCheck(WHY).create(dunning, {
    invoice: owed.id,
    customer: owed.customer,
    company: owed.company,
    dueOn: owed.dueOn ?? owed.date ?? todayOf(c),
  })
  const { id } = await made.saved()
  return c.withoutPermissionCheck(WHY).lock(dunning, id)
}

export const WHY = 'what is due is collected by the rules'
