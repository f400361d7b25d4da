import { z } from 'zod'
import { scopeOf } from '#kernel/can.ts'
import { problem, violation } from '#kernel/errors.ts'
import { longText, strings } from '#kernel/fields.ts'
import { areAllIds, idFromIriOrNumber } from '#kernel/iri.ts'
import type { Actor } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import { requestReview } from '#modules/documents/review/asked.ts'
import { DOCUMENT_APPROVERS } from '#modules/documents/rights.ts'
import { document } from '#modules/documents/types/document.ts'
import { documentKindsOf } from '#modules/documents/types/kinds.server.ts'
import { run } from '#modules/portal/runs/run.ts'
import type { Query } from '#server/data/filters.ts'
import { keysAfterQuery, matchingRowsCondition, type RecordKey } from '#server/data/matching-rows.ts'
import type { Condition } from '#server/data/query-values.ts'
import { prepare, Values } from '#server/data/values.ts'
import type { BatchJob, BatchStep, Refusal } from '#server/engine/batch-job.ts'
import { feature } from '#server/engine/module.ts'
import { registryOf } from '#server/engine/registry.ts'
import { type Route, RouteAnswer, type RouteContext } from '#server/engine/route.ts'
import { readDeclared } from '#server/engine/route-input.ts'
import { inTenantOf } from '#server/engine/tenant.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { startBatchJob } from '#server/jobs/batch-job-control.ts'
import { defineBatchJob } from '#server/jobs/define-batch-job.ts'
import { LIBRARY_USES } from './uses.ts'
import { libraryUseRoutes, readVisibleItemId, usesItem } from './where-used.server.ts'

/** Documents per batch. */
const PORTION = 50
/** Maximum number of selected documents. */
const MOST_CHOSEN = 1000
/** Short enough to be shown in one line with other reasons. */
const LONGEST = 300

const INPUT = z.object({
  reason: z.string(),
  /** List path of the library type, and the id of the item. */
  of: z.string(),
  id: z.int(),
  /** Ids of the selected documents; if empty, all in force that use the item. */
  documents: z.array(z.int()),
})
/** Last document processed, by client and id. */
const PLACE = z.object({ client: z.int(), id: z.int() })
type Input = z.output<typeof INPUT>
type FormPosition = z.output<typeof PLACE>

/** True for users who may update every client's documents; others may update their own company's only. */
const isWide = (actor: Actor, engine: Engine) =>
  documentKindsOf(registryOf(engine).modules).some(
    ({ resource }) => scopeOf(actor, 'update', resource).tenants === 'all',
  )

interface Found {
  readonly query: Query
  readonly extra: readonly Condition[]
}

function foundBy({ of, id, documents }: Input, actor: Actor, engine: Engine): Found {
  if (documents.length) return { query: { id: documents.map(String) }, extra: [] }
  const use = LIBRARY_USES.find((one) => one.of.url === of)
  if (!use) throw problem.notFound()
  // Everybody can read templates; template managers review them.
  const own: Condition = { sql: (next) => `t.client_id = ${next(actor.clientId)}::int` }
  return {
    query: { current: 'true', retired: 'false' },
    extra: [usesItem(use, id), ...(isWide(actor, engine) ? [] : [own])],
  }
}

/** Batch job: requests a review of each document in force, with the reason. Sealed content is unchanged. */
const reviewRequestJob = defineBatchJob<Input, FormPosition>({
  kind: 'documents.ask-reviews',
  title: 'Review requests',
  queue: 'bulk',
  as: 'starter',
  input: INPUT,
  cursor: PLACE,
  steps: portions,
})

async function countOf(engine: Engine, actor: Actor, { query, extra }: Found): Promise<number> {
  const v = new Values()
  const found = matchingRowsCondition(document, actor, query, extra, v)
  if (!found) return 0
  const text = `SELECT count(*) FROM ${document.table} t WHERE ${found.join(' AND ')}`
  const [row] = await engine.db.read.arrays(prepare(text), v.list)
  return Number(row?.[0] ?? 0)
}

