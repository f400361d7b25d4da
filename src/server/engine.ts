import { canAct, scopeOf } from '#kernel/can.ts'
import { Problem, problem, violation } from '#kernel/errors.ts'
import { type Field, snake } from '#kernel/fields.ts'
import type { Resource, Verb } from '#kernel/resource.ts'
import { type Actor, author, holds } from '#kernel/roles.ts'
import { type Instant, now } from '#kernel/time.ts'
import { problems } from '#kernel/validate.ts'
import type { Behaviour, Context, Room } from './behaviour.ts'
import type { Config } from './config.ts'
import type { Query } from './data/filters.ts'
import { type Input, type Reference, readInput } from './data/input.ts'
import { planFor, type Row, type Sent } from './data/plan.ts'
import { listQuery, oneQuery, type Page } from './data/queries.ts'
import type { Condition } from './data/query-values.ts'
import { auditOf, compareRows, isChange, type RowsChange, rowProblems } from './data/rows.ts'
import { Totals } from './data/totals.ts'
import { resolve, resolveMany, Work, type Written } from './data/work.ts'
import { type Db, isDbError, type Tx } from './db/db.ts'
import { readInside } from './db/inside.ts'
import { type Listener, listenersOf } from './runs/listener.ts'
import { type Schedule, schedulesOf } from './runs/schedule.ts'

export interface Listed {
  readonly members: Sent[]
  /** Absent when the caller asked for no count. */
  readonly total: number | undefined
}

/** What a change comes with: who, the request, and the caller's precondition. */
export interface Change {
  readonly actor: Actor
  readonly requestId: string
  readonly query?: Query
  /** Compares the record as the caller last saw it; false means somebody else was quicker. */
  readonly matches?: (current: Sent) => boolean
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
  readonly rooms: readonly Room[]
  readonly resources: readonly Resource[]
  readonly totals: Totals
  /** By name. */
  readonly listeners: ReadonlyMap<string, Listener>
  readonly schedules: ReadonlyMap<string, Schedule>
  private readonly behaviours: ReadonlyMap<Resource, Behaviour>
  /** Told after each commit which tables were written. */
  readonly committed: ((touched: ReadonlySet<string>) => void)[] = []

  constructor(db: Db, config: Config, rooms: readonly Room[]) {
    this.db = db
    this.config = config
    this.rooms = rooms
    this.resources = rooms.flatMap((r) => r.resources)
    this.behaviours = new Map(rooms.flatMap((r) => r.behaviours ?? []))
    this.listeners = listenersOf(rooms)
    this.schedules = schedulesOf(rooms)
    this.totals = new Totals(db.read)
    checkWiring(this.resources, this.behaviours)
  }

  async list(
    r: Resource,
    actor: Actor | undefined,
    query: Query,
    page: Page,
    { count = true, extra = [] as readonly Condition[] } = {},
  ): Promise<Listed> {
    const narrow = this.behaviours.get(r)?.narrow?.(query) ?? []
    const q = listQuery(r, actor, query, page, [...narrow, ...extra])
    if (!q) throw actor ? problem.forbidden() : problem.signIn()
    const plan = planFor(r, actor, true)
    const counted = { table: r.table, count: q.count }
    const known = count ? this.totals.known(counted) : undefined
    const { query: sql, values } = count && known === undefined ? q.counted : q.page
    const rows = page.limit > 0 ? await this.db.read.arrays(sql, values) : []
    const members = rows.map(plan.send)
    if (!count || known !== undefined) return { members, total: known }
    // A page that is not full is the last: then the total is known without counting.
    if (rows.length < page.limit && (rows.length > 0 || page.offset === 0))
      return { members, total: page.offset + rows.length }
    const n = rows.map((row) => row.at(-1)).find((last) => last !== null)
    return { members, total: await this.totals.total(counted, n as number | undefined) }
  }

  async one(r: Resource, actor: Actor | undefined, id: number): Promise<Sent> {
    const q = oneQuery(r, actor, 'read', id)
    if (!q) throw actor ? problem.forbidden() : problem.signIn()
    const [row] = await this.db.read.arrays(q.query, q.values)
    if (!row) throw problem.notFound()
    return q.plan.send(row)
  }

