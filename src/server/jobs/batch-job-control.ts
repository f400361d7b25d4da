import { z } from 'zod'
import { FORBIDDEN_DURING_IMPERSONATION_MESSAGE } from '#kernel/can.ts'
import { problem } from '#kernel/errors.ts'
import { defineEvent } from '#kernel/event.ts'
import type { Actor } from '#kernel/roles.ts'
import { eventHandler } from '#server/engine/handler.ts'
import { registryOf } from '#server/engine/registry.ts'
import type {
  BatchJob,
  BatchJobObserver,
  BatchJobSpec,
  BatchJobState,
  BatchJobType,
  BatchStep,
} from '#server/engine/schedule.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { EXPORT_CONTENT_TYPES, type ExportFormat, readExport, writeLongExport } from '#server/exports/export.ts'
import { fileStoreFor } from '#server/files/store.ts'
import { insertBatchJob } from './batch-job-store.ts'
import { abandonBatchJob, processBatchJob } from './batch-job-turn.ts'

/** A type of batch job, with the schema of its input. */
export interface DefinedBatchJob<Input> extends BatchJobType {
  readonly input: z.ZodType<Input>
}

/** Declares a type of batch job; a module lists it under `batchJobs`. */
export function defineBatchJob<Input, Place>(spec: BatchJobSpec<Input, Place>): DefinedBatchJob<Input> {
  const due = defineEvent({ kind: `run.${spec.kind}`, version: 1, payload: z.object({ run: z.int() }) })
  const onDue = (engine: Engine, clientId: number, id: number, watch?: BatchJobObserver) =>
    processBatchJob(engine, spec, due, clientId, id, watch)
  return {
    kind: spec.kind,
    title: spec.title ?? spec.kind,
    input: spec.input,
    due,
    canUndo: (input) => spec.undo !== undefined && (spec.canUndo?.(spec.input.parse(input)) ?? true),
    requireAsker: async (c, input) => spec.requireAsker?.(c, spec.input.parse(input)),
    managedAt: spec.managedAt,
    screen: spec.screen,
    oneAtATime: spec.oneAtATime ?? false,
    whileImpersonating: spec.whileImpersonating ?? false,
    writesFile: spec.writesFile ?? false,
    abandon: (engine, clientId, id, why) => abandonBatchJob(engine, spec, clientId, id, why),
    work: onDue,
    handler: eventHandler(due, {
      name: `run.${spec.kind}`,
      queue: spec.queue,
      send: async ({ engine, clientId }, { run }) => void (await onDue(engine, clientId, run)),
    }),
  }
}

/** Days after which the file of a batch job is deleted. */
export const BATCH_JOB_FILE_DAYS = 3

export interface BatchJobKey {
  readonly clientId: number
  readonly id: number
}

/** Schema of a batch job's file, as sent to the user who started the job. */
export const batchJobFile = z.object({
  '@id': z.string(),
  name: z.string(),
  type: z.string(),
  bytes: z.int(),
  until: z.string(),
  /** URL of the list that was exported to the file. */
  list: z.string(),
  /** Role needed to download the file, in person, because it contains confidential data. */
  role: z.string().optional(),
  /** Roles and scopes that the user had when the file was written. */
  rights: z.array(z.string()),
})
type BatchJobFile = z.output<typeof batchJobFile>

/** Returns the key of the job's file in the file store. */
export const batchJobFileKey = ({ clientId, id }: BatchJobKey): string => `${clientId}/run-${id}`

/** Attaches the file that a batch job has created. It will be deleted after some days. */
export async function attachBatchJobFile(
  c: Context,
  run: BatchJobKey,
  made: Omit<BatchJobFile, '@id' | 'until' | 'rights'>,
): Promise<void> {
  const until = c.now.add({ hours: BATCH_JOB_FILE_DAYS * 24 }).toString()
  const rights = [...c.actor.roles, ...c.actor.scopes]
  const file: BatchJobFile = { '@id': `/api/portal/runs/${run.id}/file`, ...made, until, rights }
  await c.work.tx.rows('UPDATE run SET file = $3 WHERE client_id = $1 AND id = $2', [
    c.clientId,
    run.id,
    JSON.stringify(file),
  ])
}

/**
 * Starts a batch job in the caller's transaction and returns its ID. With `foreground`, the caller works on the job
 * itself. Throws 403 if the job may not be started while impersonating a user. Throws 409 if the type allows only one
 * unfinished job and there already is one. Throws 429 if the person has too many unfinished jobs.
 */
