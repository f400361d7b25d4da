import type { Logger } from 'pino'
import { canRunAction, isBlockedByImpersonation, NOT_WHILE_IMPERSONATING, scopeOf } from '#kernel/can.ts'
import { problem } from '#kernel/errors.ts'
import type { Field } from '#kernel/fields.ts'
import { readId } from '#kernel/iri.ts'
import { closedPack } from '#kernel/packs.ts'
import type { RecordOf, Resource, Verb } from '#kernel/resource.ts'
import { type Actor, systemActor } from '#kernel/roles.ts'
import type { Instant } from '#kernel/time.ts'
import { settleAll } from '#kernel/settle-all.ts'
import { countTry, Guessed } from '#server/auth/attempts.ts'
import { type From, SecurityLog } from '#server/auth/security-log.ts'
import { Sessions } from '#server/auth/sessions.ts'
import type { Config } from '#server/config.ts'
import { type Figure, readFigures, type Series } from '#server/data/counts.ts'
import { sameFieldValue } from '#server/data/difference.ts'
import type { Query } from '#server/data/filters.ts'
import { type Input, type Reference, readInput } from '#server/data/input.ts'
import type { ApiRecord, Form, RowArray } from '#server/data/json-select.ts'
import { ListPage, readPage } from '#server/data/listed.ts'
import { type Row, type SelectPlan, selectPlanFor } from '#server/data/plan.ts'
import { listQuery, oneQuery, type Page } from '#server/data/queries.ts'
import type { Condition } from '#server/data/query-values.ts'
import { numbered, resolve, resolveMany } from '#server/data/references.ts'
import { rowChanges } from '#server/data/rows.ts'
import { Totals } from '#server/data/totals.ts'
import type { PendingWrite } from '#server/data/writing/step.ts'
import { writeAuditTrace } from '#server/data/writing/trail.ts'
import { type SecurityNote, Work } from '#server/data/writing/work.ts'
import type { Db, Tx } from '#server/db/db.ts'
import { readInside } from '#server/db/inside.ts'
import { makeLog } from '#server/log.ts'
import type { AnyBehaviour } from './behaviour.ts'
import { Clock } from './clock.ts'
import type { Context, Reader } from './context.ts'
import { type EventHandler, handlersOf } from './handler.ts'
import { lockAccessible, lockReference } from './lock-accessible.ts'
import type { Module } from './module.ts'
import { type NotificationType, notificationsOf } from './notice-kind.ts'
import { recordRead } from './opened.ts'
import { asProblem, NotAccessible } from './refusals.ts'
import { type BatchJobType, batchJobsOf } from './run-kind.ts'
import { type Schedule, schedulesOf } from './schedule.ts'
import { confidentialIn, hasOwners, hasRowDependentFields, namesOthers, visible } from './seen.ts'
import { contextOf, runAction, save } from './transaction.ts'
import { behavioursOf, checkWiring } from './wiring.ts'

/** What a change comes with: who, the request, and the caller's precondition. */
export interface WriteRequest {
  readonly actor: Actor
  readonly requestId: string
  /** Where it came from, where it was asked for over the network. */
  readonly from?: From
  /** What an action takes from the query. */
  readonly query?: Query
  /** When it is done: now, but for code that tells of the past, as the demo world does. */
  readonly at?: Instant
  /** Compares the record as the caller last saw it; false means somebody else was quicker. */
  readonly matches?: (current: ApiRecord) => boolean
  /** What is being changed, and what the body refers to: to name the one that a foreign key refuses. */
  readonly resource?: Resource
  readonly id?: number
  readonly references?: readonly Reference[]
  /** Keeps the answer of a request with an Idempotency-Key, in the transaction that does what it asks for. */
  readonly keep?: (tx: Tx, value: unknown) => Promise<void>
}

