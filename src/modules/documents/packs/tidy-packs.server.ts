import { schedule } from '#server/engine/schedule.ts'
import type { Engine } from '#server/engine/types.ts'
import { fileStoreFor } from '#server/files/store.ts'
import { type BatchJobKey, FILE_DAYS, fileKeyOf } from '#server/jobs/batch-job-file.ts'
import { openPackWorkspace } from './workshop.server.ts'

/** Deletes portions and files left by jobs that failed or were not resumed in time. */
async function removeLeft(engine: Engine): Promise<void> {
  const left = await engine.db.tx('system', (tx) =>
    tx.rows<BatchJobKey & { portions: number }>(
      `SELECT client_id AS "clientId", id, coalesce((place ->> 'portions')::int, 0) AS portions FROM run
       WHERE kind = 'documents.pack' AND file IS NULL AND state IN ('done', 'failed', 'stopped')
         AND finished_at BETWEEN portal_now() - interval '${FILE_DAYS + 2} days' AND portal_now() - interval '${FILE_DAYS} days'`,
    ),
  )
  const store = await fileStoreFor(engine.config)
  for (const run of left) {
    await (await openPackWorkspace(engine, run)).clear(run.portions)
    await store.remove(fileKeyOf(run))
  }
}

export const packTidying = schedule({ name: 'packs.tidy', every: { minutes: 60 }, run: removeLeft })
