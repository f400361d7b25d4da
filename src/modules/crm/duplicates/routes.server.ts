import { z } from 'zod'
import { problem } from '#kernel/errors.ts'
import { link } from '#kernel/fields.ts'
import { authorOf } from '#kernel/roles.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import { RouteResponse } from '#server/engine/route.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import { type BatchJob, type BatchStep, type BatchStepResult, schedule } from '#server/engine/schedule.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { defineBatchJob, startBatchJob } from '#server/jobs/batch-job-control.ts'
import { contact } from '../contacts/contact.ts'
import { crmNav } from '../nav.ts'
import { duplicatePair } from './pair.ts'

const PORTION = 100
/**
 * Maximum number of pairs per lead. Without a limit, switchboard numbers and very common names would match too many
 * leads.
 */
const MAX_PAIRS_PER_LEAD = 20

/**
 * SQL that pairs each lead in a batch with later leads that share a key with it, or that have a similar name and the
 * same town or postcode. Every search updates the pairs but leaves decisions unchanged. A pair that no longer matches
 * is deleted.
 */
const FIND = `WITH mine AS MATERIALIZED (
    SELECT c.id, c.company_name, c.company_number, c.phone, c.mobile, c.email, lower(btrim(c.city)) AS city, upper(replace(c.postcode, ' ', '')) AS postcode,
      search_form(c.company_name) AS name_form, company_name_key(c.company_name) AS name_key
    FROM contact c WHERE c.client_id = $1 AND c.id > $2 AND c.id <= $3 AND NOT c.retired),
  keyed AS (
    SELECT m.id AS a, o.contact_id AS b, split_part(k.key, ':', 1) AS reason FROM mine m
    CROSS JOIN LATERAL (SELECT contact_keys(m.company_name, m.company_number, m.phone, m.mobile, m.email) AS key
      UNION SELECT contact_people_keys($1, m.id) UNION SELECT contact_merged_keys($1, m.id)) k
    CROSS JOIN LATERAL (SELECT contact_id FROM contact_key x WHERE x.client_id = $1 AND x.key = k.key AND x.contact_id > m.id ORDER BY x.contact_id LIMIT ${MAX_PAIRS_PER_LEAD}) o),
  near AS (
    SELECT m.id AS a, s.contact_id AS b, 'nearName' AS reason FROM mine m
    CROSS JOIN LATERAL (SELECT n.contact_id FROM (SELECT x.contact_id, company_name_key(o.company_name) AS key
        FROM contact_search x JOIN contact o ON o.client_id = x.client_id AND o.id = x.contact_id
        WHERE x.client_id = $1 AND x.company_name % m.name_form AND x.contact_id > m.id OFFSET 0) n
      WHERE n.key <> m.name_key AND similarity(n.key, m.name_key) >= 0.6 LIMIT ${MAX_PAIRS_PER_LEAD}) s),
  alike AS (SELECT a, b, array_agg(DISTINCT reason) AS reasons FROM (SELECT * FROM keyed UNION ALL SELECT * FROM near) x GROUP BY a, b),
  judged AS (
    SELECT a, b, reasons || CASE WHEN here THEN ARRAY['place'] ELSE '{}'::text[] END AS reasons, greatest(5, least(100,
        CASE WHEN 'companyNumber' = ANY (reasons) THEN 60 ELSE 0 END + CASE WHEN 'phone' = ANY (reasons) THEN 40 ELSE 0 END
        + CASE WHEN 'email' = ANY (reasons) THEN 35 ELSE 0 END + CASE WHEN 'companyName' = ANY (reasons) THEN 30 ELSE 0 END
        + CASE WHEN 'nearName' = ANY (reasons) THEN 20 ELSE 0 END + CASE WHEN here THEN 15 ELSE 0 END
        - CASE WHEN apart THEN 40 ELSE 0 END)) AS strength
    FROM (SELECT p.*, coalesce(m.city = lower(btrim(o.city)) AND m.city <> '' OR m.postcode = upper(replace(o.postcode, ' ', '')) AND m.postcode <> '', false) AS here,
        coalesce(company_number_key(m.company_number) <> company_number_key(o.company_number), false) AS apart
      FROM alike p JOIN mine m ON m.id = p.a JOIN contact o ON o.client_id = $1 AND o.id = p.b AND NOT o.retired) p
    WHERE reasons <> ARRAY['nearName'] OR here AND NOT apart),
  forgotten AS (DELETE FROM lead_pair p WHERE p.client_id = $1 AND p.state = 'suspect' AND p.first_id > $2 AND p.first_id <= $3
    AND NOT EXISTS (SELECT 1 FROM judged j WHERE j.a = p.first_id AND j.b = p.second_id)),
  kept AS (INSERT INTO lead_pair (client_id, first_id, second_id, reasons, strength) SELECT $1, a, b, reasons, strength FROM judged
    ON CONFLICT (client_id, first_id, second_id) DO UPDATE SET reasons = excluded.reasons, strength = excluded.strength WHERE lead_pair.state = 'suspect'
    RETURNING (xmax = 0) AS fresh)
  SELECT count(*)::int AS pairs, count(*) FILTER (WHERE fresh)::int AS fresh FROM kept`