async function* portions(
  engine: Engine,
  { input }: BatchJob<Input>,
  from: FormPosition | null,
  actor: Actor,
): AsyncGenerator<BatchStep<FormPosition>> {
  const { query, extra } = foundBy(input, actor, engine)
  for (let after: RecordKey = from ? [from.client, from.id] : [-1, 0]; ; ) {
    const q = keysAfterQuery(document, actor, query, after, PORTION, extra)
    const keys = q ? ((await engine.db.read.arrays(q.query, q.values)) as unknown as RecordKey[]) : []
    const last = keys.at(-1)
    if (!last) return
    yield { cursor: { client: last[0], id: last[1] }, execute: (c) => askOf(c, keys, input.reason) }
    after = last
  }
}

async function askOf(c: Context, keys: readonly RecordKey[], reason: string) {
  let done = 0
  const refused: Refusal[] = []
  const wide = isWide(c.actor, c.engine)
  for (const [clientId, those] of Map.groupBy(keys, ([client]) => (wide ? client : c.clientId)))
    await inTenantOf(c, clientId, async (unit) => {
      for (const [, id] of those) {
        const tried = await unit.attempt(() => askOne(unit, id, reason), { resource: document })
        if ('value' in tried) done += tried.value ? 1 : 0
        else {
          const { message, code } = tried.refused
          refused.push({ line: id, about: (await unit.get(document, id))?.documentNumber ?? '', reason: message, code })
        }
      }
    })
  return { done, refused, tally: { unchanged: keys.length - done - refused.length } }
}

/** True unless the same review was already requested. */
async function askOne(c: Context, id: number, reason: string): Promise<boolean> {
  const found = await c.get(document, id)
  const kind = documentKindsOf(registryOf(c.engine).modules).find((one) => one.kind === found?.kind)
  if (!kind) throw problem.notFound()
  const row = await c.lock(kind.resource, id)
  if (!row.current || row.retired)
    throw problem.conflict('This document is not in force: only documents in force can be reviewed.', 'wrong_state')
  const asked = requestReview(row, reason, londonDate(c.now).toString())
  if (asked) await c.change(kind.resource, row, asked)
  return asked !== undefined
}

const ASKED = {
  reason: longText({ required: 'Please enter a reason', max: LONGEST, label: 'Reason' }),
  documents: strings({
    default: [],
    help: '`@id`s of documents; all in force that use it if empty.',
  }),
}

/**
 * Routes to request a review after any change in the library: of selected documents, or of all in force that use the
 * item.
 */
const reviewRequestRoutes: readonly Route[] = LIBRARY_USES.map((use) => ({
  method: 'POST',
  path: `${use.of.url}/{id}/ask_reviews`,
  title: 'Request a review of documents in force that use this, all or selected ones, as a batch job',
  allow: DOCUMENT_APPROVERS,
  input: ASKED,
  refuses: [422],
  handle: async (c) => {
    const id = await readVisibleItemId(c, use)
    const { reason, documents } = await readAsked(c)
    const input = { reason, of: use.of.url, id, documents }
    const total = await countOf(c.engine, c.me, foundBy(input, c.me, c.engine))
    if (total < documents.length)
      throw problem.invalid([
        violation('documents', 'One of these documents does not exist or is not accessible to you'),
      ])
    return c.engine.inTenant(c.me.clientId, c.change(), async (unit) => {
      const begun = await startBatchJob(unit, reviewRequestJob, input, { total })
      return async () => {
        const made = await c.engine.one(run, c.me, begun)
        return new RouteAnswer(202, made, { location: made['@id'] })
      }
    })
  },
}))

/** Reads the reason and the document ids. Throws 422 if the reason is missing or an id is not a document. */
async function readAsked(c: RouteContext) {
  const { input, wrong } = await readDeclared(c, ASKED)
  if (wrong.length) throw problem.invalid(wrong)
  const documents = input.documents.map((one) => idFromIriOrNumber(document, one))
  if (documents.length > MOST_CHOSEN || !areAllIds(documents))
    throw problem.invalid([violation('documents', `Please choose at most ${MOST_CHOSEN} documents`)])
  return { reason: input.reason.trim(), documents: [...new Set(documents)] }
}

export const impact = feature({
  pack: 'safety',
  routes: [...libraryUseRoutes, ...reviewRequestRoutes],
  batchJobs: [reviewRequestJob],
})
