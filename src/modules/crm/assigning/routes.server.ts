import { z } from 'zod'
import { problem, violation } from '#kernel/errors.ts'
import { flag, integer, strings } from '#kernel/fields.ts'
import { idFromIriOrNumber } from '#kernel/iri.ts'
import { iriOf, type RowOf } from '#kernel/resource.ts'
import { londonDate } from '#kernel/time.ts'
import { bulkConditions } from '#server/bulk/bulk.ts'
import type { RequestQuery } from '#server/data/filters.ts'
import { toPlainQuery } from '#server/data/filters.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import { buildNextKeysQuery, matchingKeysQuery, type RecordKey } from '#server/data/matching-rows.ts'
import { feature } from '#server/engine/module.ts'
import { RouteResponse } from '#server/engine/route.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import type { RejectedItem } from '#server/engine/schedule.ts'
import type { Context } from '#server/engine/types.ts'
import { defineBatchJob, startBatchJob } from '#server/jobs/batch-job-control.ts'
import { contact } from '../contacts/contact.ts'
import { staff } from '../staff/staff.ts'
import { ASSIGN_LEADS_URL, type LeadAssignmentPreview } from './assign.ts'

const PORTION = 100

const INPUT = z.object({
  /** Query that finds the leads. */
  query: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  /** Number of leads that each person gets. */
  shares: z.array(z.object({ staff: z.int(), gets: z.int() })),
})
const CURSOR = z.object({ id: z.int(), given: z.array(z.int()), last: z.int() })
const WAS = z.object({ was: z.int().nullable(), now: z.int() })

/**
 * Assigns leads to the people in turn until every share is used up. Each change is validated like any other edit of a
 * lead. Undo returns each lead to its previous owner.
 */
const assignLeadsJob = defineBatchJob({
  kind: 'crm.assign',
  title: 'Leads assigned',
  queue: 'bulk',
  as: 'starter',
  input: INPUT,
  cursor: CURSOR,
  begin: async (_, { input }) => input.shares.reduce((n, { gets }) => n + gets, 0),
  steps: async function* (engine, run, from, actor) {
    const { query, shares } = run.input
    const extra = bulkConditions(engine, contact, query)
    const quotas = shares.map(({ gets }) => gets)
    let { id: after, given, last } = from ?? { id: 0, given: shares.map(() => 0), last: -1 }
    for (;;) {
      const q = buildNextKeysQuery(contact, actor, query, [run.clientId, after], PORTION, extra)
      const keys = q ? ((await engine.db.read.arrays(q.query, q.values)) as unknown as RecordKey[]) : []
      const end = keys.at(-1)?.[1]
      if (end === undefined || findNextAssigneeIndex(quotas, given, last) === undefined) return
      const place = { id: end, given: [...given], last }
      yield {
        cursor: place,
        execute: async (c) => {
          const refused: RejectedItem[] = []
          const moved: Moved[] = []
          let unchanged = 0
          for (const [, id] of keys) {
            const turn = findNextAssigneeIndex(quotas, place.given, place.last)
            const taker = turn === undefined ? undefined : shares[turn]
            if (turn === undefined || !taker) break
            const tried = await c.attempt(async () => {
              const row = await c.lock(contact, id)
              if (row.owner === taker.staff) return undefined
              await c.change(contact, id, { owner: taker.staff })
              return { id, was: row.owner, now: taker.staff }
            })
            if ('refused' in tried) {
              refused.push({ line: id, reason: tried.refused.message, code: tried.refused.code })
              continue
            }
            place.given[turn] = (place.given[turn] ?? 0) + 1
            place.last = turn
            if (tried.value) moved.push(tried.value)
            else unchanged++
          }
          await keep(c, run.id, moved)
          return { done: moved.length, refused, tally: { unchanged } }
        },
      }
      ;({ id: after, given, last } = place)
    }
  },
  undo: async function* (engine, run, from) {
    for (let after = from?.id ?? 0; ; ) {
      const rows = await engine.db.tx({ clientId: run.clientId }, (tx) =>
        tx.rows<{ id: number; row_id: number; was: unknown }>(
          'SELECT id, row_id, was FROM run_change WHERE client_id = $1 AND run_id = $2 AND id > $3 ORDER BY id LIMIT $4',
          [run.clientId, run.id, after, PORTION],
        ),
      )
      const last = rows.at(-1)
      if (!last) return
      yield {
        cursor: { id: last.id, given: [], last: -1 },
        execute: async (c) => {
          const refused: RejectedItem[] = []
          let done = 0
          for (const row of rows) {
            const { was, now } = WAS.parse(row.was)
            const tried = await c.attempt(async () => {
              // A lead that was reassigned after this job stays with its new owner.
              if ((await c.lock(contact, row.row_id)).owner !== now) return false
              await c.change(contact, row.row_id, { owner: was })
              return true
            })
            if ('refused' in tried) refused.push({ line: row.row_id, reason: tried.refused.message })
            else if (tried.value) done++
          }
          return { done, refused }
        },
      }
      after = last.id
    }
  },
})