/** The engine: every read and write of every resource passes here, and so do permission, tenant, state, audit and outbox. */
export class Engine {
  readonly db: Db
  readonly config: Config
  readonly modules: readonly Module[]
  readonly resources: readonly Resource[]
  /** Those that have addresses: what nobody may read is for behaviour alone. */
  readonly addressed: readonly Resource[]
  readonly totals: Totals
  readonly clock: Clock
  readonly sessions: Sessions
  /** Who came in, who was kept out, whose rights changed. */
  readonly security: SecurityLog
  /** What the operator should know that nobody is refused for. */
  readonly log: Pick<Logger, 'error' | 'warn'>
  /** By name. */
  readonly listeners: ReadonlyMap<string, EventHandler>
  readonly schedules: ReadonlyMap<string, Schedule>
  readonly runs: ReadonlyMap<string, BatchJobType>
  readonly notices: ReadonlyMap<string, NotificationType>
  private readonly behaviours: ReadonlyMap<Resource, AnyBehaviour>
  /** Told after each commit which tables were written. */
  readonly committed: ((touched: ReadonlySet<string>) => void)[] = []
  /** Told when the server is about to close: what never ends by itself is ended. */
  readonly closing: (() => void)[] = []

  constructor(db: Db, config: Config, modules: readonly Module[]) {
    this.db = db
    this.config = config
    this.modules = modules
    this.resources = modules.flatMap((r) => r.resources)
    this.addressed = this.resources.filter((r) => r.allow.read !== 'nobody')
    this.behaviours = behavioursOf(modules)
    this.listeners = handlersOf(modules)
    this.schedules = schedulesOf(modules)
    this.runs = batchJobsOf(modules)
    this.notices = notificationsOf(modules)
    this.clock = new Clock(db)
    this.sessions = new Sessions(db, config)
    this.security = new SecurityLog(db)
    this.log = makeLog(config.logLevel)
    this.totals = new Totals(db.read)
    checkWiring(this.resources, this.behaviours)
  }

  /** What a resource does that its declaration can't say. */
  behaviourOf(r: Resource): AnyBehaviour | undefined {
    return this.behaviours.get(r)
  }

  async list<R extends Resource>(
    r: R,
    actor: Actor | undefined,
    query: Query,
    page: Page,
    { count = true, extra = [] as readonly Condition[] } = {},
  ): Promise<ListPage<R>> {
    const narrow = this.behaviours.get(r)?.extraFilters?.(query) ?? []
    const q = listQuery(r, actor, query, page, [...narrow, ...extra])
    if (!q) throw refusal(actor, r)
    const found = await readPage(this.db.read, q, page, count ? this.totals.of(r.table, q.count) : undefined)
    return new ListPage<R>(found.rows, selectPlanFor(r, actor, true), found.total)
  }

  /** Counts what several lists find, all at once. */
  figures(actor: Actor, series: readonly Series[]): Promise<Figure[]> {
    const narrow = ({ of, where }: Series) => this.behaviours.get(of)?.extraFilters?.(where) ?? []
    return readFigures(this.db.read, actor, series, narrow)
  }

  async one<R extends Resource>(r: R, actor: Actor | undefined, id: number): Promise<RecordOf<R>> {
    const { row, plan } = await this.find(r, actor, id)
    const sent = plan.send(row) as RecordOf<R>
    if (actor && hasRowDependentFields(r)) visible(r, actor, sent)
    if (actor) await this.writeDownLook(r, actor, Number(row[1]), sent)
    await recordRead(this, r, actor, { clientId: Number(row[1]), id })
    return sent
  }

  /** The same as JSON text, but for the braces; of a record that is not looked at before it is sent. */
  async oneText(r: Resource, actor: Actor | undefined, id: number, form: Form): Promise<string> {
    const { row, plan } = await this.find(r, actor, id)
    await recordRead(this, r, actor, { clientId: Number(row[1]), id })
    return plan.text(row, form)
  }

