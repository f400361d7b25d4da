import type { RowOf } from '#kernel/resource.ts'
import { readReferenceFile } from '#server/seed/reference.ts'
import type { callOutcome } from './outcome.ts'

type Delivered = Omit<RowOf<typeof callOutcome>, 'clientId' | 'version' | 'retired'>

/** Initial outcomes and results of a portal (specification, sections 4 and 9). */
export const DEFAULT_OUTCOMES: readonly Delivered[] = readReferenceFile('last-results.json')

/** Default outcome by code. */
export function defaultOutcome(code: number): Delivered {
  const found = DEFAULT_OUTCOMES.find(({ id }) => id === code)
  if (!found) throw new Error(`There is no default outcome with the code ${code}`)
  return found
}
