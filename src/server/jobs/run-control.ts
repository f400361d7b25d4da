import { problem } from '#kernel/errors.ts'
import type { BatchJobState, BatchJobType } from '#server/engine/batch-job.ts'
import type { Context } from '#server/engine/types.ts'
import type { DefinedBatchJob } from './define-batch-job.ts'
import type { Which } from './run-file.ts'
import { insertRun } from './run-store.ts'

/**
 * Starts long work, in the transaction of what asks for it. Its id. `foreground`: the caller works on it itself. Throws 409
 * where a client has one run of this kind at a time, and one is under way; 429 where somebody has many under way already.
 */
export async function startRun<Input>(
  c: Context,
  kind: DefinedBatchJob<Input>,
  input: NoInfer<Input>,
  { total = null, foreground = false }: { total?: number | null; foreground?: boolean } = {},
): Promise<number> {
  await mustBeAlone(c, kind)
  if (!foreground) await mustBeFew(c)
  await kind.requireAsker(c, input)
  const run = {
    clientId: c.clientId,
    kind: kind.kind,
    title: kind.title,
    input: kind.input.parse(input),
    foreground,
    total,
  }
  const id = await insertRun(c.work.tx, c.actor, run)
  if (!foreground) await c.emit(kind.due, { run: id })
  c.work.touched.add('run')
  return id
}

/** Stops a run behind the step that is being done. Throws 409 for one that is not under way. */
export const stopRun = (c: Context, id: number): Promise<void> =>
  move(c, id, ['queued', 'running', 'stopping'], "state = 'stopping'")

/** Goes on with a run that was stopped or has failed, there or back. */
export async function resumeRun(
  c: Context,
  kind: BatchJobType,
  id: number,
  { foreground = false } = {},
): Promise<void> {
  await mustBeAlone(c, kind)
  await move(
    c,
    id,
    ['stopped', 'failed'],
    `state = CASE WHEN back THEN 'undoing' ELSE 'queued' END, finished_at = NULL, error = NULL, due_at = now(), foreground = ${foreground}`,
    (input) => kind.requireAsker(c, input),
  )
  if (!foreground) await c.emit(kind.due, { run: id })
}

/** Says anew what a run works with, which is the same by another name: its file has moved. */
export async function renewInput<Input>(
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

/** Takes a run back, from wherever it is. */
export async function undoRun(c: Context, kind: BatchJobType, id: number): Promise<void> {
  await move(
    c,
    id,
    ['stopping', 'stopped', 'done', 'failed'],
    "state = 'undoing', place = CASE WHEN back THEN place END, undone = CASE WHEN back THEN undone ELSE 0 END, back = true, foreground = false, due_at = now(), finished_at = NULL, error = NULL",
    async (input) => {
      if (!kind.canUndo(input)) throw problem.conflict('This can’t be undone.')
      await kind.requireAsker(c, input)
    },
  )
  await c.emit(kind.due, { run: id })
}

/** Runs of one person that wait or are under way: those of all clients go by the same lanes. */
const MOST_OF_ONE = 5

async function mustBeFew({ actor, clientId, work }: Context): Promise<void> {
  if (actor.kind) return
  const [open] = await work.tx.rows<{ n: number }>(
    "SELECT count(*)::int AS n FROM run WHERE client_id = $1 AND user_id = $2 AND state IN ('queued', 'running', 'stopping', 'undoing')",
    [clientId, actor.userId],
  )
  if ((open?.n ?? 0) >= MOST_OF_ONE)
    throw problem.busy(
      `You have begun ${MOST_OF_ONE} pieces of long work that have not ended. Please wait for one.`,
      30,
    )
}

/** Of two that are started at the same moment, the second waits for the first and is refused. */
async function mustBeAlone(c: Context, { kind, oneAtATime: alone }: BatchJobType): Promise<void> {
  if (!alone) return
  await c.work.tx.rows('SELECT pg_advisory_xact_lock(hashtext($1), $2)', [`run ${kind}`, c.clientId])
  const [other] = await c.work.tx.rows(
    "SELECT 1 FROM run WHERE client_id = $1 AND kind = $2 AND state IN ('queued', 'running', 'stopping', 'undoing')",
    [c.clientId, kind],
  )
  if (other)
    throw problem.conflict('A run is under way already. Wait until it has finished, or stop it.', 'still_running')
}

async function move(
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
  if (!from.includes(run.state)) throw problem.conflict(`This can't be done while it is ${run.state}.`, 'wrong_state')
  await check(run.input)
  await c.work.tx.rows(`UPDATE run SET ${set} WHERE client_id = $1 AND id = $2`, [c.clientId, id])
  c.work.touched.add('run')
}

/** Says how much a run has to do, once that is known. */
export const setTotal = ({ work }: Context, { clientId, id }: Which, total: number): Promise<unknown> =>
  work.tx.rows('UPDATE run SET total = $3 WHERE client_id = $1 AND id = $2', [clientId, id, total])
