import {
  type BulkAction,
  type BulkFieldChange,
  bulkActionRequiresProof,
  bulkActions,
  bulkChangeValues,
  canRunBulkAction,
} from '#kernel/bulk.ts'
import { accessScopeFor } from '#kernel/can.ts'
import type { ErrorCode } from '#kernel/error-statuses.ts'
import { Problem, problem, violation } from '#kernel/errors.ts'
import { type Field, rolesAllowedToRead } from '#kernel/fields.ts'
import { idFromIriOrNumber } from '#kernel/iri.ts'
import type { Resource, ValuesOf } from '#kernel/resource.ts'
import { iriOf } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import { hasRole } from '#kernel/roles.ts'
import { fieldViolations } from '#kernel/validate.ts'
import { requireAccessProof } from '#server/auth/proof.ts'
import { findReferencedIds } from '#server/data/access-sql.ts'
import { areStoredValuesEqual } from '#server/data/difference.ts'
import type { RequestQuery } from '#server/data/filters.ts'
import { parseRecordInput } from '#server/data/input.ts'
import { matchingKeysQuery, type RecordKey } from '#server/data/matching-rows.ts'
import { defaultValuesOf } from '#server/data/plan.ts'
import { titlesOf } from '#server/data/titles.ts'
import type { QueryCondition } from '#server/data/values.ts'
import { createAccessProblem } from '#server/engine/refusals.ts'
import type { Context, Engine, WriteRequest } from '#server/engine/types.ts'

type Values = Readonly<Record<string, unknown>>

/** A bulk action with its input. */
export interface BulkOperation {
  readonly action: BulkAction
  /** Values by field name, relations as IDs. */
  readonly input: Values
}

/** A changed record. For a changed field, `was` is the field's former value. */
export interface BulkRecordChange {
  readonly was?: unknown
}

/**
 * Applies the action to one record under the record's own rules: finds and locks it, checks permission, state and
 * input, and audits the change. Returns `undefined` if the record already has the value. Throws the record's error.
 */
export async function applyBulkActionToRecord(
  c: Context,
  r: Resource,
  id: number,
  { action, input }: BulkOperation,
): Promise<BulkRecordChange | undefined> {
  if (!action.change) {
    await c.act(r, action.name, id, input)
    return {}
  }
  const { field } = action.change
  const value = bulkChangeValues(action.change, input)[field]
  const before: Values = await c.lock(r, id)
  if (areStoredValuesEqual(before[field], value)) return undefined
  await c.change(r, id, { [field]: value } as ValuesOf<Resource>)
  return { was: before[field] ?? null }
}

/**
 * Restores the former value of one field of a record. Returns `undefined` if the field already has that value; throws
 * if the field has changed since.
 */
export async function restoreRecordField(
  c: Context,
  r: Resource,
  id: number,
  { change, input, was }: { readonly change: BulkFieldChange; readonly input: Values; readonly was: unknown },
): Promise<BulkRecordChange | undefined> {
  const before: Values = await c.lock(r, id)
  const now = before[change.field]
  if (areStoredValuesEqual(now, was)) return undefined
  if (!areStoredValuesEqual(now, bulkChangeValues(change, input)[change.field]))
    throw problem.conflict(
      'The value has been changed again since your action, so it was not restored. If necessary, change it in the record.',
    )
  await c.change(r, id, { [change.field]: was } as ValuesOf<Resource>)
  return {}
}

/** Maximum records per request. */
const MAX_RECORDS = 100_000
/** Maximum IDs per request; more records are selected with a query. */
const MAX_IDS = 10_000

type Body = Readonly<Record<string, unknown>>

/** A bulk request, parsed from a body and the list's query: an action and its records. */
export interface BulkRequest extends BulkOperation {
  readonly query: RequestQuery
  readonly keys: readonly RecordKey[]
  /** IDs in the request whose records don't exist or are not accessible. */
  readonly unknown: number[]
}

/**
 * Parses `{action, ids}` or `{action, all: true, count}`: selected records, or all records that the list finds with the
 * query's filters. Throws before any change: 403 if a proof of identity is needed, 400 for `all` without `count` (a
 * mistyped filter finds more than intended), and 409 if `count` differs from the number found.
 */
