import { registryOf } from '#server/engine/registry.ts'
import type { Engine } from '#server/engine/types.ts'
import { writeOutboxEvent } from '#server/engine/unit-of-work.ts'

const PAGE = 200
const COMMAND_GONE = 'The command that did this was stopped. Completed work is safe. Run the command again to continue.'

interface AbandonedJob {
  readonly client_id: number
  readonly id: number
  readonly kind: string
  readonly foreground: boolean
}

/**
 * Recovers batch jobs whose lease has expired. If a command worked on the job, it is marked as failed, because only the
 * command can resume it.
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
  if (!known) throw new Error(`Nobody knows the work "${kind}"`)
  if (foreground) await known.abandon(engine, client, id, COMMAND_GONE)
  else
    await engine.db.tx('system', async (tx) => {
      // Without a lease until its turn comes.
      await tx.rows(
        'UPDATE run SET lease = NULL, lease_until = NULL WHERE client_id = $1 AND id = $2 AND lease_until < clock_timestamp()',
        [client, id],
      )
      await writeOutboxEvent(engine, tx, client, known.due, { run: id })
    })
  engine.notifyCommit(new Set(['outbox', 'run']))
}
