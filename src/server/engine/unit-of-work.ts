import { accessScopeFor, actionRule, can, canRunAction } from '#kernel/can.ts'
import { problem } from '#kernel/errors.ts'
import type { EventType } from '#kernel/event.ts'
import type { Field } from '#kernel/fields.ts'
import type { Resource, RowOf } from '#kernel/resource.ts'
import { fieldViolations } from '#kernel/validate.ts'
import { areStoredValuesEqual } from '#server/data/difference.ts'
import { lockingQuery, selectLocked } from '#server/data/locking.ts'
import { defaultValuesOf, type Row, selectPlanFor } from '#server/data/plan.ts'
import { diffRows } from '#server/data/rows.ts'
import { BoundValues, prepareSql } from '#server/data/values.ts'
import { tenantConditionSql, whereConditionSql } from '#server/data/where.ts'
import type { PendingWrite } from '#server/data/writing/pending-write.ts'
import type { Tx } from '#server/db/db.ts'
import { attemptInTransaction } from './attempt.ts'
import type { ActionResult } from './behaviour.ts'
import { splitValuesAndRows } from './changes.ts'
import type { GuardedBehaviour } from './guard.ts'
import { runChangeGuards, runRemovalGuards } from './guard.ts'
import { createAccessProblem, RecordNotAccessibleProblem } from './refusals.ts'
import { registryOf } from './registry.ts'
import { isConditionMet } from './row-access.ts'
import { changesForNewRecord, saveNewRecords, saveRecord, stampsForUpdate } from './save.ts'
import type { Context, Engine, RecordUpdate, UnitOfWork } from './types.ts'

/** Write to the action's own record, if any, and the response that the action returned. */
interface ActionOutcome {
  readonly written: PendingWrite | undefined
  readonly answer: ActionResult['answer']
}

/**
 * Runs a declared action on a locked record. Throws a Problem if the action does not exist, or if the actor's
 * permission, the record's state or the input does not allow it.
 */
export async function runRecordAction(
  r: Resource,
  c: Context,
  behaviour: GuardedBehaviour | undefined,
  name: string,
  row: Row,
  given: Readonly<Record<string, unknown>>,
  checksPermission = true,
): Promise<ActionOutcome> {
  const spec = r.actions?.[name]
  const run = (
    behaviour?.actions as Record<string, (c: unknown) => Promise<ActionResult> | ActionResult> | undefined
  )?.[name]
  if (!spec || !(run || spec.to)) throw problem.notFound()
  const rule = checksPermission ? actionRule(c.actor, name, r) : undefined
  if (rule && !(await isConditionMet(r, c, rule, row)))
    throw problem.forbidden('You do not have permission to do this with this record.')
  const state = r.state && row[r.state]
  if (spec.from && !spec.from.includes(String(state)))
    throw problem.conflict(`This can’t be done while the record is ${String(state).toLowerCase()}.`, 'wrong_state')
  const input = { ...defaultValuesOf(spec.input), ...given }
  const violations = fieldViolations(spec.input, input)
  if (violations.length) throw problem.invalid(violations)
  const { set: own, answer }: ActionResult = (await run?.({ ...c, row, input })) ?? {}
  const set = { ...(r.state && spec.to ? { [r.state]: spec.to } : {}), ...own }
  if (!Object.keys(set).length) return { written: undefined, answer }
  await runChangeGuards(r, c, behaviour, row, set)
  const changes = { ...set, ...stampsForUpdate(r, Object.keys(set), c.actor, c.now) }
  c.work.locked.change(r, row, changes)
  return { written: c.work.update(r, row, changes, name), answer }
}

const INSERT_EVENT = prepareSql('INSERT INTO outbox (client_id, kind, version, payload) VALUES ($1, $2, $3, $4)')

/**
 * Writes an event to the outbox, in the same transaction as the change that caused it. Throws if the event has no handler or the payload
 * doesn't match its schema. Module code calls `c.emit`; a transaction without a unit of work must call
 * `engine.notifyCommit(new Set(['outbox']))` afterwards.
 */
