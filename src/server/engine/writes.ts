import { accessScopeFor, canRunAction } from '#kernel/can.ts'
import { problem } from '#kernel/errors.ts'
import type { Field } from '#kernel/fields.ts'
import type { AccessVerb, RecordOf, Resource } from '#kernel/resource.ts'
import { type Actor, createSystemActor } from '#kernel/roles.ts'
import { settleAll } from '#kernel/settle-all.ts'
import { countAttempt, GuessRevealingProblem } from '#server/auth/attempts.ts'
import type { SecurityLog } from '#server/auth/security-log.ts'
import {
  findHiddenReferences,
  findIdsReferencedByRows,
  findReferencedIds,
  keepHiddenRowReferences,
  referenceIdsByField,
} from '#server/data/access-sql.ts'
import { areFieldValuesEqual } from '#server/data/difference.ts'
import { parseRecordInput, type RecordInput, type RelationReference } from '#server/data/input.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import type { Row } from '#server/data/plan.ts'
import { recordByIdQuery } from '#server/data/queries.ts'
import { rowsFieldChangesIn } from '#server/data/rows.ts'
import type { PendingWrite } from '#server/data/writing/pending-write.ts'
import { TransactionWrites } from '#server/data/writing/work.ts'
import type { PortalClock } from './clock.ts'
import { hasRelationsToOtherClients } from './field-access.ts'
import { lockAccessibleRecord, lockReferencedRecord } from './lock-accessible.ts'
import { buildResponseInTransaction, RecordReads, readWrittenRecord } from './reads.ts'
import { createAccessProblem, RecordNotAccessibleProblem, toProblem } from './refusals.ts'
import { runBeforeCommit } from './registry.ts'
import { saveRecord } from './save.ts'
import type { Context, Engine, RecordReader, WriteRequest } from './types.ts'
import { createUnitContext, runRecordAction } from './unit-of-work.ts'

/** True if a request contains a value that a waiting one is to replace, without the waiting one. */
function isRestated(r: Resource, name: string, before: Row, body: ApiRecord): boolean {
  const waiting = r.fields[name]?.waitsIn
  return waiting !== undefined && !areFieldValuesEqual(r.fields[waiting], before[waiting], body[waiting])
}

/** Creates, updates, actions and removals, each in one transaction of the record's tenant. */
export abstract class RecordWrites extends RecordReads {
  abstract readonly clock: PortalClock
  abstract readonly security: SecurityLog
  readonly onCommit: Engine['onCommit'] = []

  async create<R extends Resource>(r: R, body: ApiRecord, request: WriteRequest): Promise<RecordOf<R>> {
    requirePermission(request.actor, 'create', r)
    const input = parseRecordInput(r.fields, body, request.actor)
    const inRows = this.referencesInRows(request.actor, input)
    const tenant = await this.tenantForNew(r, request.actor, body)
    const behaviour = this.registry.behaviours.get(r)
    return this.inTenant(tenant, { ...request, resource: r, references: input.references }, async (c) => {
      const references = resolveReferences(c, input, behaviour?.lockedRelations)
      const rows = rowsFieldChangesIn(r, input, await inRows, undefined)
      const given = referenceIdsByField(input.references) ?? (await references)
      const saving = saveRecord(r, c, behaviour, undefined, { values: { ...input.values, ...given }, rows })
      // An unknown reference is reported before any error from the save.
      const [, written] = await settleAll(references, saving)
      return () => this.answer(r, request.actor, written, input.values)
    })
  }

  async update<R extends Resource>(r: R, id: number, body: ApiRecord, request: WriteRequest): Promise<RecordOf<R>> {
    requirePermission(request.actor, 'update', r)
    const input = parseRecordInput(r.fields, body, request.actor)
    const inRows = this.referencesInRows(request.actor, input)
    const tenant = await this.tenantOf(r, 'update', request.actor, id)
    return this.inTenant(tenant, { ...request, resource: r, id, references: input.references }, async (c) => {
      const references = resolveReferences(c, input, [], () => locked)
      // A record that may not be changed is reported first, regardless of the references.
      const locked = lockFor(c, r, 'update', id, request)
      const before = await locked
      const found = await references
      const hidden = await findHiddenReferences(c.work.tx, c.actor, r, input.values, before)
      const kept = await keepHiddenRowReferences(c.work.tx, c.actor, r, input, before)
      const rows = rowsFieldChangesIn(r, kept, await inRows, before)
      const values = Object.fromEntries(
        Object.entries({ ...input.values, ...found }).filter(
          ([name, v]) =>
            !hidden.includes(name) &&
            (r.fields[name]?.writeOnly ||
              isRestated(r, name, before, body) ||
              !areFieldValuesEqual(r.fields[name], before[name], v)),
        ),
      )
      const sent = Object.keys(input.values)
      const written = await saveRecord(r, c, this.registry.behaviours.get(r), before, { values, rows }, { sent })
      return () => this.answer(r, request.actor, written, input.values)
    })
  }

