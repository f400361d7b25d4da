import { actionAppliesToRecord, can, canRunAction, scopeOf } from '#kernel/can.ts'
import { Problem, problem, type Violation } from '#kernel/errors.ts'
import type { Field } from '#kernel/fields.ts'
import { perResource } from '#kernel/per-declaration.ts'
import type { Resource, RowOf, Verb } from '#kernel/resource.ts'
import { type Actor, author } from '#kernel/roles.ts'
import { fieldsOf, meetsRule } from '#kernel/row-rules.ts'
import type { Instant } from '#kernel/time.ts'
import { settleAll } from '#kernel/settle-all.ts'
import { problems } from '#kernel/validate.ts'
import { sameValue } from '#server/data/difference.ts'
import type { Query } from '#server/data/filters.ts'
import { defaultsOf, type Row, selectPlanFor } from '#server/data/plan.ts'
import { auditOf, changeRows, rowProblems } from '#server/data/rows.ts'
import { prepare, Values } from '#server/data/values.ts'
import { heldText, tenantText, whereText } from '#server/data/where.ts'
import type { PendingWrite } from '#server/data/writing/step.ts'
import type { Work } from '#server/data/writing/work.ts'
import { attempt } from './attempt.ts'
import type { ActionResult, AnyBehaviour } from './behaviour.ts'
import { amend, type Changes, partRows, seenChanges } from './changes.ts'
import type { Context, RecordChange, UnitOfWork } from './context.ts'
import type { Engine } from './engine.ts'
import { putEvent } from './put-event.ts'
import { NotAccessible } from './refusals.ts'

type Given = Readonly<Record<string, unknown>>

/** Who acts, when, in which tenant and with what: the parts of a context that are not its verbs. */
export interface Frame {
  readonly actor: Actor
  readonly now: Instant
  readonly clientId: number
  readonly work: Work
  readonly engine: Engine
  readonly query: Query
}

const keyOf = (r: Resource, id: number) => `${r.table} ${id} ${r.type}`

/** Remembers a row as locked by this transaction; with the select list that it was read from, which is the answer when nothing changes. */
export function keepHeld(work: Work, r: Resource, row: Row, stored?: readonly unknown[]): Row {
  work.held.set(keyOf(r, row.id), { before: row, stored })
  return row
}

/** Remembers that it is on its way: who asks for the lock meanwhile waits for the same. */
export function keepLocking(work: Work, r: Resource, id: number, locking: Promise<Row>): void {
  const key = keyOf(r, id)
  work.locking.set(key, locking)
  // Refused, it is refused to whoever asked for it.
  locking.finally(() => work.locking.delete(key)).catch(() => {})
}

function heldRow(work: Work, r: Resource, id: number): Row | undefined {
  const found = work.held.get(keyOf(r, id))
  // Put together when somebody asks: most rows are changed once, and nobody does.
  return found && (found.values ? { ...found.before, ...found.values } : found.before)
}

/** The row as it will be once what is collected has been sent; one whose rows changed is read again when next asked for. */
function keepChanged(work: Work, r: Resource, before: Row, { values, rows }: Changes): void {
  const { held } = work
  for (const key of held.keys()) if (key.startsWith(`${r.table} ${before.id} `)) held.delete(key)
  if (!rows.length) held.set(keyOf(r, before.id), { before, values })
}

/** The context of a transaction: its frame, and the verbs of the unit of work. */
export function contextOf(frame: Frame): Context {
  const c: Context = { ...frame, ...verbsOf(frame, () => c, true) }
  return c
}