export async function startBatchJob<Input>(
  c: Context,
  kind: DefinedBatchJob<Input>,
  input: NoInfer<Input>,
  { total = null, foreground = false }: { total?: number | null; foreground?: boolean } = {},
): Promise<number> {
  if (c.actor.original && !kind.whileImpersonating)
    throw problem.forbidden(FORBIDDEN_DURING_IMPERSONATION_MESSAGE, 'in_person')
  await requireNoOther(c, kind)
  if (!foreground) await requireFewUnfinished(c)
  await kind.requireAsker(c, input)
  const run = {
    clientId: c.clientId,
    kind: kind.kind,
    title: kind.title,
    input: kind.input.parse(input),
    foreground,
    total,
  }
  const id = await insertBatchJob(c.work.tx, c.actor, run)
  if (!foreground) await c.emit(kind.due, { run: id })
  c.work.touched.add('run')
  return id
}

/** Stops a batch job after its current step. Throws 409 if it is not running. */
export const stopBatchJob = (c: Context, id: number): Promise<void> =>
  changeState(c, id, ['queued', 'running', 'stopping'], "state = 'stopping'")

/** Resumes a batch job that was stopped or has failed, whether it was running forwards or being undone. */
export async function resumeBatchJob(
  c: Context,
  kind: BatchJobType,
  id: number,
  { foreground = false } = {},
): Promise<void> {
  await requireNoOther(c, kind)
  if (!foreground) await requireFewUnfinished(c, id)
  await changeState(
    c,
    id,
    ['stopped', 'failed'],
    `state = CASE WHEN back THEN 'undoing' ELSE 'queued' END, finished_at = NULL, error = NULL, due_at = now(), foreground = ${foreground}`,
    (input) => kind.requireAsker(c, input),
  )
  if (!foreground) await c.emit(kind.due, { run: id })
}

/** Replaces the job's input with an equivalent one, for example after a file has moved. */
export async function replaceBatchJobInput<Input>(
  c: Context,
  kind: DefinedBatchJob<Input>,
  id: number,
  input: NoInfer<Input>,
): Promise<void> {
  await c.work.tx.rows('UPDATE run SET input = $3 WHERE client_id = $1 AND id = $2', [
    c.clientId,
    id,
    JSON.stringify(kind.input.parse(input)),
  ])
}

/**
 * Starts to undo a batch job that has ended or is being stopped, however far it got. Throws 409 for a job in any other
 * state, or of a type that can't be undone.
 */
export async function undoBatchJob(c: Context, kind: BatchJobType, id: number): Promise<void> {
  await requireFewUnfinished(c, id)
  await changeState(
    c,
    id,
    ['stopping', 'stopped', 'done', 'failed'],
    "state = 'undoing', place = CASE WHEN back THEN place END, undone = CASE WHEN back THEN undone ELSE 0 END, back = true, foreground = false, due_at = now(), finished_at = NULL, error = NULL",
    async (input) => {
      if (!kind.canUndo(input)) throw problem.conflict('This job can’t be undone.')
      await kind.requireAsker(c, input)
    },
  )
  await c.emit(kind.due, { run: id })
}

/** Maximum number of unfinished batch jobs for one person. Limited because all clients share the queues. */
const MAX_UNFINISHED = 5

/**
 * Rejects a further unfinished job of a person, besides the job `id` itself. Of two concurrent starts, the later waits
 * for the earlier.
 */
async function requireFewUnfinished({ actor, clientId, work }: Context, id = 0): Promise<void> {
  if (actor.kind) return
  await work.tx.rows('SELECT pg_advisory_xact_lock(hashtext($1), $2)', [`runs of ${actor.userId}`, clientId])
  const [open] = await work.tx.rows<{ n: number }>(
    "SELECT count(*)::int AS n FROM run WHERE client_id = $1 AND user_id = $2 AND id <> $3 AND state IN ('queued', 'running', 'stopping', 'undoing')",
    [clientId, actor.userId, id],
  )
  if ((open?.n ?? 0) >= MAX_UNFINISHED)
    throw problem.busy(
      `You already have ${MAX_UNFINISHED} background jobs in progress. Please wait until one of them has finished.`,
      30,
    )
}

/**
 * Rejects a second job of a type that allows only one unfinished job. Of two concurrent starts, the later waits for the
 * earlier.
 */
