import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Tx } from '#server/db/db.ts'

/** One reference list or a few that belong together. The edition is raised when the data changes, so that it is loaded again. */
export interface Reference {
  readonly name: string
  readonly edition: number
  readonly load: (tx: Tx) => Promise<void>
}

/** A file of `db/reference/`, parsed. */
export const readReference = (name: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../db/reference', name), 'utf8'))