function verbsOf(frame: Frame, context: () => Context, asks: boolean): UnitOfWork {
  const { work, engine, actor, clientId } = frame
  const behaviourOf = (r: Resource) => engine.behaviourOf(r)
  const lockOne = async <R extends Resource>(r: R, which: number | RowOf<R>, what?: 'values'): Promise<RowOf<R>> => {
    const id = typeof which === 'number' ? which : which.id
    if (work.isForeseen(r, id)) await work.flush()
    const known = heldRow(work, r, id) ?? work.locking.get(keyOf(r, id))
    if (known) return (await known) as RowOf<R>
    const [row] = await select(frame, r, { id }, what ?? 'all')
    if (!row) throw new NotAccessible()
    return row as RowOf<R>
  }
  /** What a change comes to, stamped; from now on the row is held as it will be. */
  const changedBy = async <R extends Resource>(r: R, { row, values }: RecordChange<R>) => {
    const before = await lockOne(r, row)
    const changes = { ...(values as Given), ...changeStamps(r, Object.keys(values), actor, frame.now) }
    keepChanged(work, r, before as Row, { values: changes, rows: [] })
    return { before, changes }
  }
  const mustBeAllowed = (verb: 'create' | 'update' | 'delete', r: Resource, row?: Row) => {
    if (!asks) return
    if (scopeOf(actor, verb, r).tenants === 'none') throw problem.forbidden()
    if (row && !can(actor, verb, r, row)) throw new NotAccessible()
  }

  return {
    find: (r, where) => select(frame, r, where as Given) as never,
    get: async (r, id) => (await select(frame, r, { id }))[0] as never,
    exists: (r, where) => isThere(frame, r, where as Given),
    lockAll: (r, where) => select(frame, r, where as Given, 'all') as never,
    lock: lockOne,
    create: async (r, values) => {
      mustBeAllowed('create', r)
      return save(r, context(), behaviourOf(r), undefined, allNew(r, values as Given), { asks })
    },
    createAll: async (r, all) => {
      mustBeAllowed('create', r)
      const sent = all.map((values) => allNew(r, values as Given))
      return saveAll(r, context(), behaviourOf(r), sent, asks)
    },
    change: async (r, which, values) => {
      const before = (await lockOne(r, which)) as unknown as Row
      mustBeAllowed('update', r, before)
      const { values: plain, lists } = partRows(r, values as Given)
      const changes = {
        values: Object.fromEntries(Object.entries(plain).filter(([name, v]) => !sameValue(before[name], v))),
        rows: Object.entries(lists)
          .map(([name, after]) => changeRows(name, r.fields[name] as Field, before[name] as Row[], after))
          .filter((change) => change.size > 0),
      }
      return save(r, context(), behaviourOf(r), before, changes, { asks, own: true })
    },
    act: async (r, action, which, input) => {
      if (asks && !canRunAction(actor, action, r)) throw problem.forbidden()
      const row = await lockOne(r, which)
      if (asks && !can(actor, 'read', r, row)) throw new NotAccessible()
      return (await runAction(r, context(), behaviourOf(r), action, row, input as Given, asks)).written as never
    },
    remove: async (r, which) => {
      const before = (await lockOne(r, which)) as unknown as Row
      mustBeAllowed('delete', r, before)
      if (work.pending(r.table)) await work.flush()
      work.remove(r, before)
    },
    withoutPermissionCheck: () => verbsOf(frame, context, false),
    set: async (r, row, values, verb) => {
      const { before, changes } = await changedBy(r, { row, values })
      return work.update(r, before, changes, verb)
    },
    setAll: async (r, all, verb) => {
      const changed: { before: Row; changes: Given }[] = []
      for (const one of all) changed.push(await changedBy(r, one))
      await work.updateAll(r, changed, verb)
    },
    attempt: async (inside, about) => {
      const known = new Map(work.held)
      const noted = work.noted.length
      const tried = await attempt(work, inside, about)
      // Rows that were read or changed in it are not as they were thought to be.
      if ('refused' in tried) {
        work.held = known
        work.noted.length = noted
      }
      return tried
    },
    emit: async (event, payload) => {
      await putEvent(engine, work.tx, clientId, event, payload)
      work.touched.add('outbox')
    },
    security: (event, detail) => void work.noted.push({ event, clientId, detail }),
  }
}

const LOCKS = { all: 'UPDATE', values: 'NO KEY UPDATE' } as const

/**
 * Rows of the transaction's tenant. What was collected for the table is sent first, so that it is seen; otherwise this is sent at
 * once: several that are asked for together go out in their order.
 */
async function select(frame: Frame, r: Resource, where: Given, lock?: keyof typeof LOCKS): Promise<Row[]> {
  const { work } = frame
  const plan = selectPlanFor(r)
  const v = new Values()
  if (work.pending(r.table)) await work.flush()
  const from = fromText(frame, r, where, v, !lock)
  const text = `SELECT ${plan.select} ${from(plan.joins)}${lock ? `${heldText(r)} ORDER BY t.id FOR ${LOCKS[lock]} OF t` : ' ORDER BY t.id'}`
  const stored = await work.tx.arrays(prepare(text), v.list)
  const rows = stored.map(plan.row)
  if (lock) for (const [at, row] of rows.entries()) keepHeld(work, r, row, stored[at])
  return rows
}

async function isThere(frame: Frame, r: Resource, where: Given): Promise<boolean> {
  const v = new Values()
  if (frame.work.pending(r.table)) await frame.work.flush()
  const from = fromText(frame, r, where, v, true)
  return (await frame.work.tx.arrays(prepare(`SELECT 1 ${from('')} LIMIT 1`), v.list)).length > 0
}

