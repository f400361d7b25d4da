import { accessScopeFor } from '#kernel/can.ts'
import type { RowOf } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import { user } from '#modules/identity/people/user.ts'
import { buildCombinedAccessCondition } from '#server/data/access-sql.ts'
import { parseFilters, type RequestQuery } from '#server/data/filters.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import { parseSortOrder } from '#server/data/order.ts'
import { type Row, selectPlanFor } from '#server/data/plan.ts'
import { BoundValues, prepareSql } from '#server/data/values.ts'
import type { SqlConn } from '#server/db/db.ts'
import type { Context } from '#server/engine/types.ts'
import { AFTER_FIVE_TRAY } from '../staff/trays.ts'
import { contact, note } from './contact.ts'

/** Minutes for which a lead is leased to one person. The page renews the lease while the lead is open. */
export const LEAD_LEASE_MINUTES = 10
/** Maximum number of notes sent with a lead. */
const NOTES = 30

/**
 * Returns SQL that reads the date, time and staff values needed to choose a lead, once per query. Because these are
 * fixed values, an index can find the first lead even if many colleagues' leads precede it.
 */
const today = (client: string, me: string, afterFive: string) =>
  `SELECT portal_now() AS now, (portal_now() AT TIME ZONE 'Europe/London')::time >= '17:00' AS evening,
     (array_agg(s.id) FILTER (WHERE s.user_id = ${me}::bigint))[1] AS own,
     array_agg(s.id) FILTER (WHERE NOT s.tray AND s.away_until >= (portal_now() AT TIME ZONE 'Europe/London')::date) AS away,
     (array_agg(s.id) FILTER (WHERE s.tray AND s.username = ${afterFive}::text))[1] AS after_five,
     coalesce(array_agg(s.id) FILTER (WHERE s.tray), '{}') AS trays
   FROM staff s WHERE s.client_id = ${client}::int`

/** A lead with its latest notes, for the next screen. */
export interface LeasedLead {
  readonly sent: ApiRecord
  readonly row: Row
}

function notesOf(actor: Actor): string {
  const plan = selectPlanFor(note, actor)
  const inner = `SELECT json_build_array(${plan.select}) AS j FROM note t${plan.joins} WHERE t.client_id = (SELECT client_id FROM lead) AND t.contact_id = (SELECT id FROM lead) AND NOT t.retired ORDER BY t.sticky DESC, t.id DESC LIMIT ${NOTES}`
  return `(SELECT coalesce(json_agg(j), '[]') FROM (${inner}) n)`
}

function read(actor: Actor, row: readonly unknown[] | undefined): LeasedLead | undefined {
  const [stored, told] = row ?? []
  if (!Array.isArray(stored)) return undefined
  const plan = selectPlanFor(contact, actor)
  const actions = Array.isArray(told) ? told.map(selectPlanFor(note, actor).send) : []
  return { row: plan.row(stored), sent: { ...plan.send(stored), actions } }
}

const present = (actor: Actor) => {
  const plan = selectPlanFor(contact, actor)
  return `SELECT json_build_array(${plan.select}), ${notesOf(actor)} FROM lead t${plan.joins}`
}

/**
 * Leases the next lead to call, using the filters and order of the list: first overdue callbacks, then leads without a
 * later date. If the list is not filtered by owner, the order is: the person's own callbacks, callbacks of absent
 * colleagues, leads in the evening tray (from five o'clock), the person's other leads, unassigned leads, colleagues'
 * leads. Excludes leads that are leased by others, that this person has skipped today or that must not be called. Leads
 * in trays are excluded unless requested.
 */