  private async find(r: Resource, actor: Actor | undefined, id: number): Promise<{ row: RowArray; plan: SelectPlan }> {
    // Whose a field is stands in the row: it is read whole, and what is not for this reader taken out of it.
    const q = oneQuery(r, actor, 'read', id, { everything: actor !== undefined && hasOwners(r) })
    if (!q) throw refusal(actor, r)
    const [row] = await this.db.read.arrays(q.query, q.values)
    if (!row) throw problem.notFound()
    return { row, plan: q.plan }
  }

  /** Leaves a trace of who has seen what is confidential, before they see it. */
  private async writeDownLook(r: Resource, actor: Actor, clientId: number, sent: ApiRecord): Promise<void> {
    const seen = confidentialIn(r, sent)
    if (!seen.length) return
    const trace = { clientId, type: r.type, rowId: Number(sent.id), verb: 'look', changes: { fields: seen } }
    await this.db.tx('system', (tx) => writeAuditTrace(tx, actor, trace))
  }

  /** The record's id for what stands at the end of an address: a number, or the value of the resource's alias. */
  async idOf(r: Resource, actor: Actor | undefined, given: string | undefined): Promise<number> {
    const id = readId(given)
    if (id !== undefined) return id
    if (given === undefined) throw problem.notFound()
    if (!r.alias || scopeOf(actor, 'read', r).tenants === 'none') throw problem.notFound()
    const found = await resolve(this.db.read, actor, [{ field: 'id', target: r, given, alias: given }]).catch(() => {
      throw problem.notFound()
    })
    return found.id as number
  }

  async create<R extends Resource>(r: R, body: ApiRecord, change: WriteRequest): Promise<RecordOf<R>> {
    this.require(change.actor, 'create', r)
    const input = readInput(r.fields, body, change.actor)
    const inRows = this.referencesInRows(change.actor, input)
    const tenant = await this.tenantForNew(r, change.actor, body)
    return this.inTenant(tenant, { ...change, resource: r, references: input.references }, async (c) => {
      const references = this.references(c, input, this.behaviourOf(r)?.lockedRelations)
      const rows = rowChanges(r, input, await inRows, undefined)
      const given = numbered(input.references) ?? (await references)
      const saving = save(r, c, this.behaviourOf(r), undefined, { values: { ...input.values, ...given }, rows })
      // Nothing of it counts where one of them is not to be found, and that is told first.
      const [, written] = await settleAll(references, saving)
      return () => this.answer(r, change.actor, written)
    })
  }

  async update<R extends Resource>(r: R, id: number, body: ApiRecord, change: WriteRequest): Promise<RecordOf<R>> {
    this.require(change.actor, 'update', r)
    const input = readInput(r.fields, body, change.actor)
    const inRows = this.referencesInRows(change.actor, input)
    const tenant = await this.tenantOf(r, 'update', change.actor, id)
    return this.inTenant(tenant, { ...change, resource: r, id, references: input.references }, async (c) => {
      const references = this.references(c, input)
      // Who may not touch the record is told that, whatever the body refers to.
      const before = await this.hold(c, r, 'update', id, change)
      const found = await references
      const rows = rowChanges(r, input, await inRows, before)
      const given = { ...input.values, ...found }
      const values = Object.fromEntries(
        Object.entries(given).filter(
          ([name, v]) => r.fields[name]?.writeOnly || !sameFieldValue(r.fields[name], before[name], v),
        ),
      )
      const written = await save(r, c, this.behaviourOf(r), before, { values, rows })
      return () => this.answer(r, change.actor, written)
    })
  }

  async remove(r: Resource, id: number, change: WriteRequest): Promise<void> {
    this.require(change.actor, 'delete', r)
    const tenant = await this.tenantOf(r, 'delete', change.actor, id)
    await this.inTenant(tenant, { ...change, resource: r, id }, async (c) => {
      const before = await this.hold(c, r, 'delete', id, change)
      c.work.remove(r, before)
      return () => ({})
    })
  }