/** Where rows are looked for. */
function fromText({ clientId }: Frame, r: Resource, where: Given, v: Values, templates: boolean) {
  const conditions = `${tenantText(r, clientId, v.next, templates)}${whereText(r, where, v.next)}`
  return (joins: string) => `FROM ${r.table} t${joins} WHERE ${conditions}`
}

/**
 * Saves a record: `prepare`, validation, permission for what it would be, stamps, audit, `saved`. With `own`, only what changes is
 * validated: a record that was stored under older rules does not hinder a behaviour that changes something else about it. `asks`
 * is false for what a behaviour does by its own right.
 */
export async function save<R extends Resource>(
  r: R,
  c: Context,
  behaviour: AnyBehaviour | undefined,
  before: Row | undefined,
  sent: Changes,
  { own = false, asks = true } = {},
): Promise<PendingWrite<R>> {
  const complete = await completeSave(r, c, behaviour, before, sent, { own, asks })
  if (!complete) return asItWas(r, c.work, before as Row)
  const { changes, stamped } = complete
  if (before) for (const change of changes.rows) await c.work.rows(change, before.id)
  if (before) keepChanged(c.work, r, before, { values: stamped, rows: changes.rows })
  const told = Object.fromEntries(changes.rows.map((change) => [change.field, auditOf(change)]))
  const written = before ? c.work.update(r, before, stamped, 'update', told) : c.work.create(r, stamped)
  if (!before && changes.rows.length) {
    const { id } = await written.saved()
    for (const change of changes.rows) await c.work.rows(change, id)
  }
  await behaviour?.afterSave?.({ ...c, before, changes: changes.values, rows: changes.rows, written })
  return written
}

/**
 * What a save comes to: as `prepare` makes it, validated, stamped and within reach; `undefined` where nothing changes. Throws for what
 * can't be saved.
 */
async function completeSave(
  r: Resource,
  c: Context,
  behaviour: AnyBehaviour | undefined,
  before: Row | undefined,
  sent: Changes,
  { own, asks }: { readonly own: boolean; readonly asks: boolean },
): Promise<{ changes: Changes; stamped: Given } | undefined> {
  const given = seenChanges(r, sent)
  const said = behaviour?.beforeSave && (await prepareSave(r, c, behaviour.beforeSave, before, given, own))
  const changes = said ? amend(r, before, given, said) : given
  const whole = { ...(before ?? defaultsOf(r.fields)), ...changes.values }
  const wrong = wrongWith(r, whole, changes, own)
  if (wrong.length) throw problem.invalid(wrong)
  if (before && Object.keys(changes.values).length + changes.rows.length === 0) return undefined
  const touched = [...Object.keys(changes.values), ...changes.rows.map((change) => change.field)]
  const stamped = {
    ...changes.values,
    ...(before ? changeStamps(r, touched, c.actor, c.now) : stamps(r, c.actor, c.now, true)),
  }
  if (asks) mustStayInReach(r, c.actor, before ? 'update' : 'create', { ...whole, ...stamped }, Object.keys(stamped))
  return { changes, stamped }
}

/** What of a new record is its own, and what is its rows'. */
function allNew(r: Resource, given: Given): Changes {
  const { values, lists } = partRows(r, given)
  const rows = Object.entries(lists).map(([name, after]) => changeRows(name, r.fields[name] as Field, [], after))
  return { values, rows }
}

/** Saves new records: all of them at once, unless their behaviour follows each save. */
async function saveAll(
  r: Resource,
  c: Context,
  behaviour: AnyBehaviour | undefined,
  sent: readonly Changes[],
  asks: boolean,
): Promise<number[]> {
  if (behaviour?.afterSave) {
    const ids: number[] = []
    for (const one of sent) ids.push((await (await save(r, c, behaviour, undefined, one, { asks })).saved()).id)
    return ids
  }
  const made = await settleAll(
    ...sent.map((one) => completeSave(r, c, behaviour, undefined, one, { own: false, asks })),
  )
  const ids = await c.work.createAll(
    r,
    made.map((one) => one?.stamped ?? {}),
  )
  const added = made.flatMap(
    (one, n) => one?.changes.rows.map((change) => ({ change, parentId: ids[n] as number })) ?? [],
  )
  for (const rows of Map.groupBy(added, ({ change }) => change.field).values()) await c.work.addRows(rows)
  return ids
}

/**
 * What `prepare` makes of a save. What is missing is told of before what does not fit; what `prepare` itself fills in is not
 * missing.
 */
