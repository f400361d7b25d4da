import { type ConstructorOptions, PgBoss } from 'pg-boss'
import type { Db, JobsConn, Tx } from '#server/db/db.ts'
import { HEARTBEAT_TIMEOUT_SECONDS, QUEUE_NAMES, QUEUES, RETRIES } from '#server/engine/queues.ts'

/** The job of a handler: its name, and the row of the outbox. */
export interface EventJob {
  readonly client: number
  readonly outbox: number
  readonly listener: string
}

/** The job of a schedule: its name, and the slot that is due. */
export interface ScheduleJob {
  readonly schedule: string
  readonly slot: string
}

export type AnyJob = EventJob | ScheduleJob

/** Runs the queue's statements inside an open transaction, which goes on as `role` afterwards. */
export const within = (tx: Tx, role: 'stanchion_system' | 'stanchion_tenant'): JobsConn => ({
  executeSql: async (text, values = []) => {
    await tx.script('SET LOCAL ROLE NONE')
    const rows = await tx.rows(text, values)
    await tx.script(`SET LOCAL ROLE ${role}`)
    return { rows }
  },
})

/**
 * Opens the job queue, with one queue for each kind of work. With `upkeep`, jobs of dead processes are tried again, and old completed ones
 * are deleted.
 */
export async function openQueue(db: Db, onError: (e: Error) => void, upkeep: boolean): Promise<PgBoss> {
  const options: ConstructorOptions = { schedule: false, supervise: upkeep, superviseIntervalSeconds: 30 }
  const boss = new PgBoss({ ...options, db: db.jobs })
  boss.on('error', onError)
  await boss.start()
  const known = new Set((await boss.getQueues()).map((q) => q.name))
  for (const name of QUEUE_NAMES) {
    const lane = {
      ...RETRIES,
      expireInSeconds: QUEUES[name].timeoutSeconds,
      heartbeatSeconds: HEARTBEAT_TIMEOUT_SECONDS,
    }
    await (known.has(name) ? boss.updateQueue(name, lane) : boss.createQueue(name, lane))
    // pg-boss reads a queue when it first uses it; inside a transaction of ours it could not.
    await boss.findJobs(name, { key: '' })
  }
  return boss
}
