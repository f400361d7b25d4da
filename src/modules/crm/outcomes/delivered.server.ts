import type { RowOf } from '#kernel/resource.ts'
import { readReference } from '#server/seed/reference.ts'
import type { callOutcome } from './outcome.ts'

type Delivered = Omit<RowOf<typeof callOutcome>, 'clientId' | 'version' | 'retired'>

/** Initial outcomes and results of a portal (specification, sections 4 and 9). */
export const DELIVERED: readonly Delivered[] = readReference('last-results.json')

/** Default outcome by code. */
export function delivered(code: number): Delivered {
  const found = DELIVERED.find(({ id }) => id === code)
  if (!found) throw new Error(`There is no default outcome with the code ${code}`)
  return found
}
