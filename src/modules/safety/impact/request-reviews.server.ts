import { z } from 'zod'
import { accessScopeFor } from '#kernel/can.ts'
import { problem, violation } from '#kernel/errors.ts'
import { longText, strings } from '#kernel/fields.ts'
import { areAllIds, idFromIriOrNumber } from '#kernel/iri.ts'
import type { Resource } from '#kernel/resource.ts'
import { iriOf } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import { reviewRequestValues } from '#modules/documents/review/request-review.ts'
import { DOCUMENT_APPROVER_ROLES, DOCUMENT_READER_ROLES } from '#modules/documents/rights.ts'
import { document, signature } from '#modules/documents/types/document.ts'
import { collectDocumentKinds } from '#modules/documents/types/kinds.server.ts'
import { batchJob } from '#modules/portal/runs/run.ts'
import type { RequestQuery } from '#server/data/filters.ts'
import { buildNextKeysQuery, matchingRowsCondition, type RecordKey } from '#server/data/matching-rows.ts'
import type { QueryCondition } from '#server/data/values.ts'
import { BoundValues, prepareSql } from '#server/data/values.ts'
import { feature } from '#server/engine/module.ts'
import { registryOf } from '#server/engine/registry.ts'
import { type Route, type RouteContext, RouteResponse } from '#server/engine/route.ts'
import { parseDeclaredBody } from '#server/engine/route-input.ts'
import type { BatchJob, BatchStep, RejectedItem } from '#server/engine/schedule.ts'
import { runInTenant } from '#server/engine/tenant.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { listRoute, subListRoute } from '#server/http/list-route.ts'
import { defineBatchJob, startBatchJob } from '#server/jobs/batch-job-control.ts'
import { hazard, hazardControl } from '../library/hazard.ts'
import { ppe } from '../library/ppe.ts'
import { policyArrangement } from '../policies/arrangement.ts'
import { standardStatement, task } from '../statements/statement.ts'
import { substance } from '../substances/substance.ts'

/** Library type, with the SQL condition that finds the documents using an item of this type. */
interface LibraryUse {
  readonly of: Resource
  /** Returns the SQL condition on documents `t`. The argument is an SQL expression for the item's ID. */
  readonly where: (id: string) => string
}

/** Finds documents by their lines, which store the item's ID. */
const byLines = (of: Resource, lines: string): LibraryUse => ({
  of,
  where: (id) => `t.id IN (SELECT l.document_id FROM ${lines} = ${id})`,
})

/** Finds documents by the generated column that lists the library items in their content. */
const byWords = (of: Resource): LibraryUse => ({
  of,
  where: (id) => `t.library <> '{}' AND t.library @> ARRAY['${of.path}/' || ${id}]`,
})

/** Library types whose items documents copy, each with its SQL condition. */
const LIBRARY_USES: readonly LibraryUse[] = [
  byLines(hazard, 'risk_item l WHERE NOT l.retired AND l.hazard_id'),
  byLines(hazardControl, 'risk_item l WHERE NOT l.retired AND l.control_id'),
  byLines(substance, 'coshh_substance l WHERE l.substance_id'),
  ...[ppe, policyArrangement, standardStatement, task].map(byWords),
]

/** Maximum number of signatories in a response. */
const MAX_NAMES = 100

/** Returns the SQL condition under which document `t` uses the library item. */
const usesItem = ({ where }: LibraryUse, id: number): QueryCondition => ({
  sql: (next) => where(`${next(id)}::bigint`),
})

/**
 * Returns the SQL condition under which the user may see document `t` and the document matches the query and the extra
 * conditions. Matches nothing if the user lacks the permission.
 */
const seen = (actor: Actor, query: RequestQuery, extra: readonly QueryCondition[], v: Pick<BoundValues, 'next'>) =>
  (matchingRowsCondition(document, actor, query, extra, v as BoundValues) ?? ['false']).join(' AND ')

/**
 * Returns the SQL condition under which document `t` includes a document that uses the item, directly or through other
 * documents. The user must be able to see every document in between, so that no hidden document is revealed. The search
 * starts from the inclusions, because few documents include others.
 */
const holdsIt = (c: RouteContext, use: LibraryUse, id: number): QueryCondition => ({
  sql: (next) => {
    const first = seen(c.me, {}, [usesItem(use, id)], { next })
    const others = seen(c.me, {}, [], { next })
    const holders = (of: string) =>
      `SELECT t.client_id, t.id FROM (${of}) r JOIN document t ON t.client_id = r.client_id AND t.id = r.document_id WHERE ${others}`
    const held = `WITH RECURSIVE held(client_id, id) AS (
      ${holders(`SELECT DISTINCT r.client_id, r.document_id FROM document_reference r JOIN document t ON t.id = r.target_id AND t.client_id = r.target_client_id WHERE ${first}`)}
      UNION ${holders('SELECT r.client_id, r.document_id FROM held JOIN document_reference r ON r.target_id = held.id')}) SELECT id FROM held`
    return `t.id IN (${held}) AND NOT (${usesItem(use, id).sql(next)})`
  },
})

