import { accessScopeFor, FORBIDDEN_DURING_IMPERSONATION_MESSAGE } from '#kernel/can.ts'
import { Problem, problem, type Violation } from '#kernel/errors.ts'
import type { Field } from '#kernel/fields.ts'
import { cachePerResource } from '#kernel/per-declaration.ts'
import type { Resource, RowOf } from '#kernel/resource.ts'
import { type Actor, authorOf } from '#kernel/roles.ts'
import { conditionFieldNames, meetsRowCondition } from '#kernel/row-rules.ts'
import { settleAll } from '#kernel/settle-all.ts'
import type { Instant } from '#kernel/time.ts'
import { fieldViolations } from '#kernel/validate.ts'
import { areStoredValuesEqual } from '#server/data/difference.ts'
import { defaultValuesOf, type Row } from '#server/data/plan.ts'
import { diffRows, rowProblems, toAuditedRowsChange } from '#server/data/rows.ts'
import type { PendingWrite } from '#server/data/writing/pending-write.ts'
import type { TransactionWrites } from '#server/data/writing/work.ts'
import { applyAmendments, type SaveChanges, splitValuesAndRows, stripInvisibleText } from './changes.ts'
import type { GuardedBehaviour } from './guard.ts'
import { runChangeGuards } from './guard.ts'
import { isConditionMet } from './row-access.ts'
import type { Context } from './types.ts'

type Values = Readonly<Record<string, unknown>>

interface SaveOptions {
  /**
   * True if only changed fields are validated. Values stored under older rules then don't prevent changes to other
   * fields.
   */
  readonly changesOnly?: boolean
  /** False for saves that module code performs with its own rights. */
  readonly checksPermission?: boolean
  /** Names of the fields that the caller sent; by default, those that change. */
  readonly sent?: readonly string[]
}

/**
 * Saves a record: runs `beforeSave`, validates, checks permission for the result, adds timestamps and audit, and runs
 * `afterSave`.
 */
export async function saveRecord<R extends Resource>(
  r: R,
  c: Context,
  behaviour: GuardedBehaviour | undefined,
  before: Row | undefined,
  given: SaveChanges,
  options: SaveOptions = {},
): Promise<PendingWrite<R>> {
  const completed = await completeSave(r, c, behaviour, before, given, options)
  if (!completed) return unchanged(r, c.work, before as Row)
  const { changes, stamped } = completed
  if (before) for (const change of changes.rows) await c.work.writeRows(change, before.id)
  if (before) c.work.locked.change(r, before, stamped, changes.rows)
  const auditedRows = Object.fromEntries(changes.rows.map((change) => [change.field, toAuditedRowsChange(change)]))
  const written = before ? c.work.update(r, before, stamped, 'update', auditedRows) : c.work.create(r, stamped)
  if (!before && changes.rows.length) {
    const { id } = await written.saved()
    for (const change of changes.rows) await c.work.writeRows(change, id)
  }
  await behaviour?.afterSave?.({ ...c, before, changes: changes.values, rows: changes.rows, written })
  return written
}

/** Saves new records together, and then runs `afterSave` for each. Returns their IDs. */
export async function saveNewRecords(
  r: Resource,
  c: Context,
  behaviour: GuardedBehaviour | undefined,
  all: readonly SaveChanges[],
  checksPermission: boolean,
): Promise<number[]> {
  const completed = (
    await settleAll(...all.map((one) => completeSave(r, c, behaviour, undefined, one, { checksPermission })))
  ).filter((one) => one !== undefined)
  const ids = await c.work.createAll(
    r,
    completed.map(({ stamped }) => stamped),
  )
  const added = completed.flatMap(({ changes }, n) =>
    changes.rows.map((change) => ({ change, parentId: ids[n] as number })),
  )
  for (const rows of Map.groupBy(added, ({ change }) => change.field).values()) await c.work.insertRows(rows)
  if (behaviour?.afterSave && ids.length) {
    const saved = new Map((await c.find(r, { id: ids })).map((row) => [row.id, row]))
    for (const [n, { changes }] of completed.entries()) {
      const row = saved.get(ids[n] as number) as RowOf<Resource>
      const written = { resource: r, row: () => row, saved: async () => row }
      await behaviour.afterSave({ ...c, before: undefined, changes: changes.values, rows: changes.rows, written })
    }
  }
  return ids
}

