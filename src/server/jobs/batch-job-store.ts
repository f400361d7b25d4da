import { z } from 'zod'
import { type Actor, authorOf, createSystemActor } from '#kernel/roles.ts'
import { createImpersonatingActor, readActor } from '#server/auth/read-actor.ts'
import type { Db, Tx } from '#server/db/db.ts'
import { registryOf } from '#server/engine/registry.ts'
import type { BatchJob, BatchJobState, RejectedItem } from '#server/engine/schedule.ts'
import type { Engine } from '#server/engine/types.ts'
import { writeOutboxEvent } from '#server/engine/unit-of-work.ts'

const PAGE = 200
const COMMAND_GONE =
  'The command that was running this job was stopped. Completed work is safe. Run the command again to continue.'

interface AbandonedJob {
  readonly client_id: number
  readonly id: number
  readonly kind: string
  readonly foreground: boolean
}

/**
 * Recovers batch jobs whose lease has expired. A job on which a command was working is marked as failed, because only
 * the command can resume it.
 */
export async function recoverBatchJobs(engine: Engine): Promise<void> {
  for (let after = 0; ; ) {
    const left = await engine.db.tx('system', (tx) =>
      tx.rows<AbandonedJob>(
        `SELECT client_id, id, kind, foreground FROM run WHERE state IN ('running', 'stopping', 'undoing') AND lease_until < clock_timestamp() AND id > $1
         ORDER BY id LIMIT ${PAGE}`,
        [after],
      ),
    )
    for (const run of left) await recoverBatchJob(engine, run)
    const last = left.at(-1)
    if (!last || left.length < PAGE) break
    after = last.id
  }
}

async function recoverBatchJob(
  engine: Engine,
  { client_id: client, id, kind, foreground }: AbandonedJob,
): Promise<void> {
  const known = registryOf(engine).batchJobs.get(kind)
  if (!known) throw new Error(`No batch job of the kind "${kind}" is registered`)
  if (foreground) await known.abandon(engine, client, id, COMMAND_GONE)
  else
    await engine.db.tx('system', async (tx) => {
      // Removes the lease, because the job has none until its next turn.
      await tx.rows(
        'UPDATE run SET lease = NULL, lease_until = NULL WHERE client_id = $1 AND id = $2 AND lease_until < clock_timestamp()',
        [client, id],
      )
      await writeOutboxEvent(engine, tx, client, known.due, { run: id })
    })
  engine.notifyCommit(new Set(['outbox', 'run']))
}

/** Seconds without a renewal of the lease after which the process working on a batch job is treated as dead. */
const LEASE_SECONDS = 60

/** A batch job with a lease for the process that works on it. */
export interface LeasedBatchJob extends BatchJob {
  readonly place: unknown
  readonly begun: boolean
  readonly original: unknown
  /** True if the job has been waiting for longer than a process with the required files would need to lease it. */
  readonly overdue: boolean
}

/** Error thrown when another process has leased the batch job. */
export class LeaseLostError extends Error {}

const COLUMNS = `client_id AS "clientId", id, kind, state, back, input, place, begun, done, refused, undone, total, tally,
  user_id AS "userId", author, original, error, due_at < now() - interval '10 minutes' AS overdue`

/** Identifies a batch job and a process's lease on it. */
export interface BatchJobLease {
  readonly clientId: number
  readonly id: number
  readonly lease: string
}
const WHICH = 'client_id = $1 AND id = $2'
const MINE = `${WHICH} AND lease = $3`
const keyOf = ({ clientId, id, lease }: BatchJobLease) => [clientId, id, lease]

/** Leases a waiting batch job; `undefined` if another process has leased it. */
export const leaseBatchJob = (db: Db, key: BatchJobLease): Promise<LeasedBatchJob | undefined> =>
  db.tx({ clientId: key.clientId }, async (tx) => {
    const [run] = await tx.rows<LeasedBatchJob>(
      `UPDATE run SET lease = $3, lease_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}), error = NULL,
         state = CASE state WHEN 'queued' THEN 'running' ELSE state END, started_at = coalesce(started_at, portal_now())
       WHERE ${WHICH} AND state IN ('queued', 'running', 'stopping', 'undoing') AND (lease IS NULL OR lease = $3 OR lease_until < clock_timestamp())
       RETURNING ${COLUMNS}`,
      keyOf(key),
    )
    return run
  })

export const renewBatchJobLease = (db: Db, key: BatchJobLease): Promise<unknown> =>
  db.tx({ clientId: key.clientId }, (tx) =>
    tx.rows(
      `UPDATE run SET lease_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}) WHERE ${MINE}`,
      keyOf(key),
    ),
  )

/**
 * Locks a batch job until the transaction ends, and returns the job's state. Throws `LeaseLostError` if another process
 * has leased the job.
 */
export async function lockBatchJob(tx: Tx, key: BatchJobLease): Promise<BatchJobState> {
  const [row] = await tx.rows<{ state: BatchJobState }>(`SELECT state FROM run WHERE ${MINE} FOR UPDATE`, keyOf(key))
  if (!row) throw new LeaseLostError()
  return row.state
}