  /** The record's id for what stands at the end of an address: a number, or the value of the resource's alias. */
  async idOf(r: Resource, actor: Actor | undefined, given: string): Promise<number> {
    if (/^\d{1,15}$/.test(given)) return Number(given)
    if (!r.alias || scopeOf(actor, 'read', r).tenants === 'none') throw problem.notFound()
    const found = await resolve(this.db.read, actor, [{ field: 'id', target: r, given, alias: given }]).catch(() => {
      throw problem.notFound()
    })
    return found.id as number
  }

  async create(r: Resource, body: Sent, change: Change): Promise<Sent> {
    this.require(change.actor, 'create', r)
    const input = readInput(r.fields, body, change.actor)
    const references = this.references(change.actor, input)
    const inRows = this.referencesInRows(change.actor, input)
    const tenant = await this.tenantForNew(r, change.actor, body)
    return this.inTenant(tenant, { ...change, resource: r, references: input.references }, async (c) => {
      const rows = rowChanges(r, input, await inRows, undefined)
      const written = await this.save(r, c, undefined, { ...input.values, ...(await references) }, rows)
      return () => this.answer(r, change.actor, written)
    })
  }

  async update(r: Resource, id: number, body: Sent, change: Change): Promise<Sent> {
    this.require(change.actor, 'update', r)
    const input = readInput(r.fields, body, change.actor)
    const references = this.references(change.actor, input)
    const inRows = this.referencesInRows(change.actor, input)
    const tenant = await this.tenantOf(r, 'update', change.actor, id)
    return this.inTenant(tenant, { ...change, resource: r, id, references: input.references }, async (c) => {
      const [before, found] = await Promise.all([this.hold(c.work.tx, r, 'update', id, change), references])
      const rows = rowChanges(r, input, await inRows, before)
      const given = { ...input.values, ...found }
      const changes = Object.fromEntries(
        Object.entries(given).filter(([name, v]) => r.fields[name]?.writeOnly || !same(before[name], v)),
      )
      const written = await this.save(r, c, before, changes, rows)
      return () => this.answer(r, change.actor, written)
    })
  }

  async remove(r: Resource, id: number, change: Change): Promise<void> {
    this.require(change.actor, 'delete', r)
    const tenant = await this.tenantOf(r, 'delete', change.actor, id)
    await this.inTenant(tenant, { ...change, resource: r, id }, async (c) => {
      const before = await this.hold(c.work.tx, r, 'delete', id, change)
      c.work.remove(r, before)
      return () => ({})
    })
  }

  /** Runs a declared action on one record: found and locked, allowed, in a fitting state, its input valid. */
  async act(r: Resource, name: string, id: number, body: Sent, change: Change): Promise<Sent> {
    const spec = r.actions?.[name]
    const run = this.behaviours.get(r)?.actions?.[name]
    if (!spec || !run) throw problem.notFound()
    if (!holds(change.actor, spec.allow)) throw problem.forbidden()
    const input = readInput(spec.input, body, change.actor)
    const references = this.references(change.actor, input)
    const tenant = await this.tenantOf(r, 'read', change.actor, id)
    return this.inTenant(tenant, { ...change, resource: r, id, references: input.references }, async (c) => {
      const [row, found] = await Promise.all([this.hold(c.work.tx, r, 'read', id, change), references])
      if (!canAct(change.actor, name, r, r.state && row[r.state]))
        throw problem.conflict(`This can't be done while it is ${String(row[r.state ?? '']).toLowerCase()}.`)
      const values = { ...input.values, ...found }
      const wrong = problems(spec.input, values)
      if (wrong.length) throw problem.invalid(wrong)
      const result = await run({ ...c, row, input: values })
      const written =
        result.set && Object.keys(result.set).length
          ? c.work.update(r, row, { ...result.set, ...stamps(r, change.actor, c.now, false) }, name)
          : undefined
      if (result.answer) return () => (result.answer as NonNullable<typeof result.answer>)(written)
      return () => (written ? this.answer(r, change.actor, written) : this.one(r, change.actor, id))
    })
  }

  /** For routes and jobs that write: a transaction in one tenant, with the engine's audit and outbox. */
  inTenant<T>(clientId: number, change: Change, work: (c: Context) => Promise<() => T | Promise<T>>): Promise<T> {
    const touched = new Set<string>()
    return this.db
      .tx({ clientId, userId: change.actor.userId }, async (tx) => {
        const unit = new Work(tx, change.actor, clientId, change.requestId)
        const answer = await work({
          actor: change.actor,
          now: now(),
          work: unit,
          engine: this,
          query: change.query ?? {},
        })
        await unit.flush(!change.keep)
        for (const t of unit.touched) touched.add(t)
        if (!change.keep) return answer
        const value = await readInside(tx, answer)
        await change.keep(tx, value)
        return () => value
      })
      .catch(async (e: unknown) => {
        throw (await this.visibleOnly(e, change)) ?? asProblem(e, change)
      })
      .then((answer) => {
        this.tell(touched)
        return answer()
      })
  }

