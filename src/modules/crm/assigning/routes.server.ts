import { problem, violation } from '#kernel/errors.ts'
import { flag, integer, strings } from '#kernel/fields.ts'
import { idFromIriOrNumber } from '#kernel/iri.ts'
import { iriOf, type RowOf } from '#kernel/resource.ts'
import { londonDate } from '#kernel/time.ts'
import { bulkConditions } from '#server/bulk/ask.ts'
import type { Query } from '#server/data/filters.ts'
import { plainQuery } from '#server/data/filters.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import { matchingKeysQuery } from '#server/data/matching-rows.ts'
import { feature } from '#server/engine/module.ts'
import { RouteAnswer } from '#server/engine/route.ts'
import { routeWith } from '#server/engine/route-input.ts'
import type { Context } from '#server/engine/types.ts'
import { startBatchJob } from '#server/jobs/batch-job-control.ts'
import { contact } from '../contacts/contact.ts'
import { staff } from '../staff/staff.ts'
import { ASSIGN_URL, type AssignmentPlan } from './assign.ts'
import { assignLeadsJob } from './run.server.ts'
import { divideLeads } from './shares.ts'

/** Maximum number of leads per request. */
const MOST = 100_000

type Person = RowOf<typeof staff>

/** Leads are selected as in any bulk change: by id, or everything the list finds, with the expected count. */
function chosenBy(query: Query, all: boolean | null | undefined, given: readonly string[]): Query {
  if (all) return query
  const ids = given.map((one) => {
    const id = idFromIriOrNumber(contact, one)
    if (id === undefined) throw problem.invalidIri(one)
    return String(id)
  })
  if (!ids.length)
    throw problem.badRequest('Select leads: "ids" as a list, or "all": true for everything that the list finds.')
  return { 'id[]': [...new Set(ids)] }
}

/** Recipients of the leads: the named staff, or everybody who works leads. */
async function takersOf(c: Context, named: readonly string[]): Promise<readonly Person[]> {
  const everybody = await c.find(staff, { retired: false, tray: false })
  if (!named.length) return everybody.filter(({ user }) => user !== null)
  return named.map((one) => {
    const id = idFromIriOrNumber(staff, one)
    const found = everybody.find((s) => s.id === id)
    if (!found)
      throw problem.invalid([
        violation('to', `No member of staff who works leads was found at ${one}`, 'not_an_option'),
      ])
    return found
  })
}

/** Open leads per person: those that may still be called. */
async function openOf(c: Context, people: readonly Person[]): Promise<ReadonlyMap<number, number>> {
  const rows = await c.work.tx.rows<{ id: number; n: number }>(
    `SELECT owner_id AS id, count(*)::int AS n FROM contact
     WHERE client_id = $1 AND owner_id = ANY($2::bigint[]) AND NOT retired AND NOT do_not_call AND won_at IS NULL GROUP BY owner_id`,
    [c.clientId, people.map(({ id }) => id)],
  )
  return new Map(rows.map(({ id, n }) => [Number(id), n]))
}

interface Planned {
  readonly plan: AssignmentPlan
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

const assignLeadsRoute = routeWith(
  {
    ids: strings({ default: [], help: 'URLs or ids of leads.' }),
    all: flag({ help: 'Everything that the list finds, by the filters of the query.' }),
    count: integer({
      min: 0,
      help: 'With `all`: the expected number of leads, to guard against changes in the meantime.',
    }),
    to: strings({
      default: [],
      help: 'URLs of members of staff; everybody who works leads if empty.',
    }),
    dryRun: flag({ help: 'Return the plan without assigning.' }),
  },
  {
    method: 'POST',
    path: ASSIGN_URL,
    title: 'Assign leads evenly, within each person’s capacity, to staff who are not away',
    allow: 'ROLE_LEADS_ADMIN',
    filters: contact,
    refuses: [409],
    handle: async (c) => {
      const { ids, all, count, to, dryRun } = c.input
      if (all && typeof count !== 'number' && !dryRun)
        throw problem.badRequest('Send the number of leads that the list finds as "count" to confirm "all".')
      const query = chosenBy(c.query, all, ids ?? [])
      const q = matchingKeysQuery(contact, c.me, query, MOST + 1, bulkConditions(c.engine, contact, query))
      const found = q ? (await c.engine.db.read.arrays(q.query, q.values)).length : 0
      if (found > MOST) throw problem.tooLarge(`Select at most ${MOST.toLocaleString('en-GB')} leads at a time`)
      if (typeof count === 'number' && all && count !== found)
        throw problem.conflict(
          `The list has changed: it now finds ${found.toLocaleString('en-GB')} leads, not ${count.toLocaleString('en-GB')}. Please check it and try again.`,
        )
      return c.engine.inTenant<ApiRecord | RouteAnswer>(c.me.clientId, c.change(), async (unit) => {
        const { plan, shares } = await planOf(unit, found, to ?? [])
        if (dryRun) return () => ({ ...plan })
        if (!shares.some(({ gets }) => gets > 0))
          throw problem.conflict(
            'Nobody can take these leads at the moment: all are away or have reached their maximum.',
          )
        const id = await startBatchJob(unit, assignLeadsJob, { query: plainQuery(query), shares: [...shares] })
        return () => new RouteAnswer(202, { run: `/api/portal/runs/${id}`, id })
      })
    },
  },
)

export const assigning = feature({
  routes: [assignLeadsRoute],
  batchJobs: [assignLeadsJob],
})
