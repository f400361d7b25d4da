import { scopeOf } from '#kernel/can.ts'
import type { ErrorCode } from '#kernel/error-codes.ts'
import { Problem, problem } from '#kernel/errors.ts'
import { type Field, readRoles } from '#kernel/fields.ts'
import { iriOf, type Resource } from '#kernel/resource.ts'
import { type Actor, hasRole } from '#kernel/roles.ts'
import type { RecordKey } from '#server/data/matching-rows.ts'
import { titlesOf } from '#server/data/titles.ts'
import type { Engine, WriteRequest } from '#server/engine/types.ts'
import type { BulkAsk } from './ask.ts'
import { actOnOne, type Changed } from './one.ts'

/** A record that refused, and why. */
export interface Refused {
  readonly '@id': string
  readonly id: number
  readonly title: string | null
  /** What changing this record alone is refused with. */
  readonly code: ErrorCode
  readonly message: string
}

/** What came of it, record by record. */
export interface BulkDone {
  /** Ids of the records that changed: what taking it back is for. */
  readonly done: readonly number[]
  /** Records that were so already. */
  readonly unchanged: readonly number[]
  readonly refused: readonly Refused[]
  /** What a field that was changed said before, those that said the same together. */
  readonly former: readonly Former[]
}

interface Former {
  /** As the API sends it. */
  readonly value: unknown
  readonly ids: readonly number[]
}

/** Refusals of the person, not of a record. */
const ASKS: ReadonlySet<ErrorCode> = new Set(['proof_required', 'second_factor_missing', 'session_ended'])

/** Does it to one record after the other, each in a transaction of its own: one that refuses holds up no other. */
export async function actOnEach(engine: Engine, r: Resource, change: WriteRequest, ask: BulkAsk): Promise<BulkDone> {
  const done: { readonly id: number; readonly was: unknown }[] = []
  const unchanged: number[] = []
  const { code, message } = problem.notFound()
  const refused: Pick<Refused, 'id' | 'code' | 'message'>[] = ask.unknown.map((id) => ({ id, code, message }))
  for (const key of ask.keys) {
    const [, id] = key
    const outcome = await inTenantOf(engine, r, change, key, ask).catch((e: unknown) => {
      // What is asked of the person is not refused record by record: they are asked, and ask again. Once something is done they hear of it.
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

/** Records that said the same together; nothing of a field that is not for whoever asks to read. */
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
  ask: BulkAsk,
): Promise<Changed | undefined> =>
  engine.inTenant(tenantOf(r, change.actor, clientId, ask), { ...change, resource: r, id }, async (c) => {
    const changed = await actOnOne(c, r, id, ask)
    return () => changed
  })

/** Whose rows the transaction writes: the record's client's, for those who reach every client. */
export const tenantOf = (r: Resource, actor: Actor, clientId: number, { action }: Pick<BulkAsk, 'action'>): number =>
  r.tenant !== 'shared' && scopeOf(actor, action.change ? 'update' : 'read', r).tenants === 'all'
    ? clientId
    : actor.clientId