export async function writeOutboxEvent<Given>(
  engine: Engine,
  tx: Tx,
  clientId: number,
  event: EventType<unknown, Given>,
  payload: NoInfer<Given>,
): Promise<void> {
  if (!registryOf(engine).hasHandler(event)) throw new Error(`No handler is registered for "${event.kind}"`)
  await tx.arrays(INSERT_EVENT, [clientId, event.kind, event.version, JSON.stringify(event.payload.parse(payload))])
}

type WriteValues = Readonly<Record<string, unknown>>

/** Data of a context without its methods: actor, time, tenant and transaction. */
export type ContextData = Pick<Context, 'actor' | 'now' | 'clientId' | 'work' | 'engine' | 'query'>

/** Creates the context of a transaction: its data, and the methods of the unit of work. */
export function createUnitContext(frame: ContextData): Context {
  const c: Context = { ...frame, ...verbsOf(frame, () => c, true) }
  return c
}

function verbsOf(frame: ContextData, context: () => Context, checksPermission: boolean): UnitOfWork {
  const { work, engine, actor, clientId } = frame
  const behaviourOf = (r: Resource) => registryOf(engine).behaviours.get(r)
  const lockOne = async <R extends Resource>(r: R, which: number | RowOf<R>, what?: 'values'): Promise<RowOf<R>> => {
    const id = typeof which === 'number' ? which : which.id
    const known = work.locked.get(r, id)
    if (known) return (await known) as RowOf<R>
    const [row] = await select(frame, r, { id }, what ?? 'all')
    if (!row) throw new RecordNotAccessibleProblem()
    return row as RowOf<R>
  }
  /**
   * Locks a record, runs its guards and adds stamps to the new values. From now on, locking the record again returns
   * its new values. The caller queues the write.
   */
  const stampChange = async <R extends Resource>(r: R, { row, values }: RecordUpdate<R>) => {
    const before = await lockOne(r, row)
    await runChangeGuards(r, context(), behaviourOf(r), before as Row, values as WriteValues)
    const changes = { ...(values as WriteValues), ...stampsForUpdate(r, Object.keys(values), actor, frame.now) }
    work.locked.change(r, before as Row, changes)
    return { before, changes }
  }
  const requirePermission = (verb: 'create' | 'update' | 'delete', r: Resource) => {
    if (checksPermission && accessScopeFor(actor, verb, r).tenants === 'none') throw createAccessProblem(actor, r, verb)
  }
  const requireAccess = async (verb: 'read' | 'update' | 'delete', r: Resource, row: Row) => {
    if (!checksPermission) return
    if (!can(actor, verb, r, row)) throw new RecordNotAccessibleProblem()
    const { only } = accessScopeFor(actor, verb, r)
    if (only && !(await isConditionMet(r, frame, only, row))) throw new RecordNotAccessibleProblem()
  }

  return {
    find: (r, where) => select(frame, r, where as WriteValues) as never,
    get: async (r, id) => (await select(frame, r, { id }))[0] as never,
    exists: (r, where) => exists(frame, r, where as WriteValues),
    lockAll: (r, where) => select(frame, r, where as WriteValues, 'all') as never,
    lock: lockOne,
    create: async (r, values) => {
      requirePermission('create', r)
      return saveRecord(r, context(), behaviourOf(r), undefined, changesForNewRecord(r, values as WriteValues), {
        checksPermission,
      })
    },
    createAll: async (r, all) => {
      requirePermission('create', r)
      const changes = all.map((values) => changesForNewRecord(r, values as WriteValues))
      return saveNewRecords(r, context(), behaviourOf(r), changes, checksPermission)
    },
    change: async (r, which, values) => {
      const before = (await lockOne(r, which)) as unknown as Row
      requirePermission('update', r)
      await requireAccess('update', r, before)
      const { values: plain, lists } = splitValuesAndRows(r, values as WriteValues)
      const changes = {
        values: Object.fromEntries(Object.entries(plain).filter(([name, v]) => !areStoredValuesEqual(before[name], v))),
        rows: Object.entries(lists)
          .map(([name, after]) => diffRows(name, r.fields[name] as Field, before[name] as Row[], after))
          .filter((change) => change.size > 0),
      }
      return saveRecord(r, context(), behaviourOf(r), before, changes, { checksPermission, changesOnly: true })
    },
    act: async (r, action, which, input) => {
      if (checksPermission && !canRunAction(actor, action, r)) throw createAccessProblem(actor, r, 'read', action)
      const row = await lockOne(r, which)
      await requireAccess('read', r, row as unknown as Row)
      const given = input as WriteValues
      const { written } = await runRecordAction(r, context(), behaviourOf(r), action, row, given, checksPermission)
      return written as never
    },
    remove: async (r, which) => {
      const before = (await lockOne(r, which)) as unknown as Row
      requirePermission('delete', r)
      await requireAccess('delete', r, before)
      await runRemovalGuards(context(), behaviourOf(r), before)
      if (work.hasPending(r.table)) await work.flush()
      work.remove(r, before)
    },
    withoutPermissionCheck: () => verbsOf(frame, context, false),
    set: async (r, row, values, verb) => {
      const { before, changes } = await stampChange(r, { row, values })
      return work.update(r, before, changes, verb)
    },
    setAll: async (r, all, verb) => {
      const changed: { before: Row; changes: WriteValues }[] = []
      for (const one of all) changed.push(await stampChange(r, one))
      await work.updateAll(r, changed, verb)
    },
    attempt: async (inside, about) => {
      const before = work.snapshot()
      const result = await attemptInTransaction(work, inside, about)
      if ('refused' in result) work.restore(before)
      return result
    },
    emit: async (event, payload) => {
      await writeOutboxEvent(engine, work.tx, clientId, event, payload)
      work.touched.add('outbox')
    },
    security: (event, detail) => void work.securityNotes.push({ event, clientId, detail }),
    once: (key, load) => work.once(key, load),
  }
}