/** Job that searches for duplicate leads. An interrupted batch is repeated, with the same result. */
export const duplicateSearchJob = defineBatchJob({
  kind: 'crm.find-duplicates',
  title: 'Search for duplicate leads',
  queue: 'bulk',
  oneAtATime: true,
  screen: crmNav.duplicates.path,
  notifiesStarter: ({ automatic }) => !automatic,
  input: z.object({ automatic: z.boolean().default(false) }),
  /** ID of the last lead searched. */
  cursor: z.int(),
  begin: async (c) => {
    const [found] = await c.work.tx.rows<{ n: number }>(
      'SELECT count(*)::int AS n FROM contact WHERE client_id = $1 AND NOT retired',
      [c.clientId],
    )
    return found?.n
  },
  steps: portions,
})

/** Starts a search automatically, unless one is running. */
export async function searchDuplicatesAutomatically(c: Context): Promise<void> {
  await c.attempt(() => startBatchJob(c, duplicateSearchJob, { automatic: true }))
}

/** Nightly schedule that searches the leads of each client that has any. */
const nightlySearch = schedule({
  name: 'crm.find-duplicates',
  every: { daily: '01:30' },
  perClient: async (c) => {
    const [lead] = await c.work.tx.rows('SELECT 1 FROM contact WHERE client_id = $1 AND NOT retired LIMIT 1', [
      c.clientId,
    ])
    if (lead) await searchDuplicatesAutomatically(c)
  },
})

async function* portions(
  engine: Engine,
  { clientId }: BatchJob<object>,
  from: number | null,
): AsyncGenerator<BatchStep<number>> {
  for (let after = from ?? 0; ; ) {
    const leads = await engine.db.tx({ clientId }, (tx) =>
      tx.rows<{ id: number }>(
        'SELECT id FROM contact WHERE client_id = $1 AND id > $2 AND NOT retired ORDER BY id LIMIT $3',
        [clientId, after, PORTION],
      ),
    )
    const last = leads.at(-1)?.id
    if (last === undefined) return
    const begin = after
    yield {
      cursor: last,
      execute: async (c): Promise<BatchStepResult> => {
        await c.work.tx.rows("SELECT set_config('pg_trgm.similarity_threshold', '0.5', true)")
        const [found] = await c.work.tx.rows<{ pairs: number; fresh: number }>(FIND, [clientId, begin, last])
        c.work.touched.add('lead_pair')
        return { done: leads.length, tally: { pairs: found?.pairs ?? 0, fresh: found?.fresh ?? 0 } }
      },
    }
    after = last
  }
}

const decided = (c: Context) => ({ decidedAt: c.now.toString(), decidedBy: authorOf(c.actor).username })

/** Records whether two leads are duplicates. Later searches and open screens respect the decision. */
export async function decideDuplicatePair(
  c: Context,
  one: number,
  other: number,
  state: 'separate' | 'merged' | 'suspect',
) {
  const [first, second] = [Math.min(one, other), Math.max(one, other)]
  const [known] = await c.lockAll(duplicatePair, { first, second })
  if (known) await c.set(duplicatePair, known, { state, ...decided(c) }, state)
  else
    await c
      .withoutPermissionCheck('anybody who may change two leads may decide whether they are duplicates')
      .create(duplicatePair, { first, second, state, ...decided(c) })
}

const pairBehaviour = behaviour(duplicatePair, {
  actions: {
    keepSeparate: (c) => ({ set: decided(c) }),
    reconsider: (c) => ({ set: decided(c) }),
  },
})

const duplicateRoutes = [
  routeWithInput(
    {
      lead: link(() => contact, { required: true }),
      other: link(() => contact, { required: true }),
    },
    {
      method: 'POST',
      path: `${duplicatePair.url}/keep-separate`,
      title: 'Mark two leads as separate',
      allow: 'ROLE_STAFF',
      refuses: [409],
      handle: (c) =>
        c.engine.inTenant(c.me.clientId, c.change(), async (unit) => {
          const { lead, other } = c.input
          if (lead === other) throw problem.conflict('Please choose two different leads.')
          await decideDuplicatePair(unit, lead, other, 'separate')
          return () => ({ state: 'separate' })
        }),
    },
  ),
  routeWithInput(
    {},
    {
      method: 'POST',
      path: `${duplicatePair.url}/sweep`,
      title: 'Search all leads for duplicates',
      allow: 'ROLE_LEADS_ADMIN',
      refuses: [409],
      handle: (c) =>
        c.engine.inTenant(c.me.clientId, c.change(), async (unit) => {
          const id = await startBatchJob(unit, duplicateSearchJob, { automatic: false })
          return () => new RouteResponse(202, { run: `/api/portal/runs/${id}`, id })
        }),
    },
  ),
]

export const duplicates = feature({
  resources: [duplicatePair],
  behaviours: [pairBehaviour],
  routes: duplicateRoutes,
  batchJobs: [duplicateSearchJob],
  schedules: [nightlySearch],
})