async function prepareSave(
  r: Resource,
  c: Context,
  prepare: NonNullable<AnyBehaviour['beforeSave']>,
  before: Row | undefined,
  given: Changes,
  own: boolean,
): Promise<Given | undefined> {
  const values = { ...(before ?? defaultsOf(r.fields)), ...given.values, ...afterOf(given) }
  try {
    return await prepare({
      ...c,
      before,
      changes: Object.freeze({ ...given.values }),
      values: Object.freeze(values),
      rows: given.rows,
    })
  } catch (e) {
    const wrong = e instanceof Problem && e.status !== 422 ? wrongWith(r, values, given, own) : []
    throw wrong.length ? problem.invalid(wrong) : e
  }
}

/** What is wrong with the values of a record, and with its rows; with `own`, with those that change. */
const wrongWith = (r: Resource, values: Given, changes: Changes, own: boolean): Violation[] => [
  ...problems(r.fields, values).filter((v) => !own || headOf(v) in changes.values),
  ...changes.rows.flatMap(rowProblems),
]

/**
 * Who reaches only some rows writes none beyond them: makes none for somebody else, and gives none away. Asked about what is
 * written; a field that only the database fills in is not known here.
 */
function mustStayInReach(r: Resource, actor: Actor, verb: Verb, row: Given, written: readonly string[]): void {
  const { only } = scopeOf(actor, verb, r)
  const fields = only ? fieldsOf(only) : []
  if (!only || !fields.some((name) => written.includes(name)) || fields.some((name) => row[name] === undefined)) return
  if (!meetsRule(r, only, row, actor)) throw problem.forbidden(BEYOND)
}

const NOT_YOURS = 'This is for somebody else to do.'
const BEYOND = 'You may make and change only what is yours to look after.'

const headOf = (v: Violation) => v.propertyPath.split(/[.[]/, 1)[0] ?? ''
const afterOf = ({ rows }: Changes) => Object.fromEntries(rows.map((change) => [change.field, change.after]))

function asItWas<R extends Resource>(r: R, { held }: Work, before: Row): PendingWrite<R> {
  const stored = held.get(keyOf(r, before.id))?.stored
  const row = () => before as RowOf<R>
  return { resource: r, ...(stored ? { stored } : {}), row, saved: async () => row() }
}

/** What came of an action: the write of its own record, if it made one, and what it wants answered. */
export interface Acted {
  readonly written: PendingWrite | undefined
  readonly answer: ActionResult['answer']
}

/** Runs a declared action on a locked record: in a fitting state, its input valid. */
export async function runAction(
  r: Resource,
  c: Context,
  behaviour: AnyBehaviour | undefined,
  name: string,
  row: Row,
  given: Given,
  asks = true,
): Promise<Acted> {
  const spec = r.actions?.[name]
  const run = (
    behaviour?.actions as Record<string, (c: unknown) => Promise<ActionResult> | ActionResult> | undefined
  )?.[name]
  if (!spec || !(run || spec.to)) throw problem.notFound()
  if (asks && !actionAppliesToRecord(c.actor, name, r, row)) throw problem.forbidden(NOT_YOURS)
  const state = r.state && row[r.state]
  if (spec.from && !spec.from.includes(String(state)))
    throw problem.conflict(`This can't be done while it is ${String(state).toLowerCase()}.`, 'wrong_state')
  const input = { ...defaultsOf(spec.input), ...given }
  const wrong = problems(spec.input, input)
  if (wrong.length) throw problem.invalid(wrong)
  const { set: own, answer }: ActionResult = (await run?.({ ...c, row, input })) ?? {}
  const set = { ...(r.state && spec.to ? { [r.state]: spec.to } : {}), ...own }
  if (!Object.keys(set).length) return { written: undefined, answer }
  const changes = { ...set, ...changeStamps(r, Object.keys(set), c.actor, c.now) }
  keepChanged(c.work, r, row, { values: changes, rows: [] })
  return { written: c.work.update(r, row, changes, name), answer }
}

/** What the engine fills in by itself: when, and by whom. */
function stamps(r: Resource, actor: Actor, at: Instant, created: boolean): Given {
  const { username } = author(actor)
  const stamped: Record<string, unknown> = {}
  for (const [name, stamp] of stampsOf(r))
    if (created || stamp !== 'author') stamped[name] = stamp === 'updated' ? at.toString() : username
  return stamped
}

const stampsOf = perResource((r) =>
  Object.entries<Field>(r.fields).flatMap(([name, f]) => (f.stamp ? [[name, f.stamp] as const] : [])),
)

/** The stamps of a change, unless it is bookkeeping that nobody sees: then nobody sees the record changed either. */
function changeStamps(r: Resource, touched: readonly string[], actor: Actor, at: Instant): Given {
  const isHidden = touched.length > 0 && touched.every((name) => r.fields[name]?.visible === 'nobody')
  return isHidden ? {} : stamps(r, actor, at, false)
}