interface Moved {
  readonly id: number
  readonly was: number | null
  readonly now: number
}

/** Stores the previous owners for undo. */
const keep = (c: Context, run: number, moved: readonly Moved[]) =>
  c.work.tx.rows(
    'INSERT INTO run_change (client_id, run_id, row_client, row_id, was) SELECT $1, $2, $1, u.id, u.was::jsonb FROM unnest($3::bigint[], $4::text[]) u(id, was)',
    [c.clientId, run, moved.map(({ id }) => id), moved.map(({ was, now }) => JSON.stringify({ was, now }))],
  )

/** Maximum number of leads per request. */
const MAX_LEADS = 100_000

type Person = RowOf<typeof staff>

/**
 * Returns a query for the selected leads, either by ID or for everything that the list finds, as in other bulk changes.
 */
function chosenBy(query: RequestQuery, all: boolean | null | undefined, given: readonly string[]): RequestQuery {
  if (all) return query
  const ids = given.map((one) => {
    const id = idFromIriOrNumber(contact, one)
    if (id === undefined) throw problem.invalidIri(one)
    return String(id)
  })
  if (!ids.length)
    throw problem.badRequest(
      'Select leads: "ids" for a list of leads, or "all": true for every lead that matches the filters.',
    )
  return { 'id[]': [...new Set(ids)] }
}

/**
 * Returns the staff to whom the leads are assigned: the named staff or, if none are named, all staff who work leads.
 * Throws if a named person does not work leads.
 */
async function takersOf(c: Context, named: readonly string[]): Promise<readonly Person[]> {
  const everybody = await c.find(staff, { retired: false, tray: false })
  if (!named.length) return everybody.filter(({ user }) => user !== null)
  return named.map((one) => {
    const id = idFromIriOrNumber(staff, one)
    const found = everybody.find((s) => s.id === id)
    if (!found)
      throw problem.invalid([
        violation('to', `The URL ${one} does not belong to a member of staff who works leads`, 'not_an_option'),
      ])
    return found
  })
}

/** Returns the number of open leads for each person. A lead is open while it may still be called. */
async function openOf(c: Context, people: readonly Person[]): Promise<ReadonlyMap<number, number>> {
  const rows = await c.work.tx.rows<{ id: number; n: number }>(
    `SELECT owner_id AS id, count(*)::int AS n FROM contact
     WHERE client_id = $1 AND owner_id = ANY($2::bigint[]) AND NOT retired AND NOT do_not_call AND won_at IS NULL GROUP BY owner_id`,
    [c.clientId, people.map(({ id }) => id)],
  )
  return new Map(rows.map(({ id, n }) => [Number(id), n]))
}

interface Planned {
  readonly plan: LeadAssignmentPreview
  readonly shares: readonly { readonly staff: number; readonly gets: number }[]
}

async function planOf(c: Context, found: number, named: readonly string[]): Promise<Planned> {
  const takers = await takersOf(c, named)
  const today = londonDate(c.now).toString()
  const isAway = ({ awayUntil }: Person) => awayUntil !== null && awayUntil >= today
  const there = takers.filter((one) => !isAway(one))
  const open = await openOf(c, there)
  const openFor = ({ id }: Person) => open.get(id) ?? 0
  const roomOf = (one: Person) => (one.mostLeads === null ? null : Math.max(0, one.mostLeads - openFor(one)))
  const { shares, left } = divideLeads(
    found,
    there.map((one) => ({ id: one.id, room: roomOf(one) })),
  )
  return {
    plan: {
      found,
      people: there.map((one, n) => ({
        '@id': iriOf(staff, one.id),
        name: one.name ?? '',
        open: openFor(one),
        most: one.mostLeads,
        gets: shares[n] ?? 0,
      })),
      away: takers
        .filter(isAway)
        .map((one) => ({ '@id': iriOf(staff, one.id), name: one.name ?? '', until: one.awayUntil ?? '' })),
      left,
    },
    shares: there.map(({ id }, n) => ({ staff: id, gets: shares[n] ?? 0 })),
  }
}