  async remove(r: Resource, id: number, request: WriteRequest): Promise<void> {
    requirePermission(request.actor, 'delete', r)
    const tenant = await this.tenantOf(r, 'delete', request.actor, id)
    await this.inTenant(tenant, { ...request, resource: r, id }, async (c) => {
      await lockFor(c, r, 'delete', id, request)
      await c.remove(r, id)
      return () => ({})
    })
  }

  async act(r: Resource, name: string, id: number, body: ApiRecord, request: WriteRequest): Promise<ApiRecord> {
    const { actor } = request
    const spec = r.actions?.[name]
    if (!spec) throw problem.notFound()
    if (!canRunAction(actor, name, r)) throw createAccessProblem(actor, r, 'read', name)
    const input = parseRecordInput(spec.input, body, actor)
    const tenant = await this.tenantOf(r, 'read', actor, id)
    return this.inTenant(tenant, { ...request, resource: r, id, references: input.references }, async (c) => {
      const references = resolveReferences(c, input)
      const row = await lockFor(c, r, 'read', id, request)
      const given = { ...input.values, ...(await references) }
      const { written, answer } = await runRecordAction(r, c, this.registry.behaviours.get(r), name, row, given)
      if (answer) return () => answer(written)
      return () => (written ? this.answer(r, actor, written) : this.one(r, actor, id))
    })
  }

  inTenant<T>(
    clientId: number,
    request: WriteRequest,
    work: (c: Context) => Promise<() => T | Promise<T>>,
  ): Promise<T> {
    const { actor, keep } = request
    let unit: TransactionWrites | undefined
    return this.db
      .tx({ clientId, userId: actor.userId }, async (tx) => {
        unit = new TransactionWrites(tx, actor, clientId, request.requestId)
        const c = createUnitContext({
          actor,
          now: request.at ?? this.clock.now(),
          clientId,
          work: unit,
          engine: this.self,
          query: request.query ?? {},
        })
        const answer = await work(c)
        await runBeforeCommit(c)
        await unit.flush(!keep)
        if (!keep) return answer
        const value = await buildResponseInTransaction(c, answer)
        await keep(tx, value)
        return () => value
      })
      .catch(async (e: unknown) => {
        if (e instanceof GuessRevealingProblem) await this.db.tx('system', (tx) => countAttempt(tx, [e.tried]))
        throw (
          (await this.readOnlyRefusal(e, request)) ??
          (await toProblem(e, { ...request, uniqueMessages: unit?.uniqueMessages }, this.db.read))
        )
      })
      .then((answer) => {
        this.notifyCommit(unit?.touched ?? new Set())
        for (const { event, clientId, detail } of unit?.securityNotes ?? [])
          this.security.note(event, { ...actor, clientId }, request.from, detail)
        return answer()
      })
  }

  readIn<T>(clientId: number, reason: string, read: (c: RecordReader) => Promise<T>): Promise<T> {
    return this.inTenant(clientId, { actor: createSystemActor(clientId, reason), requestId: reason }, async (c) => {
      const found = await read(c)
      return () => found
    })
  }

  notifyCommit(tables: ReadonlySet<string>): void {
    for (const table of tables) this.totals.changed(table)
    for (const listener of this.onCommit) listener(tables)
  }

  async tenantOf(r: Resource, verb: AccessVerb, actor: Actor, id: number): Promise<number> {
    if (r.tenant === 'shared' || accessScopeFor(actor, verb, r).tenants !== 'all') return actor.clientId
    if (r.tenant === 'self') {
      if (id > MAX_CLIENT_ID) throw problem.notFound()
      return id
    }
    const q = recordByIdQuery(r, actor, verb, id)
    const [row] = q ? await this.db.read.arrays(q.query, q.values) : []
    if (row) return Number(row[1])
    throw (
      (await this.readOnlyRefusal(new RecordNotAccessibleProblem(), { resource: r, id, actor })) ?? problem.notFound()
    )
  }