  /** Runs a declared action on one record: found and locked, allowed, in a fitting state, its input valid. */
  async act(r: Resource, name: string, id: number, body: ApiRecord, change: WriteRequest): Promise<ApiRecord> {
    const spec = r.actions?.[name]
    if (!spec) throw problem.notFound()
    if (!canRunAction(change.actor, name, r)) throw refusal(change.actor, r)
    const input = readInput(spec.input, body, change.actor)
    const tenant = await this.tenantOf(r, 'read', change.actor, id)
    return this.inTenant(tenant, { ...change, resource: r, id, references: input.references }, async (c) => {
      const references = this.references(c, input)
      const row = await this.hold(c, r, 'read', id, change)
      const found = await references
      const acted = await runAction(r, c, this.behaviourOf(r), name, row, { ...input.values, ...found })
      const { written, answer } = acted
      if (answer) return () => answer(written)
      return () => (written ? this.answer(r, change.actor, written) : this.one(r, change.actor, id))
    })
  }

  /** For routes and jobs that write: a transaction in one tenant, with the engine's audit and outbox. */
  inTenant<T>(clientId: number, change: WriteRequest, work: (c: Context) => Promise<() => T | Promise<T>>): Promise<T> {
    const touched = new Set<string>()
    const noted: SecurityNote[] = []
    let worded: Work['worded'] | undefined
    return this.db
      .tx({ clientId, userId: change.actor.userId }, async (tx) => {
        const unit = new Work(tx, change.actor, clientId, change.requestId)
        worded = unit.worded
        const answer = await work(
          contextOf({
            actor: change.actor,
            now: change.at ?? this.clock.now(),
            clientId,
            work: unit,
            engine: this,
            query: change.query ?? {},
          }),
        )
        await unit.flush(!change.keep)
        for (const t of unit.touched) touched.add(t)
        noted.push(...unit.noted)
        if (!change.keep) return answer
        const value = await readInside(tx, answer)
        await change.keep(tx, value)
        return () => value
      })
      .catch(async (e: unknown) => {
        if (e instanceof Guessed) await this.db.tx('system', (tx) => countTry(tx, [e.tried]))
        throw (await this.visibleOnly(e, change)) ?? (await asProblem(e, { ...change, worded }, this.db.read))
      })
      .then((answer) => {
        this.tell(touched)
        for (const { event, clientId, detail } of noted)
          this.security.note(event, { ...change.actor, clientId }, change.from, detail)
        return answer()
      })
  }

  /** Looks at a tenant's records for the portal itself, whoever asks; `why` says by what right. */
  readIn<T>(clientId: number, why: string, read: (c: Reader) => Promise<T>): Promise<T> {
    const change = { actor: systemActor(clientId, why), requestId: why }
    return this.inTenant(clientId, change, async (c) => {
      const found = await read(c)
      return () => found
    })
  }

  /** A record that was not found for changing, but can be looked at: forbidden, not unknown. */
  private async visibleOnly(
    e: unknown,
    { resource: r, id, actor }: Pick<WriteRequest, 'resource' | 'id' | 'actor'>,
  ): Promise<Error | undefined> {
    if (!(e instanceof NotAccessible) || !r || id === undefined) return undefined
    const seen = oneQuery(r, actor, 'read', id)
    const rows = seen ? await this.db.read.arrays(seen.query, seen.values) : []
    return rows.length ? problem.forbidden('You can look at this, but not change it.', 'read_only') : undefined
  }

  /** Something wrote to these tables and has committed. */
  tell(touched: ReadonlySet<string>): void {
    for (const table of touched) this.totals.changed(table)
    for (const listener of this.committed) listener(touched)
  }

  /** A written record as its writer sees it; one with rows, which were written beside it, or that names another client is read again. */
  private answer<R extends Resource>(r: R, actor: Actor, written: PendingWrite<R>): RecordOf<R> | Promise<RecordOf<R>> {
    return namesOthers(r) || Object.values<Field>(r.fields).some((f) => f.kind === 'rows')
      ? this.one(r, actor, written.row().id)
      : present(r, actor, written)
  }