/** Returns the changes that create a record: its values, and its rows as added rows. */
export function changesForNewRecord(r: Resource, given: Values): SaveChanges {
  const { values, lists } = splitValuesAndRows(r, given)
  const rows = Object.entries(lists).map(([name, after]) => diffRows(name, r.fields[name] as Field, [], after))
  return { values, rows }
}

/**
 * Completes a save: runs `beforeSave`, validates and stamps the record, and checks access. Returns `undefined` if
 * nothing changes. Throws if the save is invalid.
 */
async function completeSave(
  r: Resource,
  c: Context,
  behaviour: GuardedBehaviour | undefined,
  before: Row | undefined,
  given: SaveChanges,
  { changesOnly = false, checksPermission = true, sent = Object.keys(given.values) }: SaveOptions,
): Promise<{ changes: SaveChanges; stamped: Values } | undefined> {
  const seen = stripInvisibleText(r, given)
  if (checksPermission && !before) await refuseInaccessibleValues(r, c, seen.values)
  const amendments =
    behaviour?.beforeSave && (await runBeforeSave(r, c, behaviour.beforeSave, before, seen, { changesOnly, sent }))
  const changes = amendments ? applyAmendments(r, before, seen, amendments) : seen
  const whole = { ...(before ?? defaultValuesOf(r.fields)), ...changes.values }
  const violations = violationsOf(r, whole, changes, changesOnly)
  if (violations.length) throw problem.invalid(violations)
  if (before && Object.keys(changes.values).length + changes.rows.length === 0) return undefined
  const touched = [...Object.keys(changes.values), ...changes.rows.map((change) => change.field)]
  const stamped = {
    ...changes.values,
    ...(before ? stampsForUpdate(r, touched, c.actor, c.now) : stamps(r, c.actor, c.now, true)),
  }
  if (checksPermission) refuseImpersonator(r, c.actor, changes.values, before ?? defaultValuesOf(r.fields))
  if (checksPermission) await refuseInaccessible(r, c, before ? 'update' : 'create', { ...whole, ...stamped }, stamped)
  if (before) await runChangeGuards(r, c, behaviour, before, { ...changes.values, ...rowsAfter(changes) })
  return { changes, stamped }
}

/**
 * Runs `beforeSave`. If it throws a TypeError or a problem other than 422 while the record has missing or invalid
 * values, throws those violations instead. Required values that were cleared are omitted from its input, because their
 * types don't allow null.
 */
async function runBeforeSave(
  r: Resource,
  c: Context,
  beforeSave: NonNullable<GuardedBehaviour['beforeSave']>,
  before: Row | undefined,
  given: SaveChanges,
  { changesOnly, sent }: Required<Pick<SaveOptions, 'changesOnly' | 'sent'>>,
): Promise<Values | undefined> {
  const values = { ...(before ?? defaultValuesOf(r.fields)), ...given.values, ...rowsAfter(given) }
  const isPresent = ([name, value]: [string, unknown]) => value !== null || !r.fields[name]?.required
  const present = (all: Values): Values => Object.freeze(Object.fromEntries(Object.entries(all).filter(isPresent)))
  try {
    return await beforeSave({
      ...c,
      before,
      changes: present(given.values),
      sent,
      values: present(values),
      rows: given.rows,
    })
  } catch (e) {
    const isCausedByValues = e instanceof TypeError || (e instanceof Problem && e.status !== 422)
    const violations = isCausedByValues ? violationsOf(r, values, given, changesOnly) : []
    throw violations.length ? problem.invalid(violations) : e
  }
}