async function requireNoOther(c: Context, { kind, oneAtATime: alone }: BatchJobType): Promise<void> {
  if (!alone) return
  await c.work.tx.rows('SELECT pg_advisory_xact_lock(hashtext($1), $2)', [`run ${kind}`, c.clientId])
  const [other] = await c.work.tx.rows(
    "SELECT 1 FROM run WHERE client_id = $1 AND kind = $2 AND state IN ('queued', 'running', 'stopping', 'undoing')",
    [c.clientId, kind],
  )
  if (other)
    throw problem.conflict(
      'A job of this type is already running. Wait until it has finished, or stop it.',
      'still_running',
    )
}

async function changeState(
  c: Context,
  id: number,
  from: readonly BatchJobState[],
  set: string,
  check: (input: unknown) => Promise<void> = async () => {},
): Promise<void> {
  const [run] = await c.work.tx.rows<{ state: BatchJobState; input: unknown }>(
    'SELECT state, input FROM run WHERE client_id = $1 AND id = $2 FOR UPDATE',
    [c.clientId, id],
  )
  if (!run) throw problem.notFound()
  if (!from.includes(run.state))
    throw problem.conflict(`This can’t be done while the job is ${run.state}.`, 'wrong_state')
  await check(run.input)
  await c.work.tx.rows(`UPDATE run SET ${set} WHERE client_id = $1 AND id = $2`, [c.clientId, id])
  c.work.touched.add('run')
}

export const setBatchJobTotal = ({ work }: Context, { clientId, id }: BatchJobKey, total: number): Promise<unknown> =>
  work.tx.rows('UPDATE run SET total = $3 WHERE client_id = $1 AND id = $2', [clientId, id, total])

const INPUT = z.object({
  /** URL of the list. */
  list: z.string(),
  query: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  format: z.enum(Object.keys(EXPORT_CONTENT_TYPES) as [ExportFormat, ...ExportFormat[]]),
})
type Input = z.output<typeof INPUT>

/**
 * Job that writes a long list to a file. The user who started it can download the file for some days. An interrupted
 * job starts again from the beginning.
 */
export const listExportJob = defineBatchJob<Input, number>({
  kind: 'list.export',
  title: 'List export',
  queue: 'bulk',
  as: 'starter',
  whileImpersonating: true,
  input: INPUT,
  cursor: z.int(),
  restarts: () => true,
  writesFile: true,
  steps: fileOf,
})

async function* fileOf(
  engine: Engine,
  run: BatchJob<Input>,
  _: number | null,
  actor: Actor,
): AsyncGenerator<BatchStep<number>> {
  const { list, query, format } = run.input
  const resource = engine.resources.find(({ url }) => url === list)
  if (!resource) throw problem.conflict('This list no longer exists.')
  const { fd, name, bytes, rows } = await writeLongExport(engine, { resource, actor, query, format })
  const store = await fileStoreFor(engine.config)
  await store.put(batchJobFileKey(run), readExport({ fd }), bytes)
  yield {
    cursor: rows,
    execute: async (c) => {
      await setBatchJobTotal(c, run, rows)
      await attachBatchJobFile(c, run, { name, type: EXPORT_CONTENT_TYPES[format], bytes, list })
      return { done: rows }
    },
  }
}

/** Deletes expired files, and those of jobs that failed or were stopped before their file was attached. */
export async function removeExpiredBatchJobFiles(engine: Engine): Promise<void> {
  const writers = [...registryOf(engine).batchJobs.values()].flatMap(({ kind, writesFile }) =>
    writesFile ? [kind] : [],
  )
  const over = await engine.db.tx('system', (tx) =>
    tx.rows<BatchJobKey>(
      `SELECT client_id AS "clientId", id FROM run WHERE (file ->> 'until')::timestamptz < portal_now()
         OR (kind = ANY($1) AND file IS NULL AND state IN ('failed', 'stopped') AND finished_at > portal_now() - interval '1 day')`,
      [writers],
    ),
  )
  const store = await fileStoreFor(engine.config)
  for (const run of over) await store.remove(batchJobFileKey(run))
  await engine.db.tx('system', (tx) =>
    tx.rows("UPDATE run SET file = NULL WHERE (file ->> 'until')::timestamptz < portal_now() AND id = ANY($1)", [
      over.map(({ id }) => id),
    ]),
  )
}
