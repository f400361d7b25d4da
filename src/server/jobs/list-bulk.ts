import { z } from 'zod'
import { bulkActions, bulkRequiresProof, canRunBulk } from '#kernel/bulk.ts'
import { type Problem, problem } from '#kernel/errors.ts'
import { closedPack } from '#kernel/packs.ts'
import type { Resource } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import { narrowing } from '#server/bulk/ask.ts'
import { tenantOf } from '#server/bulk/direct.ts'
import { actOnOne, type Changed, type Deed, giveBackToOne } from '#server/bulk/one.ts'
import { keysAfterQuery, type RecordKey } from '#server/data/matching-rows.ts'
import { titlesOf } from '#server/data/titles.ts'
import { requireProofNow } from '#server/engine/actor-now.ts'
import type { BatchJob, BatchStep, Refusal, StepResult } from '#server/engine/batch-job.ts'
import { NotAccessible } from '#server/engine/refusals.ts'
import { inTenantOf } from '#server/engine/tenant.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { defineBatchJob } from './define-batch-job.ts'

/** Records of one step. */
const PORTION = 100
/** Stands for a tenant where a step is about what was not found. */
const UNKNOWN = -1
const { code, message } = problem.notFound()

const INPUT = z.object({
  /** The list's address. */
  list: z.string(),
  /** What finds the records. */
  query: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  action: z.string(),
  input: z.record(z.string(), z.unknown()),
  /** The action that takes it back. */
  undo: z.string().nullable(),
  /** What the field of each record said is kept, and given back. */
  givesBack: z.boolean().default(false),
  /** Ids that were named and are not there, or not for whoever asks: they refuse first. */
  unknown: z.array(z.int()).default([]),
})
type Input = z.output<typeof INPUT>
/** A record by tenant and id, or how many of the unknown; on the way back, what was done, by its number. */
const PLACE = z.object({ client: z.int(), id: z.int() })
type Place = z.output<typeof PLACE>

/** Does one thing to all records that a list finds, as whoever asked: each by its own rules, those that refuse listed. */
export const listBulk = defineBatchJob<Input, Place>({
  kind: 'list.bulk',
  title: 'A change of many records',
  queue: 'bulk',
  as: 'starter',
  input: INPUT,
  cursor: PLACE,
  steps: portions,
  undo: portionsBack,
  canUndo: ({ undo, givesBack }) => undo !== null || givesBack,
  requireAsker: async (c, { list, action: name }) => {
    const r = c.engine.resources.find(({ url }) => url === list)
    const action = r && bulkActions(r).find((a) => a.name === name)
    if (action && bulkRequiresProof(r, action)) await requireProofNow(c)
  },
})

/** What is done to the records of a list. */
interface Doing extends Deed {
  readonly r: Resource
}

/** A record that was changed. */
interface Done extends Changed {
  readonly key: RecordKey
}

async function* portions(
  engine: Engine,
  run: BatchJob<Input>,
  from: Place | null,
  actor: Actor,
): AsyncGenerator<BatchStep<Place>> {
  const { action: name, input, query, undo, givesBack } = run.input
  const doing = { ...findAction(engine, run, name, actor), input }
  const extra = narrowing(engine, doing.r, query)
  const { unknown } = run.input
  const begun = from && from.client !== UNKNOWN
  for (let n = begun ? unknown.length : (from?.id ?? 0); n < unknown.length; n += PORTION) {
    const refused = unknown.slice(n, n + PORTION).map((id) => ({ line: id, about: '', reason: message, code }))
    yield { cursor: { client: UNKNOWN, id: n + refused.length }, execute: async () => ({ done: 0, refused }) }
  }
  for (let after: RecordKey = begun ? [from.client, from.id] : [-1, 0]; ; ) {
    const q = keysAfterQuery(doing.r, actor, query, after, PORTION, extra)
    const keys = q ? ((await engine.db.read.arrays(q.query, q.values)) as unknown as RecordKey[]) : []
    const last = keys.at(-1)
    if (!last) return
    yield {
      cursor: { client: last[0], id: last[1] },
      execute: async (c) => {
        const { done, ...taken } = await actOnKeys(c, doing, keys, (unit, [, id]) => actOnOne(unit, doing.r, id, doing))
        if (undo !== null || givesBack) await keepDone(c, run.id, done)
        return { done: done.length, ...taken }
      },
    }
    after = last
  }
}

async function* portionsBack(
  engine: Engine,
  run: BatchJob<Input>,
  from: Place | null,
  actor: Actor,
): AsyncGenerator<BatchStep<Place>> {
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
        [run.clientId, run.id, after, PORTION],
      ),
    )
    const last = rows.at(-1)
    if (!last) return
    const keys = rows.map((row): RecordKey => [row.row_client, row.row_id])
    const was = new Map(rows.map((row) => [row.row_id, row.was]))
    const back = (unit: Context, [, id]: RecordKey) =>
      undo === null && change
        ? giveBackToOne(unit, r, id, { change, input, was: was.get(id) ?? null })
        : actOnOne(unit, r, id, doing)
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

/** The action, if whoever asked may still do it at all. */
function findAction(engine: Engine, { input }: BatchJob<Input>, name: string, actor: Actor): Omit<Doing, 'input'> {
  const r = engine.resources.find(({ url }) => url === input.list)
  const action = r && bulkActions(r).find((a) => a.name === name)
  if (!action) throw problem.conflict('This can’t be done to the records of this list any more.')
  if (!canRunBulk(actor, r, action)) throw closedPack(actor, r.pack)
  return { r, action }
}

/** Each record by itself, in its own tenant: one that refuses leaves nothing behind and holds up no other. */
async function actOnKeys(
  c: Context,
  doing: Doing,
  keys: readonly RecordKey[],
  act: (unit: Context, key: RecordKey) => Promise<Changed | undefined>,
): Promise<Omit<StepResult, 'done'> & { readonly done: readonly Done[] }> {
  const done: Done[] = []
  const refused: Refusal[] = []
  const tenants = Map.groupBy(keys, ([clientId]) => tenantOf(doing.r, c.actor, clientId, doing))
  for (const [tenant, theirs] of tenants)
    await inTenantOf(c, tenant, async (unit) => {
      const refusals = new Map<number, Problem>()
      for (const key of theirs) {
        const tried = await unit.attempt(() => act(unit, key), { resource: doing.r })
        if ('refused' in tried) refusals.set(key[1], asShown(tried.refused))
        else if (tried.value) done.push({ key, ...tried.value })
      }
      refused.push(...(await named(unit, doing.r, refusals)))
    })
  return { done, refused, tally: { unchanged: keys.length - done.length - refused.length } }
}

/** Whoever asked has found the record, and so may look at it. */
const asShown = (e: Problem): Problem =>
  e instanceof NotAccessible ? problem.forbidden('You can look at this, but not change it.', 'read_only') : e

async function named(c: Context, r: Resource, refusals: ReadonlyMap<number, Problem>): Promise<Refusal[]> {
  const titles = await titlesOf(c.work.tx, c.actor, r, [...refusals.keys()])
  return [...refusals].map(([id, { message, code }]) => ({
    line: id,
    about: titles.get(id) ?? '',
    reason: message,
    code,
  }))
}

/** What was done, for the way back. */
async function keepDone(c: Context, run: number, done: readonly Done[]): Promise<void> {
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