const assignLeadsRoute = routeWithInput(
  {
    ids: strings({ default: [], help: 'URLs or IDs of leads.' }),
    all: flag({ help: 'Selects every lead that matches the filters in the query.' }),
    count: integer({
      min: 0,
      help: 'Required with `all`: the number of leads expected. If the number has changed in the meantime, the request is refused.',
    }),
    to: strings({
      default: [],
      help: 'URLs of members of staff. If empty, the leads are assigned to everybody who works leads.',
    }),
    dryRun: flag({ help: 'Returns the plan without assigning any leads.' }),
  },
  {
    method: 'POST',
    path: ASSIGN_LEADS_URL,
    title: 'Assign leads evenly, within each person’s capacity, to staff who are not away',
    allow: 'ROLE_LEADS_ADMIN',
    filters: contact,
    refuses: [409],
    handle: async (c) => {
      const { ids, all, count, to, dryRun } = c.input
      if (all && typeof count !== 'number' && !dryRun)
        throw problem.badRequest('To confirm "all", send the number of matching leads as "count".')
      const query = chosenBy(c.query, all, ids ?? [])
      const q = matchingKeysQuery(contact, c.me, query, MAX_LEADS + 1, bulkConditions(c.engine, contact, query))
      const found = q ? (await c.engine.db.read.arrays(q.query, q.values)).length : 0
      if (found > MAX_LEADS)
        throw problem.tooLarge(`Select at most ${MAX_LEADS.toLocaleString('en-GB')} leads at a time`)
      if (typeof count === 'number' && all && count !== found)
        throw problem.conflict(
          `The list has changed: ${found.toLocaleString('en-GB')} leads now match, not ${count.toLocaleString('en-GB')}. Please check the list and try again.`,
        )
      return c.engine.inTenant<ApiRecord | RouteResponse>(c.me.clientId, c.change(), async (unit) => {
        const { plan, shares } = await planOf(unit, found, to ?? [])
        if (dryRun) return () => ({ ...plan })
        if (!shares.some(({ gets }) => gets > 0))
          throw problem.conflict(
            'These leads can’t be assigned at the moment, because everybody is away or has reached their maximum.',
          )
        const id = await startBatchJob(unit, assignLeadsJob, { query: toPlainQuery(query), shares: [...shares] })
        return () => new RouteResponse(202, { run: `/api/portal/runs/${id}`, id })
      })
    },
  },
)

export const leadAssignment = feature({
  routes: [assignLeadsRoute],
  batchJobs: [assignLeadsJob],
})

/**
 * A person who can be assigned leads. `room` is the number of further leads that they may have; null if it is
 * unlimited.
 */
export interface LeadAssignee {
  readonly id: number
  readonly room: number | null
}

/**
 * Divides `leads` among the people as evenly as their capacities allow, and returns the number for each person.
 * Remainders go to the first people in the list. Leads beyond the total capacity are left over.
 */
export function divideLeads(
  leads: number,
  takers: readonly LeadAssignee[],
): { readonly shares: readonly number[]; readonly left: number } {
  const shares = takers.map(() => 0)
  let left = leads
  while (left > 0) {
    const open = takers.flatMap(({ room }, n) => (room === null || room > (shares[n] ?? 0) ? [n] : []))
    if (!open.length) break
    const each = Math.max(1, Math.floor(left / open.length))
    for (const n of open) {
      const given = shares[n] ?? 0
      const more = Math.min(each, left, (takers[n]?.room ?? Number.POSITIVE_INFINITY) - given)
      shares[n] = given + more
      left -= more
    }
  }
  return { shares, left }
}

/** Returns the index of the next person after `last` whose share is not used up, or `undefined` if every share is. */
export function findNextAssigneeIndex(
  shares: readonly number[],
  given: readonly number[],
  last: number,
): number | undefined {
  const turns = shares.map((_, n) => (last + 1 + n) % shares.length)
  return turns.find((n) => (given[n] ?? 0) < (shares[n] ?? 0))
}