  /** A record that was not found for changing, but can be looked at: forbidden, not unknown. */
  private async visibleOnly(e: unknown, { resource: r, id, actor }: Change): Promise<Error | undefined> {
    if (!(e instanceof Beyond) || !r || id === undefined) return undefined
    const seen = oneQuery(r, actor, 'read', id)
    const rows = seen ? await this.db.read.arrays(seen.query, seen.values) : []
    return rows.length ? problem.forbidden('You can look at this, but not change it.') : undefined
  }

  /** Something wrote to these tables and has committed. */
  tell(touched: ReadonlySet<string>): void {
    for (const table of touched) this.totals.changed(table)
    for (const listener of this.committed) listener(touched)
  }

  /** A written record as its writer sees it; one with rows is read again, as they were written beside it. */
  private answer(r: Resource, actor: Actor, written: Written): Sent | Promise<Sent> {
    return Object.values<Field>(r.fields).some((f) => f.kind === 'rows')
      ? this.one(r, actor, written.row().id)
      : present(r, actor, written)
  }

  private async save(
    r: Resource,
    c: Context,
    before: Row | undefined,
    changes: Record<string, unknown>,
    rows: readonly RowsChange[] = [],
  ): Promise<Written> {
    const behaviour = this.behaviours.get(r)
    const values = { ...before, ...changes }
    const more = (await behaviour?.prepare?.({ ...c, before, changes, values, rows })) ?? {}
    const all = { ...changes, ...more }
    const wrong = [...problems(r.fields, { ...values, ...more }), ...rows.flatMap(rowProblems)]
    if (wrong.length) throw problem.invalid(wrong)
    const unchanged = before && Object.keys(all).length + rows.length === 0 && stored.get(before)
    if (unchanged) return { resource: r, stored: unchanged, row: () => before }
    const stamped = { ...all, ...stamps(r, c.actor, c.now, !before) }
    if (before) for (const change of rows) c.work.rows(change, before.id)
    const told = Object.fromEntries(rows.map((change) => [change.field, auditOf(change)]))
    const written = before ? c.work.update(r, before, stamped, 'update', told) : c.work.create(r, stamped)
    if (!before && rows.length) {
      await c.work.flush()
      for (const change of rows) c.work.rows(change, written.row().id)
    }
    await behaviour?.saved?.({ ...c, before, changes: all, written })
    return written
  }

  /** The record, locked, within the actor's reach for the verb; 404 for one beyond it. */
  private async hold(tx: Tx, r: Resource, verb: Verb, id: number, change: Change): Promise<Row> {
    const q = oneQuery(r, change.actor, verb, id, { lock: true, everything: true })
    const [found] = q ? await tx.arrays(q.query, q.values) : []
    if (!found || !q) throw new Beyond()
    if (change.matches && !change.matches(visible(r, change.actor, q.plan.send(found)))) throw problem.precondition()
    const row = q.plan.row(found)
    stored.set(row, found)
    return row
  }

  /** The tenant that a write on this record belongs to: the actor's own, or, for provider staff, the record's. */
  private async tenantOf(r: Resource, verb: Verb, actor: Actor, id: number): Promise<number> {
    if (r.tenant === 'shared' || scopeOf(actor, verb, r).tenants !== 'all') return actor.clientId
    if (r.tenant === 'self') {
      if (id > 2_147_483_647) throw problem.notFound()
      return id
    }
    const q = oneQuery(r, actor, verb, id)
    const [row] = q ? await this.db.read.arrays(q.query, q.values) : []
    if (!row) throw problem.notFound()
    return Number(row[1])
  }

  /** Provider staff who reach every client may say whose the new record is to be; for everybody else it is their own client's. */
  private async tenantForNew(r: Resource, actor: Actor, body: Sent): Promise<number> {
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
    if (scopeOf(actor, verb, r).tenants === 'none') throw problem.forbidden()
  }