const rowsAfter = ({ rows }: SaveChanges): Values =>
  Object.fromEntries(rows.map((change) => [change.field, change.after]))

const violationsOf = (r: Resource, values: Values, changes: SaveChanges, changesOnly: boolean): Violation[] => [
  ...fieldViolations(r.fields, values).filter((v) => !changesOnly || headOf(v) in changes.values),
  ...changes.rows.flatMap(rowProblems),
]

const headOf = (v: Violation) => v.propertyPath.split(/[.[]/, 1)[0] ?? ''

/**
 * Throws if an actor who may access only some records would write any other record. Such actors therefore can't create
 * records for others or give records away. Checks the written values only, not fields filled in by the database.
 */
async function refuseInaccessible(
  r: Resource,
  c: Context,
  verb: 'create' | 'update',
  row: Values,
  written: Values,
): Promise<void> {
  const { only } = accessScopeFor(c.actor, verb, r, { saved: verb === 'update' })
  const fields = only ? conditionFieldNames(only) : []
  if (!only || !fields.some((name) => name in written) || fields.some((name) => row[name] === undefined)) return
  if (!meetsRowCondition(r, only, row, c.actor)) throw problem.forbidden(NOT_ACCESSIBLE)
  if (!(await isConditionMet(r, c, only, row, 'as written')))
    throw verb === 'create' ? problem.notFound() : problem.forbidden(NOT_ACCESSIBLE)
}

/**
 * Throws if the given values are those of a record that the actor may not create. `beforeSave` then reveals nothing about
 * the records that they name. Rules whose fields `beforeSave` or the database fills in are checked afterwards.
 */
async function refuseInaccessibleValues(r: Resource, c: Context, given: Values): Promise<void> {
  const values = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
  await refuseInaccessible(r, c, 'create', { ...values, ...stamps(r, c.actor, c.now, true) }, values)
}

/** Throws 403 if an actor who impersonates a user sets a field that can't be changed while impersonating. */
function refuseImpersonator(r: Resource, actor: Actor, values: Values, former: Values): void {
  const isRefused = ([name, value]: [string, unknown]) =>
    r.fields[name]?.notWhileImpersonating === true && !areStoredValuesEqual(value, former[name])
  if (actor.original && Object.entries(values).some(isRefused))
    throw problem.forbidden(FORBIDDEN_DURING_IMPERSONATION_MESSAGE, 'in_person')
}

const NOT_ACCESSIBLE = 'You can only create and change records that you are responsible for.'

function unchanged<R extends Resource>(r: R, { locked }: TransactionWrites, before: Row): PendingWrite<R> {
  const stored = locked.storedOf(r, before.id)
  const row = () => before as RowOf<R>
  return { resource: r, ...(stored ? { stored } : {}), row, saved: async () => row() }
}

/**
 * Returns the update time and editor of a change. Returns neither if only hidden fields change, because the record must
 * not appear to have changed.
 */
export function stampsForUpdate(r: Resource, touched: readonly string[], actor: Actor, at: Instant): Values {
  const isHidden = touched.length > 0 && touched.every((name) => r.fields[name]?.visible === 'nobody')
  return isHidden ? {} : stamps(r, actor, at, false)
}

/** Returns the time, author and editor fields, which the engine fills in. The author is set only for a new record. */
function stamps(r: Resource, actor: Actor, at: Instant, isNew: boolean): Values {
  const { username } = authorOf(actor)
  const stamped: Record<string, unknown> = {}
  for (const [name, stamp] of stampsOf(r))
    if (isNew || stamp !== 'author') stamped[name] = stamp === 'updated' ? at.toString() : username
  return stamped
}

const stampsOf = cachePerResource((r) =>
  Object.entries<Field>(r.fields).flatMap(([name, f]) => (f.stamp ? [[name, f.stamp] as const] : [])),
)
