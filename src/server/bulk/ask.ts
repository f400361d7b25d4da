import { type BulkAction, bulkActions, bulkRequiresProof, canRunBulk } from '#kernel/bulk.ts'
import { problem, violation } from '#kernel/errors.ts'
import { idByEither } from '#kernel/iri.ts'
import { closedPack } from '#kernel/packs.ts'
import type { Resource } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import { problems } from '#kernel/validate.ts'
import { requireProof } from '#server/auth/proof.ts'
import type { Query } from '#server/data/filters.ts'
import { readInput } from '#server/data/input.ts'
import { matchingKeysQuery, type RecordKey } from '#server/data/matching-rows.ts'
import { defaultsOf } from '#server/data/plan.ts'
import type { Condition } from '#server/data/query-values.ts'
import { findReferences } from '#server/data/references.ts'
import type { Engine } from '#server/engine/types.ts'
import type { Deed } from './one.ts'

/** Records that one request may be about. */
const MOST = 100_000
/** Records that one request may name; more are chosen by what finds them. */
const MOST_NAMED = 10_000

type Body = Readonly<Record<string, unknown>>

/** What is to be done to which records, read from a body and the query of the list. */
export interface BulkAsk extends Deed {
  /** What finds them. */
  readonly query: Query
  readonly keys: readonly RecordKey[]
  /** Ids that were named and are not there, or not for whoever asks. */
  readonly unknown: number[]
}

/**
 * Reads `{action, ids}` or `{action, all: true, count}`: chosen records, or everything that the list finds with the filters of
 * the query. Throws 403 where it takes a proof of who somebody is, before anything is done, 400 for everything without `count`, as a filter with a typing mistake in it finds more than is meant, and 409
 * where `count` says that it is not what the person saw.
 */
export async function readBulk(engine: Engine, r: Resource, actor: Actor, query: Query, body: Body): Promise<BulkAsk> {
  const action = bulkActions(r).find(({ name }) => name === body.action)
  if (!action)
    throw problem.badRequest(
      `"action" must be one of: ${bulkActions(r)
        .map((a) => a.name)
        .join(', ')}.`,
    )
  if (!canRunBulk(actor, r, action)) throw closedPack(actor, r.pack)
  if (bulkRequiresProof(r, action)) requireProof(actor)
  const input = await readBulkInput(engine, actor, action, body.input)
  const chosen = chosenBy(r, query, body)
  const keys = await findKeys(engine, r, actor, chosen)
  const named = namedIn(chosen)
  const found = new Set(named.length ? keys.map(([, id]) => id) : [])
  const unknown = named.filter((id) => !found.has(id))
  if (typeof body.count === 'number' && body.count !== keys.length)
    throw problem.conflict(
      `The list has changed: ${keys.length.toLocaleString('en-GB')} are found now, not ${body.count.toLocaleString('en-GB')}. Please look again.`,
    )
  return { action, input, query: chosen, keys, unknown }
}

/** The query that finds what the body chooses. Chosen records are looked for as the list would find them, its filters left aside. */
function chosenBy(r: Resource, query: Query, body: Body): Query {
  if (body.all === true) {
    if (typeof body.count === 'number') return query
    throw problem.badRequest('Say with "count" how many records the list finds, so that "all" is what you mean.')
  }
  if (!Array.isArray(body.ids) || !body.ids.length)
    throw problem.badRequest('Say which records: "ids" as a list, or "all": true for everything that the list finds.')
  if (body.ids.length > MOST_NAMED) throw problem.tooLarge(`${MOST_NAMED.toLocaleString('en-GB')} "ids" at a time`)
  const ids = body.ids.map((given: unknown) => {
    const id = idByEither(r, given)
    if (id === undefined) throw problem.invalidIri(given)
    return String(id)
  })
  return { 'id[]': [...new Set(ids)] }
}

/** The ids that a query chooses records by. */
const namedIn = (query: Query): number[] => [query['id[]'] ?? []].flat().map(Number)

/** What else the list leaves out; chosen records are asked for by name. */
export const narrowing = (engine: Engine, r: Resource, query: Query): readonly Condition[] =>
  query['id[]'] ? [] : engine.extraFilters(r, query)

async function findKeys(engine: Engine, r: Resource, actor: Actor, query: Query): Promise<readonly RecordKey[]> {
  const q = matchingKeysQuery(r, actor, query, MOST + 1, narrowing(engine, r, query))
  const keys = q ? ((await engine.db.read.arrays(q.query, q.values)) as unknown as RecordKey[]) : []
  if (keys.length > MOST) throw problem.tooLarge(`${MOST.toLocaleString('en-GB')} records at a time`)
  return keys
}

/** The input, valid in itself; what each record makes of it, its own rules say. */
async function readBulkInput(engine: Engine, actor: Actor, { input: fields, change }: BulkAction, given: unknown) {
  const body = typeof given === 'object' && given !== null && !Array.isArray(given) ? (given as Body) : {}
  const read = readInput(fields, body, actor)
  const values = { ...read.values, ...(await findReferences(engine.db.read, actor, read.references)) }
  if (change && Object.keys(fields).some((name) => !(name in values)))
    throw problem.invalid(Object.keys(fields).map((name) => violation(`input.${name}`, 'Please say what it is to be.')))
  const wrong = problems(fields, { ...defaultsOf(fields), ...values })
  if (wrong.length) throw problem.invalid(wrong.map((v) => ({ ...v, propertyPath: `input.${v.propertyPath}` })))
  return values
}