export async function parseBulkRequest(
  engine: Engine,
  r: Resource,
  actor: Actor,
  query: RequestQuery,
  body: Body,
): Promise<BulkRequest> {
  const action = bulkActions(r).find(({ name }) => name === body.action)
  if (!action)
    throw problem.badRequest(
      `"action" must be one of: ${bulkActions(r)
        .map((a) => a.name)
        .join(', ')}.`,
    )
  if (!canRunBulkAction(actor, r, action))
    throw createAccessProblem(actor, r, action.change ? 'update' : 'read', action.change ? '' : action.name)
  if (bulkActionRequiresProof(r, action)) requireAccessProof(actor)
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

/**
 * Builds the query that selects the records of a request. Records selected by ID are found regardless of the list's
 * filters. Throws 400 if the request selects no records, and 413 if it names too many.
 */
function chosenBy(r: Resource, query: RequestQuery, body: Body): RequestQuery {
  if (body.all === true) {
    if (typeof body.count === 'number') return query
    throw problem.badRequest('If you send "all", also send "count", the number of records in the list.')
  }
  if (!Array.isArray(body.ids) || !body.ids.length)
    throw problem.badRequest('Select records: send "ids" as a list, or "all": true for every record in the list.')
  if (body.ids.length > MAX_IDS) throw problem.tooLarge(`${MAX_IDS.toLocaleString('en-GB')} "ids" at a time`)
  const ids = body.ids.map((given: unknown) => {
    const id = idFromIriOrNumber(r, given)
    if (id === undefined) throw problem.invalidIri(given)
    return String(id)
  })
  return { 'id[]': [...new Set(ids)] }
}

/** Returns the IDs in a query. */
const namedIn = (query: RequestQuery): number[] => [query['id[]'] ?? []].flat().map(Number)

/** Returns the list's additional conditions; none if records are selected by ID. */
export const bulkConditions = (engine: Engine, r: Resource, query: RequestQuery): readonly QueryCondition[] =>
  query['id[]'] ? [] : engine.extraFilters(r, query)

async function findKeys(engine: Engine, r: Resource, actor: Actor, query: RequestQuery): Promise<readonly RecordKey[]> {
  const q = matchingKeysQuery(r, actor, query, MAX_RECORDS + 1, bulkConditions(engine, r, query))
  const keys = q ? ((await engine.db.read.arrays(q.query, q.values)) as unknown as RecordKey[]) : []
  if (keys.length > MAX_RECORDS) throw problem.tooLarge(`${MAX_RECORDS.toLocaleString('en-GB')} records at a time`)
  return keys
}

/**
 * Reads and validates the input alone; each record's own rules are checked later. Throws 422 if the input is not valid.
 */
async function readBulkInput(
  engine: Engine,
  actor: Actor,
  { input: fields, singleOnly = [], change }: BulkAction,
  given: unknown,
) {
  const body = typeof given === 'object' && given !== null && !Array.isArray(given) ? (given as Body) : {}
  const single = singleOnly.filter((name) => (body[name] ?? '') !== '')
  if (single.length)
    throw problem.invalid(
      single.map((name) => violation(`input.${name}`, 'This applies to one record. Use the action of that record')),
    )
  const read = parseRecordInput(fields, body, actor)
  const values = { ...read.values, ...(await findReferencedIds(engine.db.read, actor, read.references)) }
  if (change && Object.keys(fields).some((name) => !(name in values)))
    throw problem.invalid(Object.keys(fields).map((name) => violation(`input.${name}`, 'Please enter a value.')))
  const wrong = fieldViolations(fields, { ...defaultValuesOf(fields), ...values })
  if (wrong.length) throw problem.invalid(wrong.map((v) => ({ ...v, propertyPath: `input.${v.propertyPath}` })))
  return values
}

/** A record that was not changed, and the reason. */
interface RefusedRecord {
  readonly '@id': string
  readonly id: number
  readonly title: string | null
  /** Error code that changing only this record would return. */
  readonly code: ErrorCode
  readonly message: string
}

interface BulkActionResult {
  /** IDs of the changed records, for undo. */
  readonly done: readonly number[]
  /** Records that already had the value. */
  readonly unchanged: readonly number[]
  readonly refused: readonly RefusedRecord[]
  /** Former values of the changed field, each with the IDs of the records that had it. */
  readonly former: readonly Former[]
}

interface Former {
  /** Value in the API's format. */
  readonly value: unknown
  readonly ids: readonly number[]
}

/** Errors that concern the user rather than a record. */
const PERSONAL_ERROR_CODES: ReadonlySet<ErrorCode> = new Set([
  'proof_required',
  'second_factor_missing',
  'session_ended',
])

/** Applies the action to each record in its own transaction, so that a failure doesn't stop the others. */
export async function applyBulkActionToEachRecord(
  engine: Engine,
  r: Resource,
  change: WriteRequest,
  ask: BulkRequest,
): Promise<BulkActionResult> {
  const done: { readonly id: number; readonly was: unknown }[] = []
  const unchanged: number[] = []
  const { code, message } = problem.notFound()
  const refused: Pick<RefusedRecord, 'id' | 'code' | 'message'>[] = ask.unknown.map((id) => ({ id, code, message }))
  for (const key of ask.keys) {
    const [, id] = key
    const outcome = await inTenantOf(engine, r, change, key, ask).catch((e: unknown) => {
      // An error that concerns the user ends the request, so that the user can repeat the request after the prompt.
      // Once a record has changed, the error is reported with the results instead.
      if (!(e instanceof Problem) || (PERSONAL_ERROR_CODES.has(e.code) && !done.length)) throw e
      return e
    })
    if (outcome instanceof Problem) refused.push({ id, code: outcome.code, message: outcome.message })
    else if (outcome) done.push({ id, was: outcome.was })
    else unchanged.push(id)
  }
  const titles = await titlesOf(
    engine.db.read,
    change.actor,
    r,
    refused.map(({ id }) => id),
    ask.keys.map(([clientId]) => clientId),
  )
  return {
    done: done.map(({ id }) => id),
    unchanged,
    former: ask.action.change ? formerOf(r, ask.action.change.field, change.actor, done) : [],
    refused: refused.map(({ id, ...why }) => ({ '@id': iriOf(r, id), id, title: titles.get(id) ?? null, ...why })),
  }
}

/** Groups changed records by former value; empty if the actor may not read the field. */
function formerOf(r: Resource, field: string, actor: Actor, done: readonly { id: number; was: unknown }[]): Former[] {
  const f = r.fields[field] as Field
  if (f.writeOnly || !hasRole(actor, rolesAllowedToRead(f) ?? 'member')) return []
  const target = f.kind === 'link' ? f.target?.() : undefined
  const sent = (was: unknown) => (target && was !== null ? iriOf(target, was as number) : was)
  return [...Map.groupBy(done, ({ was }) => JSON.stringify(was))].map(([was, of]) => ({
    value: sent(JSON.parse(was)),
    ids: of.map(({ id }) => id),
  }))
}

const inTenantOf = (
  engine: Engine,
  r: Resource,
  change: WriteRequest,
  [clientId, id]: RecordKey,
  ask: BulkRequest,
): Promise<BulkRecordChange | undefined> =>
  engine.inTenant(bulkWriteTenant(r, change.actor, clientId, ask), { ...change, resource: r, id }, async (c) => {
    const changed = await applyBulkActionToRecord(c, r, id, ask)
    return () => changed
  })

/**
 * Returns the tenant whose rows the transaction writes: the record's client if the actor has access to all clients,
 * otherwise the actor's own client.
 */
export const bulkWriteTenant = (
  r: Resource,
  actor: Actor,
  clientId: number,
  { action }: Pick<BulkRequest, 'action'>,
): number =>
  r.tenant !== 'shared' && accessScopeFor(actor, action.change ? 'update' : 'read', r).tenants === 'all'
    ? clientId
    : actor.clientId
