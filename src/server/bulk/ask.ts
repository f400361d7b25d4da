import { type BulkAction, bulkActions, bulkRequiresProof, canRunBulk } from '#kernel/bulk.ts'
import { problem, violation } from '#kernel/errors.ts'
import { idFromIriOrNumber } from '#kernel/iri.ts'
import { packProblem } from '#kernel/packs.ts'
import type { Resource } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import { fieldViolations } from '#kernel/validate.ts'
import { requireAccessProof } from '#server/auth/proof.ts'
import type { Query } from '#server/data/filters.ts'
import { readInput } from '#server/data/input.ts'
import { matchingKeysQuery, type RecordKey } from '#server/data/matching-rows.ts'
import { defaultsOf } from '#server/data/plan.ts'
import type { Condition } from '#server/data/query-values.ts'
import { findReferences } from '#server/data/references.ts'
import type { Engine } from '#server/engine/types.ts'
import type { BulkOperation } from './one.ts'

/** Most records per request. */
const MOST = 100_000
/** Most ids per request; more records are selected with a query. */
const MOST_NAMED = 10_000

type Body = Readonly<Record<string, unknown>>

/** A bulk request, read from a body and the list's query: an action and its records. */
export interface BulkRequest extends BulkOperation {
  /** The query that finds the records. */
  readonly query: Query
  readonly keys: readonly RecordKey[]
  /** Ids in the request that don't exist or are not accessible. */
  readonly unknown: number[]
}

/**
 * Parses `{action, ids}` or `{action, all: true, count}`: selected records, or all that the list finds with the filters
 * of the query. Throws 403 before anything is done if a proof of identity is needed, 400 for `all` without `count`, as
 * a mistyped filter finds more than intended, and 409 if `count` differs from the number found.
 */
export async function readBulkRequest(
  engine: Engine,
  r: Resource,
  actor: Actor,
  query: Query,
  body: Body,
): Promise<BulkRequest> {
  const action = bulkActions(r).find(({ name }) => name === body.action)
  if (!action)
    throw problem.badRequest(
      `"action" must be one of: ${bulkActions(r)
        .map((a) => a.name)
        .join(', ')}.`,
    )
  if (!canRunBulk(actor, r, action)) throw packProblem(actor, r.pack)
  if (bulkRequiresProof(r, action)) requireAccessProof(actor)
  const input = await readBulkInput(engine, actor, action, body.input)
  const chosen = chosenBy(r, query, body)
  const keys = await findKeys(engine, r, actor, chosen)
  const named = namedIn(chosen)
  const found = new Set(named.length ? keys.map(([, id]) => id) : [])
  const unknown = named.filter((id) => !found.has(id))
  if (typeof body.count === 'number' && body.count !== keys.length)
    throw problem.conflict(
      `The list has changed: it now has ${keys.length.toLocaleString('en-GB')} records, not ${body.count.toLocaleString('en-GB')}. Please check it and try again.`,
    )
  return { action, input, query: chosen, keys, unknown }
}

/** Builds the query that finds the records of a request. Ids are looked up in the list without its filters. */
function chosenBy(r: Resource, query: Query, body: Body): Query {
  if (body.all === true) {
    if (typeof body.count === 'number') return query
    throw problem.badRequest('Send "count", the number of records in the list, with "all".')
  }
  if (!Array.isArray(body.ids) || !body.ids.length)
    throw problem.badRequest('Select records: send "ids" as a list, or "all": true for every record in the list.')
  if (body.ids.length > MOST_NAMED)
    throw problem.tooLarge(`At most ${MOST_NAMED.toLocaleString('en-GB')} "ids" at a time`)
  const ids = body.ids.map((given: unknown) => {
    const id = idFromIriOrNumber(r, given)
    if (id === undefined) throw problem.invalidIri(given)
    return String(id)
  })
  return { 'id[]': [...new Set(ids)] }
}

/** Ids in a query. */
const namedIn = (query: Query): number[] => [query['id[]'] ?? []].flat().map(Number)

/** Further conditions of the list; none when records are selected by id. */
export const bulkConditions = (engine: Engine, r: Resource, query: Query): readonly Condition[] =>
  query['id[]'] ? [] : engine.extraFilters(r, query)

async function findKeys(engine: Engine, r: Resource, actor: Actor, query: Query): Promise<readonly RecordKey[]> {
  const q = matchingKeysQuery(r, actor, query, MOST + 1, bulkConditions(engine, r, query))
  const keys = q ? ((await engine.db.read.arrays(q.query, q.values)) as unknown as RecordKey[]) : []
  if (keys.length > MOST) throw problem.tooLarge(`At most ${MOST.toLocaleString('en-GB')} records at a time`)
  return keys
}

/** Validates the input by itself; each record's own rules apply later. */
async function readBulkInput(engine: Engine, actor: Actor, { input: fields, change }: BulkAction, given: unknown) {
  const body = typeof given === 'object' && given !== null && !Array.isArray(given) ? (given as Body) : {}
  const read = readInput(fields, body, actor)
  const values = { ...read.values, ...(await findReferences(engine.db.read, actor, read.references)) }
  if (change && Object.keys(fields).some((name) => !(name in values)))
    throw problem.invalid(Object.keys(fields).map((name) => violation(`input.${name}`, 'Please enter a value.')))
  const wrong = fieldViolations(fields, { ...defaultsOf(fields), ...values })
  if (wrong.length) throw problem.invalid(wrong.map((v) => ({ ...v, propertyPath: `input.${v.propertyPath}` })))
  return values
}
