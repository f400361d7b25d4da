import { z } from 'zod'
import { problem } from '#kernel/errors.ts'
import type { Actor } from '#kernel/roles.ts'
import type { BatchJob, BatchStep } from '#server/engine/batch-job.ts'
import type { Engine } from '#server/engine/types.ts'
import { EXPORT_CONTENT_TYPES, type ExportFormat, readExport, writeLongExport } from '#server/exports/export.ts'
import { fileStoreFor } from '#server/files/store.ts'
import { setTotal } from './batch-job-control.ts'
import { attachFile, type BatchJobKey, fileKeyOf } from './batch-job-file.ts'
import { defineBatchJob } from './define-batch-job.ts'

const INPUT = z.object({
  /** The list's address. */
  list: z.string(),
  query: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  format: z.enum(Object.keys(EXPORT_CONTENT_TYPES) as [ExportFormat, ...ExportFormat[]]),
})
type Input = z.output<typeof INPUT>

/** Writes a long list to a file that its starter can fetch for some days. Interrupted, it starts over. */
export const listExport = defineBatchJob<Input, number>({
  kind: 'list.export',
  title: 'A list as a file',
  queue: 'bulk',
  as: 'starter',
  input: INPUT,
  cursor: z.int(),
  restarts: () => true,
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
  if (!resource) throw problem.conflict('This list is not there any more.')
  const { fd, name, bytes, rows } = await writeLongExport(engine, { resource, actor, query, format })
  const store = await fileStoreFor(engine.config)
  await store.put(fileKeyOf(run), readExport({ fd }), bytes)
  yield {
    cursor: rows,
    execute: async (c) => {
      await setTotal(c, run, rows)
      await attachFile(c, run, { name, type: EXPORT_CONTENT_TYPES[format], bytes, list })
      return { done: rows }
    },
  }
}

/** Removes files whose time is over, and files of jobs that failed before they finished one. */
export async function removeOldFiles(engine: Engine): Promise<void> {
  const over = await engine.db.tx('system', (tx) =>
    tx.rows<BatchJobKey>(
      `SELECT client_id AS "clientId", id FROM run WHERE (file ->> 'until')::timestamptz < portal_now()
         OR (kind = 'list.export' AND file IS NULL AND state IN ('failed', 'stopped') AND finished_at > portal_now() - interval '1 day')`,
    ),
  )
  const store = await fileStoreFor(engine.config)
  for (const run of over) await store.remove(fileKeyOf(run))
  await engine.db.tx('system', (tx) =>
    tx.rows("UPDATE run SET file = NULL WHERE (file ->> 'until')::timestamptz < portal_now() AND id = ANY($1)", [
      over.map(({ id }) => id),
    ]),
  )
}