/**
 * Returns the signatories of the documents in force that use the item. Includes signatories of earlier revisions whose
 * signatures were carried forward by a minor change.
 */
async function signersOf(c: RouteContext, use: LibraryUse, id: number) {
  const v = new BoundValues()
  const found = seen(c.me, { current: 'true', retired: 'false' }, [usesItem(use, id)], v)
  const text = `SELECT min(g.id), min(g.name), count(DISTINCT t.id), count(*) OVER () FROM document t
    JOIN document d ON d.client_id = t.client_id AND d.kind = t.kind AND d.number = t.number AND d.revision <= t.revision
      AND (d.id = t.id OR t.change = 'minor' AND d.revision >= signatures_hold_from(t.client_id, t.kind, t.number, t.revision))
    JOIN signature g ON g.client_id = d.client_id AND g.document_id = d.id
    WHERE ${found} GROUP BY t.client_id, coalesce(g.user_id::text, lower(g.name)) ORDER BY 2, 1 LIMIT ${MAX_NAMES}`
  const rows = await c.engine.db.read.arrays(prepareSql(text), v.list)
  return {
    '@type': 'hydra:Collection',
    'hydra:totalItems': Number(rows[0]?.[3] ?? 0),
    'hydra:member': rows.map(([first, name, documents]) => ({
      '@id': iriOf(signature, Number(first)),
      '@type': 'Signer',
      name,
      documents: Number(documents),
    })),
  }
}

const routesFor = (use: LibraryUse): readonly Route[] => [
  subListRoute({
    path: `${use.of.url}/{id}/where_used`,
    title: 'List the documents that use this item and that the user may read',
    of: use.of,
    r: document,
    where: use.where,
    defaults: { retired: 'false' },
    allow: DOCUMENT_READER_ROLES,
  }),
  listRoute(
    document,
    `${use.of.url}/{id}/held_in`,
    'List the packs and other documents that include a document using this item and that the user may read',
    async (c) => ({
      query: { retired: 'false', ...c.query },
      extra: [holdsIt(c, use, await readVisibleItemId(c, use))],
    }),
    { allow: DOCUMENT_READER_ROLES },
  ),
  {
    method: 'GET',
    path: `${use.of.url}/{id}/signed_by`,
    title: `Get the signatories of the documents in force that use this item: their number and the first ${MAX_NAMES} names`,
    allow: DOCUMENT_READER_ROLES,
    listOf: 'objects',
    handle: async (c) => signersOf(c, use, await readVisibleItemId(c, use)),
  },
]

/** Returns the ID of a library item that the user may see. Throws 404 for any other. */
async function readVisibleItemId({ engine, me, params }: RouteContext, { of }: LibraryUse): Promise<number> {
  if (params.id === undefined) throw problem.notFound()
  const id = await engine.idOf(of, me, params.id)
  await engine.one(of, me, id)
  return id
}

/**
 * Routes that list the uses of a library item: documents that use the item, documents that include such documents, and
 * signatories.
 */
const libraryUseRoutes: readonly Route[] = LIBRARY_USES.flatMap(routesFor)

/** Number of documents processed per batch. */
const PORTION = 50
const MAX_CHOSEN_DOCUMENTS = 1000
/** Maximum length of a reason in characters, short enough that several reasons fit on one line. */
const MAX_REASON_LENGTH = 300

const INPUT = z.object({
  reason: z.string(),
  /** URL of the library type's list; `id` is the item's ID. */
  of: z.string(),
  id: z.int(),
  /** IDs of the selected documents; if empty, all documents in force that use the item. */
  documents: z.array(z.int()),
})
/** Client and ID of the last document processed. */
const CURSOR = z.object({ client: z.int(), id: z.int() })
type Input = z.output<typeof INPUT>
type FormPosition = z.output<typeof CURSOR>

/**
 * Returns true for users who may update every client's documents. Other users may update only their own company's
 * documents.
 */
const isWide = (actor: Actor, engine: Engine) =>
  collectDocumentKinds(registryOf(engine).modules).some(
    ({ resource }) => accessScopeFor(actor, 'update', resource).tenants === 'all',
  )

interface AffectedDocumentsQuery {
  readonly query: RequestQuery
  readonly extra: readonly QueryCondition[]
}