export async function leaseLeadFromQueue(
  conn: SqlConn,
  actor: Actor,
  query: RequestQuery,
  besides?: number,
): Promise<LeasedLead | undefined> {
  const v = new BoundValues()
  const tenant = buildCombinedAccessCondition(contact, accessScopeFor(actor, 'read', contact), actor, v)
  if (tenant === undefined) return undefined
  const [me, client] = [v.next(actor.userId), v.next(actor.clientId)]
  const isOfOne = ['owner', 'owner.user', 'owner.username'].some((name) => query[name])
  const isOfSomebody = isOfOne || query['exists[owner]']
  const free = [
    tenant,
    ...parseFilters(contact, actor, { ...query, retired: undefined }).map((c) => c.sql(v.next)),
    'NOT t.retired',
    'NOT t.do_not_call',
    't.won_at IS NULL',
    `(t.lease_until IS NULL OR t.lease_until < today.now OR t.lease_user_id = ${me}::bigint)`,
    `(t.skip_until IS NULL OR t.skip_until < today.now OR t.skip_users IS NULL OR NOT t.skip_users @> to_jsonb(${me}::bigint))`,
    ...(besides === undefined ? [] : [`t.id <> ${v.next(besides)}::bigint`]),
    // Leads in the evening tray are due from five o'clock in London until the end of the day.
    ...(isOfOne
      ? []
      : [
          '(t.owner_id IS NULL OR t.owner_id <> ALL (today.trays) OR (today.evening AND t.owner_id = today.after_five))',
        ]),
  ].join(' AND ')
  const order = parseSortOrder(contact, actor, query, v)
  const first = (what: string, of: string, due: string) =>
    `(SELECT ${what} FROM contact t WHERE ${free} AND ${of} AND ${due} ORDER BY ${order} LIMIT 1 FOR UPDATE SKIP LOCKED)`
  const pick = (of: string, due: string) => first('t.id', of, due)
  // One query per owner, because in a single query for all owners the planner might scan everybody's callbacks.
  const pickOfEach = (owners: string, due: string) =>
    `(SELECT t.id FROM unnest(${owners}) o (id), LATERAL ${first('t.*', 't.owner_id = o.id', due)} t ORDER BY ${order} LIMIT 1)`
  const due = 't.callback_date <= today.now'
  const isOpen = 't.callback_date IS NULL AND (t.expiry IS NULL OR t.expiry <= today.now)'
  const own = 't.owner_id = today.own'
  const picks = isOfSomebody
    ? [pick('true', due), pick('true', isOpen)]
    : [
        pick(own, due),
        // Callbacks that belong to absent owners are taken over by the team.
        pickOfEach('today.away', due),
        pick('today.evening AND t.owner_id = today.after_five', isOpen),
        pick(own, isOpen),
        ...['t.owner_id IS NULL', 'true'].flatMap((of) => [pick(of, due), pick(of, isOpen)]),
      ]
  // `pick` is a separate CTE, because row-level security would prevent PostgreSQL from using the primary key inside the
  // update.
  const text = `WITH today AS MATERIALIZED (${today(client, me, v.next(AFTER_FIVE_TRAY))}),
    pick AS MATERIALIZED (SELECT coalesce(${picks.join(', ')}) AS id FROM today),
    lead AS (UPDATE contact c SET lease_user_id = ${me}::bigint, lease_until = portal_now() + interval '${LEAD_LEASE_MINUTES} minutes'
      FROM pick WHERE c.client_id = ${client}::int AND c.id = pick.id RETURNING c.*)
    ${present(actor)}`
  return readLead(conn, actor, text, v)
}

async function readLead(
  conn: SqlConn,
  actor: Actor,
  text: string,
  { list }: BoundValues,
): Promise<LeasedLead | undefined> {
  const [row] = await conn.arrays(prepareSql(text), list)
  return read(actor, row)
}

/** Leases a lead or renews its lease. Returns `undefined` if a colleague has leased the lead. */
export async function leaseLead(conn: SqlConn, actor: Actor, id: number): Promise<LeasedLead | undefined> {
  const v = new BoundValues()
  const text = `WITH lead AS (UPDATE contact t SET lease_user_id = ${v.next(actor.userId)}::bigint, lease_until = portal_now() + interval '${LEAD_LEASE_MINUTES} minutes'
    WHERE t.client_id = ${v.next(actor.clientId)}::int AND t.id = ${v.next(id)}::bigint AND (t.lease_until IS NULL OR t.lease_until < portal_now() OR t.lease_user_id = ${v.next(actor.userId)}::bigint) RETURNING *)
    ${present(actor)}`
  return readLead(conn, actor, text, v)
}

/**
 * Releases a lead that this person has leased. A release is not an edit, so no editor is stamped and no audit entry is
 * written.
 */
export const releaseLead = (conn: SqlConn, actor: Actor, id: number): Promise<unknown> =>
  conn.rows('UPDATE contact SET lease_until = NULL WHERE client_id = $1 AND id = $2 AND lease_user_id = $3', [
    actor.clientId,
    id,
    actor.userId,
  ])

/** Returns the name of the current leaseholder, or `undefined` if the lead is not leased. */
export async function findLeaseholderName(c: Context, row: RowOf<typeof contact>): Promise<string | undefined> {
  if (row.leaseUser === null || row.leaseUntil === null) return undefined
  if (Date.parse(row.leaseUntil) <= c.now.epochMilliseconds) return undefined
  return (await c.get(user, row.leaseUser))?.name ?? 'Somebody'
}