  /** The record, locked, within the actor's reach for the verb; 404 for one beyond it. */
  private async hold(c: Context, r: Resource, verb: Verb, id: number, change: WriteRequest): Promise<Row> {
    const { matches } = change
    const asBefore = (sent: ApiRecord) => {
      if (!matches?.(sent)) throw problem.precondition()
    }
    return lockAccessible(c, r, verb, id, matches && asBefore)
  }

  /** The tenant that work on this record belongs to: the actor's own, or, for provider staff, the record's. */
  async tenantOf(r: Resource, verb: Verb, actor: Actor, id: number): Promise<number> {
    if (r.tenant === 'shared' || scopeOf(actor, verb, r).tenants !== 'all') return actor.clientId
    if (r.tenant === 'self') {
      if (id > 2_147_483_647) throw problem.notFound()
      return id
    }
    const q = oneQuery(r, actor, verb, id)
    const [row] = q ? await this.db.read.arrays(q.query, q.values) : []
    if (row) return Number(row[1])
    throw (await this.visibleOnly(new NotAccessible(), { resource: r, id, actor })) ?? problem.notFound()
  }

  /** Provider staff who reach every client may say whose the new record is to be; for everybody else it is their own client's. */
  private async tenantForNew(r: Resource, actor: Actor, body: ApiRecord): Promise<number> {
    const named = r.fields.client
    if (
      named?.column !== 'client_id' ||
      body.client === undefined ||
      body.client === null ||
      scopeOf(actor, 'create', r).tenants !== 'all'
    )
      return actor.clientId
    const { references } = readInput({ client: { ...named, readonly: false } }, body)
    return (await resolve(this.db.read, actor, references)).client ?? actor.clientId
  }

  private require(actor: Actor | undefined, verb: Verb, r: Resource): asserts actor is Actor {
    if (!actor) throw problem.signIn()
    if (scopeOf(actor, verb, r).tenants === 'none') throw refusal(actor, r, verb)
  }

  /**
   * Asks what a body refers to, before the transaction begins: nothing may have been asked in it. What a behaviour locks begins it.
   * Awaited by whoever needs it.
   */
  private references(c: Context, input: Input, locked: readonly string[] = []): Promise<Record<string, number>> {
    const isHeld = ({ field, id }: Reference) => locked.includes(field) && id !== undefined
    const held = input.references.filter(isHeld)
    const asked = held.length ? input.references.filter((ref) => !isHeld(ref)) : input.references
    const known = [resolve({ arrays: c.work.tx.before }, c.actor, asked), ...held.map((ref) => lockReference(c, ref))]
    const found = settleAll(...known).then((all) => Object.assign({}, ...all) as Record<string, number>)
    found.catch(() => {})
    return found
  }

  private referencesInRows(actor: Actor, input: Input): Promise<ReadonlyMap<Reference, number>> {
    const found = resolveMany(
      this.db.read,
      actor,
      Object.values(input.rows).flatMap((rows) => rows.flatMap((row) => row.references)),
    )
    found.catch(() => {})
    return found
  }
}

/** Why somebody is refused: not signed in, not in person, a pack that their client has not or no more, or no permission. */
function refusal(actor: Actor | undefined, r: Resource, verb: Verb = 'read') {
  if (!actor) return problem.signIn()
  return isBlockedByImpersonation(actor, verb, r)
    ? problem.forbidden(NOT_WHILE_IMPERSONATING, 'in_person')
    : closedPack(actor, r.pack)
}

/** A written record as its writer sees it. */
export function present<R extends Resource>(r: R, actor: Actor, { stored }: PendingWrite<R>): RecordOf<R> {
  if (!stored) throw new Error(`${r.type}: it is not known what was written`)
  return visible(r, actor, selectPlanFor(r).send(stored) as RecordOf<R>)
}