  private references(actor: Actor, input: Input): Promise<Record<string, number>> {
    const found = resolve(this.db.read, actor, input.references)
    found.catch(() => {}) // awaited inside the transaction
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

/** What a body does to the rows of a record: the rows that are there are those that it came with. */
function rowChanges(
  r: Resource,
  input: Input,
  ids: ReadonlyMap<Reference, number>,
  before: Row | undefined,
): RowsChange[] {
  return Object.entries(input.rows)
    .map(([field, rows]) =>
      compareRows(
        field,
        r.fields[field] as Field,
        rows.map(({ iri, values, references }) => ({
          iri,
          ...values,
          ...Object.fromEntries(references.map((ref) => [ref.field, ids.get(ref)])),
        })),
        (before?.[field] as Row[] | undefined) ?? [],
      ),
    )
    .filter(isChange)
}

/** The record is not within reach for what is to be done to it. */
class Beyond extends Problem {
  constructor() {
    super(404, problem.notFound().message)
  }
}

/** The select list that a held row was read from: the answer when nothing changes. */
const stored = new WeakMap<Row, readonly unknown[]>()

function stamps(r: Resource, actor: Actor, at: Instant, created: boolean): Record<string, unknown> {
  const values = { updated: at.toString(), editor: author(actor).username, author: author(actor).username }
  return Object.fromEntries(
    Object.entries<Field>(r.fields).flatMap(([name, f]) =>
      f.stamp && (created || f.stamp !== 'author') ? [[name, values[f.stamp]]] : [],
    ),
  )
}

const visible = (r: Resource, actor: Actor, sent: Sent): Sent => {
  for (const [name, f] of Object.entries<Field>(r.fields)) if (f.visible && !holds(actor, f.visible)) delete sent[name]
  return sent
}

/** A written record as its writer sees it. */
export const present = (r: Resource, actor: Actor, w: Written): Sent =>
  visible(r, actor, planFor(r).send(w.stored ?? []))

const same = (a: unknown, b: unknown) =>
  a === b || ((a ?? null) === null && (b ?? null) === null) || JSON.stringify(a) === JSON.stringify(b)

/** What the database refuses, in words; anything unknown stays a failure. */
function asProblem(e: unknown, { resource: r, references = [] }: Change): unknown {
  if (!isDbError(e)) return e
  if (e.code === '23505') {
    // A unique index is named after its table and column.
    const field = Object.entries(r?.columns ?? {}).find(([, column]) => e.constraint === `${r?.table}_${column}`)?.[0]
    const message = 'Another record already has this value. Please choose a different one.'
    return field ? problem.invalid([violation(field, message)]) : problem.conflict(message)
  }
  const missing = e.code === '23503' && / is not present in table "(\w+)"/.exec(e.detail ?? '')?.[1]
  // The database keeps the value to itself behind row-level security; the constraint's name tells the column.
  const meant = references.filter((ref) => ref.target.table === missing)
  const named = meant.find((ref) => e.constraint?.includes(`_${snake(ref.field)}_`)) ?? meant[0]
  if (named) return problem.unknownTarget(named.given)
  if (e.code === '23503')
    return problem.conflict('This refers to a record that is not there, or others still refer to it.')
  if (e.code === '22003' || e.code === '22008') return problem.badRequest('A number or date is out of range.')
  if (e.code === '40001' || e.code === '40P01')
    return problem.conflict('Somebody else was changing this at the same moment. Please try again.')
  return e
}

/** A mistake in the wiring stops the start, not a customer. */
function checkWiring(resources: readonly Resource[], behaviours: ReadonlyMap<Resource, Behaviour>): void {
  const seen = new Set<string>()
  for (const r of resources) {
    for (const key of [`type ${r.type}`, `address ${r.url}`]) {
      if (seen.has(key)) throw new Error(`Two resources share the ${key}`)
      seen.add(key)
    }
    for (const name of Object.keys(r.actions ?? {}))
      if (!behaviours.get(r)?.actions?.[name]) throw new Error(`${r.type}.${name} is declared but has no behaviour`)
    for (const [name, f] of Object.entries<Field>(r.fields))
      if (f.kind === 'link' && !resources.includes((f.target as () => Resource)()))
        throw new Error(`${r.type}.${name} links to a resource that no room lists`)
  }
  for (const r of behaviours.keys())
    if (!resources.includes(r)) throw new Error(`${r.type} has behaviour but no room lists it`)
}
