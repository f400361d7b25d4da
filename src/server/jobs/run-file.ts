import { z } from 'zod'
import type { Context } from '#server/engine/types.ts'

/** Days for which a file that a run has made is kept. */
export const KEPT_DAYS = 3

/** Which run. */
export interface Which {
  readonly clientId: number
  readonly id: number
}

/** The file of a run, as it is offered to whoever began it. */
export const runFile = z.object({
  '@id': z.string(),
  name: z.string(),
  type: z.string(),
  bytes: z.int(),
  until: z.string(),
  /** The list that it is of. */
  list: z.string(),
})
type RunFile = z.output<typeof runFile>

/** Where the bytes of a run's file are kept. */
export const fileKeyOf = ({ clientId, id }: Which): string => `${clientId}/run-${id}`

/** Offers the file that a run has made, for some days from now. */
export async function offerFile(c: Context, run: Which, made: Omit<RunFile, '@id' | 'until'>): Promise<void> {
  const until = c.now.add({ hours: KEPT_DAYS * 24 }).toString()
  const file: RunFile = { '@id': `/api/portal/runs/${run.id}/file`, ...made, until }
  await c.work.tx.rows('UPDATE run SET file = $3 WHERE client_id = $1 AND id = $2', [
    c.clientId,
    run.id,
    JSON.stringify(file),
  ])
}