const LOCKS = { all: 'UPDATE', values: 'NO KEY UPDATE' } as const

/**
 * Selects rows of the transaction's tenant. Any collected writes to the table are flushed first, because the query must
 * see them. Otherwise, the query is sent immediately, and concurrent queries are sent in order.
 */
async function select(frame: ContextData, r: Resource, where: WriteValues, lock?: keyof typeof LOCKS): Promise<Row[]> {
  const { work } = frame
  const plan = selectPlanFor(r)
  const v = new BoundValues()
  if (work.hasPending(r.table)) await work.flush()
  const from = fromText(frame, r, where, v, !lock)
  const order = 'ORDER BY t.id'
  const stored = lock
    ? await selectLocked(work.tx, lockingQuery(r, plan, from, `${order} FOR ${LOCKS[lock]} OF t`), v.list)
    : await work.tx.arrays(prepareSql(`SELECT ${plan.select} ${from(plan.joins)} ${order}`), v.list)
  const rows = stored.map(plan.row)
  if (lock) for (const [at, row] of rows.entries()) work.locked.add(r, row, stored[at])
  return rows
}

async function exists(frame: ContextData, r: Resource, where: WriteValues): Promise<boolean> {
  const v = new BoundValues()
  if (frame.work.hasPending(r.table)) await frame.work.flush()
  const from = fromText(frame, r, where, v, true)
  return (await frame.work.tx.arrays(prepareSql(`SELECT 1 ${from('')} LIMIT 1`), v.list)).length > 0
}

/** Builds a query from its FROM clause onwards, with the joins that its select list needs. */
function fromText({ clientId }: ContextData, r: Resource, where: WriteValues, v: BoundValues, templates: boolean) {
  const conditions = `${tenantConditionSql(r, clientId, v.next, templates)}${whereConditionSql(r, where, v.next)}`
  return (joins: string) => `FROM ${r.table} t${joins} WHERE ${conditions}`
}