function foundBy({ of, id, documents }: Input, actor: Actor, engine: Engine): AffectedDocumentsQuery {
  if (documents.length) return { query: { id: documents.map(String) }, extra: [] }
  const use = LIBRARY_USES.find((one) => one.of.url === of)
  if (!use) throw problem.notFound()
  // Restricts the batch job to the user's own company, because everybody can read templates but only template managers
  // review them.
  const own: QueryCondition = { sql: (next) => `t.client_id = ${next(actor.clientId)}::int` }
  return {
    query: { current: 'true', retired: 'false' },
    extra: [usesItem(use, id), ...(isWide(actor, engine) ? [] : [own])],
  }
}

/** Batch job that requests a review of each document in force and records the reason. Sealed content doesn't change. */
const reviewRequestJob = defineBatchJob<Input, FormPosition>({
  kind: 'documents.ask-reviews',
  title: 'Review requests',
  queue: 'bulk',
  as: 'starter',
  input: INPUT,
  cursor: CURSOR,
  steps: portions,
})

async function countOf(engine: Engine, actor: Actor, { query, extra }: AffectedDocumentsQuery): Promise<number> {
  const v = new BoundValues()
  const found = matchingRowsCondition(document, actor, query, extra, v)
  if (!found) return 0
  const text = `SELECT count(*) FROM ${document.table} t WHERE ${found.join(' AND ')}`
  const [row] = await engine.db.read.arrays(prepareSql(text), v.list)
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
    const q = buildNextKeysQuery(document, actor, query, after, PORTION, extra)
    const keys = q ? ((await engine.db.read.arrays(q.query, q.values)) as unknown as RecordKey[]) : []
    const last = keys.at(-1)
    if (!last) return
    yield { cursor: { client: last[0], id: last[1] }, execute: (c) => askOf(c, keys, input.reason) }
    after = last
  }
}

async function askOf(c: Context, keys: readonly RecordKey[], reason: string) {
  let done = 0
  const refused: RejectedItem[] = []
  const wide = isWide(c.actor, c.engine)
  for (const [clientId, those] of Map.groupBy(keys, ([client]) => (wide ? client : c.clientId)))
    await runInTenant(c, clientId, async (unit) => {
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

/** Requests a review of a document. Returns false if the same review was already requested. */
async function askOne(c: Context, id: number, reason: string): Promise<boolean> {
  const found = await c.get(document, id)
  const kind = collectDocumentKinds(registryOf(c.engine).modules).find((one) => one.kind === found?.kind)
  if (!kind) throw problem.notFound()
  const row = await c.lock(kind.resource, id)
  if (!row.current || row.retired)
    throw problem.conflict('This document is not in force: only documents in force can be reviewed.', 'wrong_state')
  const asked = reviewRequestValues(row, reason, londonDate(c.now).toString())
  if (asked) await c.change(kind.resource, row, asked)
  return asked !== undefined
}

const REVIEW_REQUEST_FIELDS = {
  reason: longText({ required: 'Please enter a reason', max: MAX_REASON_LENGTH, label: 'Reason' }),
  documents: strings({
    default: [],
    help: '`@id`s of the documents to review. If empty, reviews are requested for all documents in force that use the item.',
  }),
}

/**
 * Routes that start a batch job to request reviews after a library change: of selected documents, or of all documents
 * in force that use the item.
 */
const reviewRequestRoutes: readonly Route[] = LIBRARY_USES.map((use) => ({
  method: 'POST',
  path: `${use.of.url}/{id}/ask_reviews`,
  title: 'Start a batch job that requests a review of all or selected documents in force that use this item',
  allow: DOCUMENT_APPROVER_ROLES,
  input: REVIEW_REQUEST_FIELDS,
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
        const made = await c.engine.one(batchJob, c.me, begun)
        return new RouteResponse(202, made, { location: made['@id'] })
      }
    })
  },
}))

/**
 * Reads the reason and the document IDs from the request. Throws 422 if the reason is missing, if there are too many
 * documents or if an ID is not a document's.
 */
async function readAsked(c: RouteContext) {
  const { input, wrong } = await parseDeclaredBody(c, REVIEW_REQUEST_FIELDS)
  if (wrong.length) throw problem.invalid(wrong)
  const documents = input.documents.map((one) => idFromIriOrNumber(document, one))
  if (documents.length > MAX_CHOSEN_DOCUMENTS || !areAllIds(documents))
    throw problem.invalid([violation('documents', `Please choose at most ${MAX_CHOSEN_DOCUMENTS} documents`)])
  return { reason: input.reason.trim(), documents: [...new Set(documents)] }
}

export const libraryUsesFeature = feature({
  pack: 'safety',
  routes: [...libraryUseRoutes, ...reviewRequestRoutes],
  batchJobs: [reviewRequestJob],
})