  /**
   * Returns the tenant for a new record. Provider staff with access to every client may choose the client; everybody
   * else's records belong to their own client.
   */
  private async tenantForNew(r: Resource, actor: Actor, body: ApiRecord): Promise<number> {
    const client = r.fields.client
    if (
      client?.column !== 'client_id' ||
      body.client === undefined ||
      body.client === null ||
      accessScopeFor(actor, 'create', r).tenants !== 'all'
    )
      return actor.clientId
    const { references } = parseRecordInput({ client: { ...client, readonly: false } }, body)
    return (await findReferencedIds(this.db.read, actor, references)).client ?? actor.clientId
  }

  /**
   * Returns problem 403 if the error is a 404 for a record that the actor may read but not change; otherwise
   * `undefined`.
   */
  private async readOnlyRefusal(
    e: unknown,
    { resource: r, id, actor }: Pick<WriteRequest, 'resource' | 'id' | 'actor'>,
  ): Promise<Error | undefined> {
    if (!(e instanceof RecordNotAccessibleProblem) || !r || id === undefined) return undefined
    const seen = recordByIdQuery(r, actor, 'read', id)
    const rows = seen ? await this.db.read.arrays(seen.query, seen.values) : []
    return rows.length ? problem.forbidden('You can view this, but not change it.', 'read_only') : undefined
  }

  /**
   * Returns a written record as the actor may see it. The record is reread if it names another client, if it may
   * refer to an unreadable record, or if it has rows, because rows are written separately.
   */
  private answer<R extends Resource>(
    r: R,
    actor: Actor,
    written: PendingWrite<R>,
    supplied: Readonly<Record<string, unknown>> = {},
  ): Promise<RecordOf<R>> {
    const isReread =
      hasRelationsToOtherClients(r) || Object.values<Field>(r.fields).some((f) => f.kind === 'rows' || f.hideUnreadable)
    return isReread
      ? this.read(r, actor, written.row().id, supplied)
      : readWrittenRecord(this.self, r, actor, written, supplied)
  }

  private referencesInRows(actor: Actor, input: RecordInput): Promise<ReadonlyMap<RelationReference, number>> {
    const references = Object.values(input.rows).flatMap((rows) => rows.flatMap((row) => row.references))
    const found = findIdsReferencedByRows(this.db.read, actor, references)
    found.catch(() => {})
    return found
  }
}

/** Maximum client ID, because client IDs are of type `int`. */
const MAX_CLIENT_ID = 2_147_483_647

function requirePermission(actor: Actor | undefined, verb: AccessVerb, r: Resource): asserts actor is Actor {
  if (!actor) throw problem.signIn()
  if (accessScopeFor(actor, verb, r).tenants === 'none') throw createAccessProblem(actor, r, verb)
}

/**
 * Locks the record if it is accessible for the verb and unchanged since the caller last saw it; throws 404 or 412
 * otherwise.
 */
function lockFor(c: Context, r: Resource, verb: AccessVerb, id: number, { matches }: WriteRequest): Promise<Row> {
  const check = (sent: ApiRecord) => {
    if (!matches?.(sent)) throw problem.precondition()
  }
  return lockAccessibleRecord(c, r, verb, id, matches && check)
}

/**
 * Resolves the references in a body before the transaction begins, so nothing may have been sent in the transaction
 * yet. Locking a relation begins the transaction. Callers await the IDs when they need them.
 */
function resolveReferences(
  c: Context,
  input: RecordInput,
  locked: readonly string[] = [],
  stored?: () => Promise<Row>,
): Promise<Readonly<Record<string, number>>> {
  const [locking, plain] = partition(input.references, ({ field, id }) => locked.includes(field) && id !== undefined)
  const found = settleAll(
    findReferencedIds({ arrays: c.work.tx.before }, c.actor, plain, stored),
    ...locking.map((reference) => lockReferencedRecord(c, reference)),
  ).then((all): Record<string, number> => Object.assign({}, ...all))
  found.catch(() => {})
  return found
}

const partition = <T>(list: readonly T[], matches: (one: T) => boolean): [T[], T[]] => [
  list.filter(matches),
  list.filter((one) => !matches(one)),
]