export async function markBatchJobStarted(
  tx: Tx,
  key: BatchJobLease,
  total: number | undefined,
): Promise<LeasedBatchJob> {
  await tx.rows('DELETE FROM run_refusal WHERE client_id = $1 AND run_id = $2', [key.clientId, key.id])
  return one(
    tx,
    `UPDATE run SET begun = true, place = NULL, done = 0, refused = 0, tally = '{}', total = coalesce($4, total) WHERE ${MINE}`,
    [...keyOf(key), total ?? null],
  )
}

export interface BatchStepProgress {
  readonly place: unknown
  readonly done: number
  readonly refused: number
  readonly tally: Readonly<Record<string, number>>
}

/** Records a completed step of a batch job, whether the job is running or being undone. */
export const advanceBatchJob = (
  tx: Tx,
  key: BatchJobLease,
  back: boolean,
  p: BatchStepProgress,
): Promise<LeasedBatchJob> =>
  one(
    tx,
    `UPDATE run SET place = $4, ${back ? 'undone = undone' : 'done = done'} + $5, refused = refused + $6,
       tally = (SELECT coalesce(jsonb_object_agg(k, coalesce((run.tally ->> k)::int, 0) + coalesce(($7::jsonb ->> k)::int, 0)), '{}')
                FROM (SELECT jsonb_object_keys(run.tally) UNION SELECT jsonb_object_keys($7::jsonb)) keys(k)),
       lease_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})
     WHERE ${MINE}`,
    [...keyOf(key), JSON.stringify(p.place), p.done, p.refused, JSON.stringify(p.tally)],
  )

export async function storeRejectedItems(tx: Tx, key: BatchJobLease, refusals: readonly RejectedItem[]): Promise<void> {
  if (refusals.length)
    await tx.rows(
      'INSERT INTO run_refusal (client_id, run_id, line, about, reason, code) SELECT $1, $2, u.* FROM unnest($3::bigint[], $4::text[], $5::text[], $6::text[]) u',
      [
        key.clientId,
        key.id,
        refusals.map((r) => r.line),
        refusals.map((r) => r.about ?? ''),
        refusals.map((r) => r.reason),
        refusals.map((r) => r.code ?? null),
      ],
    )
}

/** Ends a batch job, or its undoing, and writes a single audit row. */
export async function finishBatchJob(
  tx: Tx,
  key: BatchJobLease,
  from: BatchJobState,
  to: BatchJobState,
  error: string | null,
): Promise<LeasedBatchJob> {
  const run = await one(
    tx,
    `UPDATE run SET state = $4, error = $5, lease = NULL, lease_until = NULL, finished_at = portal_now() WHERE ${MINE}`,
    [...keyOf(key), to, error],
  )
  const { original } = readOriginal(run)
  const who = original ?? { userId: run.userId, username: run.author }
  await tx.rows(
    "INSERT INTO audit (client_id, type, row_id, verb, changes, user_id, username, as_user_id, as_username, as_visit_id) VALUES ($1, 'Run', $2, $3, $4, $5, $6, $7, $8, $9)",
    [
      key.clientId,
      key.id,
      to,
      JSON.stringify({ state: [from, to], done: [0, run.done], refused: [0, run.refused], undone: [0, run.undone] }),
      who.userId,
      who.username,
      original ? run.userId : null,
      original ? (original.as ?? run.author) : null,
      original?.visit ?? null,
    ],
  )
  return run
}

/** Releases the lease, however far the job has got. */
export const releaseBatchJob = (tx: Tx, key: BatchJobLease): Promise<LeasedBatchJob> =>
  one(tx, `UPDATE run SET lease = NULL, lease_until = NULL WHERE ${MINE}`, keyOf(key))

async function one(tx: Tx, update: string, values: readonly unknown[]): Promise<LeasedBatchJob> {
  const [run] = await tx.rows<LeasedBatchJob>(`${update} RETURNING ${COLUMNS}`, values)
  if (!run) throw new LeaseLostError()
  return run
}

const originalShape = z
  .object({
    userId: z.number(),
    clientId: z.number(),
    username: z.string(),
    name: z.string(),
    /** Username of the impersonated user. */
    as: z.string().optional(),
    visit: z.number().nullable().default(null),
  })
  .nullable()
const readOriginal = (run: LeasedBatchJob) => ({ original: originalShape.parse(run.original) })

/**
 * Returns the actor for a batch job. This is the portal, or the user who started the job, with that user's current
 * permissions. Returns `undefined` if the user has left.
 */
export async function loadBatchJobActor(
  db: Db,
  run: LeasedBatchJob,
  as: 'portal' | 'starter',
): Promise<Actor | undefined> {
  if (as === 'portal') return createSystemActor(run.clientId, run.kind)
  const person = await db.tx('system', (tx) => readActor(tx, run.clientId, run.userId))
  const { original } = readOriginal(run)
  return person && original ? createImpersonatingActor(person, original, true) : person
}

export async function insertBatchJob(
  tx: Tx,
  actor: Actor,
  run: { clientId: number; kind: string; title: string; input: unknown; foreground: boolean; total: number | null },
): Promise<number> {
  const [made] = await tx.rows<{ id: number }>(
    'INSERT INTO run (client_id, kind, input, foreground, total, user_id, author, original, title) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING id',
    [
      run.clientId,
      run.kind,
      JSON.stringify(run.input),
      run.foreground,
      run.total,
      actor.userId,
      authorOf(actor).username,
      actor.original ? JSON.stringify({ ...actor.original, as: actor.username }) : null,
      run.title,
    ],
  )
  return (made as { id: number }).id
}
