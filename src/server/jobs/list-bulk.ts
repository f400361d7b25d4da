import { z } from 'zod'
import { bulkActionRequiresProof, bulkActions, canRunBulkAction } from '#kernel/bulk.ts'
import { type Problem, problem } from '#kernel/errors.ts'
import type { Resource } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import {
  applyBulkActionToRecord,
  type BulkOperation,
  type BulkRecordChange,
  bulkConditions,
  bulkWriteTenant,
  restoreRecordField,
} from '#server/bulk/bulk.ts'
import { buildNextKeysQuery, type RecordKey } from '#server/data/matching-rows.ts'
import { titlesOf } from '#server/data/titles.ts'
import { requireCurrentProof } from '#server/engine/actor-now.ts'
import { createAccessProblem, RecordNotAccessibleProblem } from '#server/engine/refusals.ts'
import type { BatchJob, BatchStep, BatchStepResult, RejectedItem } from '#server/engine/schedule.ts'
import { runInTenant } from '#server/engine/tenant.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { defineBatchJob } from './batch-job-control.ts'

/** Number of records processed in each step. */
const STEP_SIZE = 100
/** Tenant in a cursor that points to an unknown ID. */
const UNKNOWN_TENANT = -1
const { code, message } = problem.notFound()

const INPUT = z.object({
  /** URL of the list. */
  list: z.string(),
  query: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  action: z.string(),
  input: z.record(z.string(), z.unknown()),
  /** Name of the action that undoes `action`. */
  undo: z.string().nullable(),
  /** True if each record's previous value is stored, so that undoing can restore it. */
  givesBack: z.boolean().default(false),
  /** IDs in the request that don't exist or that the starter can't access. They are reported first. */
  unknown: z.array(z.int()).default([]),
})
type Input = z.output<typeof INPUT>
/** Cursor: a record's tenant and ID, or the index of an unknown ID. While undoing, the number of a change. */
const CURSOR = z.object({ client: z.int(), id: z.int() })
type Cursor = z.output<typeof CURSOR>

/**
 * Job that runs an action on all records that match a list's filters, with the permissions of the user who started it.
 * The rules for each record are checked, and rejected records are listed.
 */
export const bulkActionJob = defineBatchJob<Input, Cursor>({
  kind: 'list.bulk',
  title: 'Bulk change',
  queue: 'bulk',
  as: 'starter',
  whileImpersonating: true,
  input: INPUT,
  cursor: CURSOR,
  steps: stepsOf,
  undo: undoStepsOf,
  canUndo: ({ undo, givesBack }) => undo !== null || givesBack,
  requireAsker: async (c, { list, action: name }) => {
    const r = c.engine.resources.find(({ url }) => url === list)
    const action = r && bulkActions(r).find((a) => a.name === name)
    if (action && bulkActionRequiresProof(r, action)) await requireCurrentProof(c)
  },
})

interface ListDeed extends BulkOperation {
  readonly r: Resource
}

interface ChangedRecord extends BulkRecordChange {
  readonly key: RecordKey
}

async function* stepsOf(
  engine: Engine,
  run: BatchJob<Input>,
  from: Cursor | null,
  actor: Actor,
): AsyncGenerator<BatchStep<Cursor>> {
  const { action: name, input, query, undo, givesBack } = run.input
  const doing = { ...findAction(engine, run, name, actor), input }
  const extra = bulkConditions(engine, doing.r, query)
  const { unknown } = run.input
  const begun = from && from.client !== UNKNOWN_TENANT
  for (let n = begun ? unknown.length : (from?.id ?? 0); n < unknown.length; n += STEP_SIZE) {
    const refused = unknown.slice(n, n + STEP_SIZE).map((id) => ({ line: id, about: '', reason: message, code }))
    yield { cursor: { client: UNKNOWN_TENANT, id: n + refused.length }, execute: async () => ({ done: 0, refused }) }
  }
  for (let after: RecordKey = begun ? [from.client, from.id] : [-1, 0]; ; ) {
    const q = buildNextKeysQuery(doing.r, actor, query, after, STEP_SIZE, extra)
    const keys = q ? ((await engine.db.read.arrays(q.query, q.values)) as unknown as RecordKey[]) : []
    const last = keys.at(-1)
    if (!last) return
    yield {
      cursor: { client: last[0], id: last[1] },
      execute: async (c) => {
        const { done, ...taken } = await actOnKeys(c, doing, keys, (unit, [, id]) =>
          applyBulkActionToRecord(unit, doing.r, id, doing),
        )
        if (undo !== null || givesBack) await storeChanges(c, run.id, done)
        return { done: done.length, ...taken }
      },
    }
    after = last
  }
}

