import { scopeOf } from '#kernel/can.ts'
import type { ErrorCode } from '#kernel/error-codes.ts'
import { Problem, problem } from '#kernel/errors.ts'
import { type Field, readRoles } from '#kernel/fields.ts'
import { iriOf, type Resource } from '#kernel/resource.ts'
import { type Actor, hasRole } from '#kernel/roles.ts'
import type { RecordKey } from '#server/data/matching-rows.ts'
import { titlesOf } from '#server/data/titles.ts'
import type { Engine, WriteRequest } from '#server/engine/types.ts'
import type { BulkRequest } from './ask.ts'
import { applyToOne, type BulkRecordChange } from './one.ts'

/** A record that was not changed, and why. */
export interface RefusedRecord {
  readonly '@id': string
  readonly id: number
  readonly title: string | null
  /** Error code that changing this record alone would return. */
  readonly code: ErrorCode
  readonly message: string
}

/** Result of a bulk request, record by record. */
export interface BulkActionResult {
  /** Ids of the changed records, for undo. */
  readonly done: readonly number[]
  /** Records that already had the value. */
  readonly unchanged: readonly number[]
  readonly refused: readonly RefusedRecord[]
  /** Former values of the changed field, with the records that had each. */
  readonly former: readonly Former[]
}

interface Former {
  /** Value in the API's form. */
  readonly value: unknown
  readonly ids: readonly number[]
}

/** Errors about the person rather than a record. */
const ASKS: ReadonlySet<ErrorCode> = new Set(['proof_required', 'second_factor_missing', 'session_ended'])

/**
 * Applies the action to one record after the other, each in its own transaction, so that a failing one stops no other.
 */
export async function applyToEach(
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
      // An error about the person ends the request, so that it can be repeated after the prompt. Once a record has
      // changed, the error is reported with the results.
      if (!(e instanceof Problem) || (ASKS.has(e.code) && !done.length)) throw e
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

/** Groups records by former value; empty if the actor may not read the field. */
function formerOf(r: Resource, field: string, actor: Actor, done: readonly { id: number; was: unknown }[]): Former[] {
  const f = r.fields[field] as Field
  if (f.writeOnly || !hasRole(actor, readRoles(f) ?? 'member')) return []
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
  engine.inTenant(tenantOfBulkWrite(r, change.actor, clientId, ask), { ...change, resource: r, id }, async (c) => {
    const changed = await applyToOne(c, r, id, ask)
    return () => changed
  })

/** The tenant whose rows the transaction writes: the record's client, for actors with access to all clients. */
export const tenantOfBulkWrite = (
  r: Resource,
  actor: Actor,
  clientId: number,
  { action }: Pick<BulkRequest, 'action'>,
): number =>
  r.tenant !== 'shared' && scopeOf(actor, action.change ? 'update' : 'read', r).tenants === 'all'
    ? clientId
    : actor.clientId
