import { z } from 'zod'
import { problem } from '#kernel/errors.ts'
import { authorOf } from '#kernel/roles.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import { type Route, RouteResponse } from '#server/engine/route.ts'
import type { Context } from '#server/engine/types.ts'
import { defineBatchJob, startBatchJob } from '#server/jobs/batch-job-control.ts'
import { mapInSlices } from '#server/slices.ts'
import { employee } from '../employees/employee.ts'
import { HR_ROLES } from '../rights.ts'
import { FIND_NAME_MATCHES_URL, NAME_SOURCES, type NameSource, nameMatch } from './name-match.ts'
import { createNameMatcher } from './name-matcher.ts'
import type { TypedName } from './name-source.server.ts'
import { SOURCES } from './sources.server.ts'

const NAMES_PER_STEP = 500

interface Proposal extends TypedName {
  readonly employee: number | null
  readonly candidates: number
}

/** Adds proposals. A name that was rejected at the same place is not proposed again. */
async function storeProposals(c: Context, source: NameSource, all: readonly Proposal[]): Promise<number> {
  c.work.touched.add(nameMatch.table)
  const added = await c.work.tx.rows(
    `INSERT INTO name_match (client_id, source, row_id, record, name, employee_id, candidates, state)
     SELECT $1, $2, u.row, u.record, u.name, u.employee, u.candidates, CASE WHEN u.employee IS NULL THEN 'ambiguous' ELSE 'proposed' END
     FROM unnest($3::bigint[], $4::text[], $5::text[], $6::bigint[], $7::int[]) u("row", record, name, employee, candidates)
     ON CONFLICT (client_id, source, row_id, name) DO UPDATE SET record = EXCLUDED.record, employee_id = EXCLUDED.employee_id,
       candidates = EXCLUDED.candidates, state = EXCLUDED.state, linked = '[]', decided_by = NULL, decided_at = NULL
       WHERE name_match.state <> 'rejected' RETURNING 1`,
    [
      c.clientId,
      source,
      all.map(({ row }) => row),
      all.map(({ record }) => record),
      all.map(({ name }) => name),
      all.map((one) => one.employee),
      all.map(({ candidates }) => candidates),
    ],
  )
  return added.length
}

/** Compares the typed names of a company with its employees. Nothing but proposals is written. */
const findNameMatches = defineBatchJob({
  kind: 'people.match-names',
  title: 'Match names with employees',
  queue: 'bulk',
  oneAtATime: true,
  input: z.object({}),
  /** Number of the step. */
  cursor: z.int(),
  restarts: () => true,
  begin: async (c) => {
    // Undecided proposals are replaced, because their records may have changed.
    await c.work.tx.rows("DELETE FROM name_match WHERE client_id = $1 AND state IN ('proposed', 'ambiguous')", [
      c.clientId,
    ])
    return undefined
  },
  steps: async function* (engine, { clientId }) {
    const employees = await engine.readIn(clientId, 'compare typed names with employees', (c) =>
      c.find(employee, { erasedOn: null }),
    )
    const match = createNameMatcher(employees)
    let cursor = 0
    for (const { value: source } of NAME_SOURCES) {
      const { names, isPast = false } = SOURCES[source]
      const typed = await engine.db.tx({ clientId }, (tx) => tx.rows<TypedName>(names, [clientId]))
      const proposals = (
        await mapInSlices(typed, (one) => {
          const found = match(one.name, isPast)
          return found ? [{ ...one, ...found }] : []
        })
      ).flat()
      for (let n = 0; n < proposals.length; n += NAMES_PER_STEP) {
        const some = proposals.slice(n, n + NAMES_PER_STEP)
        yield {
          cursor: ++cursor,
          execute: async (c) => ({ done: await storeProposals(c, source, some) }),
        }
      }
    }
  },
})

const findRoute: Route = {
  method: 'POST',
  path: FIND_NAME_MATCHES_URL,
  title: 'Compare typed names with the employees, as a batch job',
  allow: HR_ROLES,
  refuses: [409],
  handle: ({ engine, me, change }) =>
    engine.inTenant<RouteResponse>(me.clientId, change(), async (c) => {
      const id = await startBatchJob(c, findNameMatches, {})
      return () => new RouteResponse(202, { run: `/api/portal/runs/${id}`, id })
    }),
}

const nameMatchBehaviour = behaviour(nameMatch, {
  actions: {
    confirm: async (c) => {
      const { row: match } = c
      const chosen = match.employee === null ? undefined : await c.lock(employee, match.employee, 'values')
      if (!chosen || chosen.erasedOn) throw problem.conflict('Please search for matches again.')
      const { link, isPast } = SOURCES[match.source]
      if (chosen.retired && !isPast) throw problem.conflict(`${chosen.name} has left, so they are not linked.`)
      const linked = await link(c, match, chosen.id)
      return { set: { linked, ...decisionOf(c) } }
    },
    reject: async (c) => ({ set: decisionOf(c) }),
    reconsider: async (c) => {
      const { row: match } = c
      if (match.state === 'confirmed' && match.employee !== null)
        await SOURCES[match.source].unlink(c, match.row, match.linked, match.employee)
      return { set: { linked: [], decidedBy: null, decidedAt: null } }
    },
  },
})

const decisionOf = (c: Context) => ({ decidedBy: authorOf(c.actor).username, decidedAt: c.now.toString() })

export const nameMatches = feature({
  pack: 'employees',
  resources: [nameMatch],
  behaviours: [nameMatchBehaviour],
  routes: [findRoute],
  batchJobs: [findNameMatches],
})
