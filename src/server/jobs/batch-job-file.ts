import { z } from 'zod'
import type { Context } from '#server/engine/types.ts'

/** Days until the file of a batch job is deleted. */
export const FILE_DAYS = 3

export interface BatchJobKey {
  readonly clientId: number
  readonly id: number
}

/** The file of a batch job, as its starter gets it. */
export const batchJobFile = z.object({
  '@id': z.string(),
  name: z.string(),
  type: z.string(),
  bytes: z.int(),
  until: z.string(),
  /** The list that it was made from. */
  list: z.string(),
})
type BatchJobFile = z.output<typeof batchJobFile>

/** The key of the file in the store. */
export const fileKeyOf = ({ clientId, id }: BatchJobKey): string => `${clientId}/run-${id}`

/** Attaches the file that a batch job has made, for some days from now. */
export async function attachFile(
  c: Context,
  run: BatchJobKey,
  made: Omit<BatchJobFile, '@id' | 'until'>,
): Promise<void> {
  const until = c.now.add({ hours: FILE_DAYS * 24 }).toString()
  const file: BatchJobFile = { '@id': `/api/portal/runs/${run.id}/file`, ...made, until }
  await c.work.tx.rows('UPDATE run SET file = $3 WHERE client_id = $1 AND id = $2', [
    c.clientId,
    run.id,
    JSON.stringify(file),
  ])
}