async function* undoStepsOf(
  engine: Engine,
  run: BatchJob<Input>,
  from: Cursor | null,
  actor: Actor,
): AsyncGenerator<BatchStep<Cursor>> {
  const { undo, action, input } = run.input
  const doing = { ...findAction(engine, run, undo ?? action, actor), input: undo === null ? input : {} }
  const {
    r,
    action: { change },
  } = doing
  for (let after = from?.id ?? 0; ; ) {
    const rows = await engine.db.tx({ clientId: run.clientId }, (tx) =>
      tx.rows<{ id: number; row_client: number; row_id: number; was: unknown }>(
        'SELECT id, row_client, row_id, was FROM run_change WHERE client_id = $1 AND run_id = $2 AND id > $3 ORDER BY id LIMIT $4',
        [run.clientId, run.id, after, STEP_SIZE],
      ),
    )
    const last = rows.at(-1)
    if (!last) return
    const keys = rows.map((row): RecordKey => [row.row_client, row.row_id])
    const was = new Map(rows.map((row) => [row.row_id, row.was]))
    const back = (unit: Context, [, id]: RecordKey) =>
      undo === null && change
        ? restoreRecordField(unit, r, id, { change, input, was: was.get(id) ?? null })
        : applyBulkActionToRecord(unit, r, id, doing)
    yield {
      cursor: { client: 0, id: last.id },
      execute: async (c) => {
        const { done, ...taken } = await actOnKeys(c, doing, keys, back)
        return { done: done.length, ...taken }
      },
    }
    after = last.id
  }
}

/** Returns the action. Throws if the list no longer has it, or if the user who started the job may no longer run it. */
function findAction(engine: Engine, { input }: BatchJob<Input>, name: string, actor: Actor): Omit<ListDeed, 'input'> {
  const r = engine.resources.find(({ url }) => url === input.list)
  const action = r && bulkActions(r).find((a) => a.name === name)
  if (!action) throw problem.conflict('This action is no longer available for this list.')
  if (!canRunBulkAction(actor, r, action))
    throw createAccessProblem(actor, r, action.change ? 'update' : 'read', action.change ? '' : action.name)
  return { r, action }
}

/** Processes each record separately in the record's own tenant. An error therefore rolls back only that record. */
async function actOnKeys(
  c: Context,
  doing: ListDeed,
  keys: readonly RecordKey[],
  act: (unit: Context, key: RecordKey) => Promise<BulkRecordChange | undefined>,
): Promise<Omit<BatchStepResult, 'done'> & { readonly done: readonly ChangedRecord[] }> {
  const done: ChangedRecord[] = []
  const refused: RejectedItem[] = []
  const tenants = Map.groupBy(keys, ([clientId]) => bulkWriteTenant(doing.r, c.actor, clientId, doing))
  for (const [tenant, theirs] of tenants)
    await runInTenant(c, tenant, async (unit) => {
      const refusals = new Map<number, Problem>()
      for (const key of theirs) {
        const tried = await unit.attempt(() => act(unit, key), { resource: doing.r })
        if ('refused' in tried) refusals.set(key[1], asReadOnly(tried.refused))
        else if (tried.value) done.push({ key, ...tried.value })
      }
      refused.push(...(await withTitles(unit, doing.r, refusals)))
    })
  return { done, refused, tally: { unchanged: keys.length - done.length - refused.length } }
}

/**
 * Converts the problem for an inaccessible record to a problem that calls the record read-only. The user who started
 * the job found the record in the list, and may therefore read it.
 */
const asReadOnly = (e: Problem): Problem =>
  e instanceof RecordNotAccessibleProblem ? problem.forbidden('You can view this, but not change it.', 'read_only') : e

async function withTitles(c: Context, r: Resource, refusals: ReadonlyMap<number, Problem>): Promise<RejectedItem[]> {
  const titles = await titlesOf(c.work.tx, c.actor, r, [...refusals.keys()])
  return [...refusals].map(([id, { message, code }]) => ({
    line: id,
    about: titles.get(id) ?? '',
    reason: message,
    code,
  }))
}

/** Stores the changes for a later undo. */
async function storeChanges(c: Context, run: number, done: readonly ChangedRecord[]): Promise<void> {
  await c.work.tx.rows(
    'INSERT INTO run_change (client_id, run_id, row_client, row_id, was) SELECT $1, $2, u.client, u.id, u.was::jsonb FROM unnest($3::int[], $4::bigint[], $5::text[]) u(client, id, was)',
    [
      c.clientId,
      run,
      done.map(({ key: [clientId] }) => clientId),
      done.map(({ key: [, id] }) => id),
      done.map(({ was }) => JSON.stringify(was ?? null)),
    ],
  )
}
